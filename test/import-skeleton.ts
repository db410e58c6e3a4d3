/** The sources with nothing left but their imports, as JavaScript: what a tool that reads no TypeScript needs to see who imports whom. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface SourceText {
  /** Below the project, as `src/core/json.ts`. */
  readonly name: string;
  readonly text: string;
}

/** Every source of the product; tests stand beside them and are left out. */
export function sourcesOf(project: string): SourceText[] {
  return readdirSync(path.join(project, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('fixtures'))
    .map((name) => ({ name: `src/${name}`, text: readFileSync(path.join(project, 'src', name), 'utf8') }));
}

export interface Import {
  readonly specifier: string;
  /** A type, or a module that is loaded on demand: it is not needed for the file itself to load. */
  readonly late: boolean;
}

export function importsOf(text: string): Import[] {
  const declared = [...text.matchAll(/^(?:import|export)( type)?\s[^;]*?from '([^']+)'/gm)];
  const bare = [...text.matchAll(/^import()\s'([^']+)'/gm)];
  const onDemand = [...text.matchAll(/\b(import)\(\s*'([^']+)'\s*\)/g)];
  return [...declared, ...bare, ...onDemand].map(([, late = '', specifier = '']) => ({ specifier, late: late !== '' }));
}

export function writeSkeleton(project: string, folder: string): readonly SourceText[] {
  const sources = sourcesOf(project);
  for (const { name, text } of sources) {
    const file = path.join(folder, name.replace(/\.ts$/, '.js'));
    mkdirSync(path.dirname(file), { recursive: true });
    const lines = importsOf(text).map(({ specifier, late }) => {
      const target = specifier.startsWith('.') ? specifier.replace(/\.ts$/, '.js') : specifier;
      return late ? `import('${target}');\n` : `import '${target}';\n`;
    });
    writeFileSync(file, lines.join(''));
  }
  copyFileSync(path.join(project, 'package.json'), path.join(folder, 'package.json'));
  symlinkSync(path.join(project, 'node_modules'), path.join(folder, 'node_modules'));
  return sources;
}
