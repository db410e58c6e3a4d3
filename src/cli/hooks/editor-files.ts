/** The files by which an editor knows the types of `hookline/hook`: they name this installation, so they are not for a repository. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import type { ScaffoldFile } from '../../core/contracts/dialect.ts';
import { jsonDocument } from '../output.ts';

export function editorFiles(): readonly ScaffoldFile[] {
  const types = path.resolve(realpathSync(process.argv[1] ?? ''), '../../dist/types/hook.d.ts');
  const compilerOptions = {
    ...{ target: 'es2023', module: 'nodenext', strict: true, noImplicitReturns: true, noEmit: true, erasableSyntaxOnly: true },
    ...{ allowImportingTsExtensions: true, skipLibCheck: true, types: [], paths: { 'hookline/hook': [types] } },
  };
  return [
    { path: '.hookline/tsconfig.json', text: jsonDocument({ compilerOptions, include: ['hooks'] }) },
    { path: '.hookline/.gitignore', text: '# Written by Hookline for the editors of this machine.\n/tsconfig.json\n/schemas/\n' },
  ];
}
