/** Type-checks the programs of the documentation as a strict project of its own that depends on the package. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Block, type Page, repository } from './pages.ts';

const STRICT = {
  target: 'es2023',
  module: 'nodenext',
  lib: ['es2023', 'esnext.disposable'],
  types: ['node'],
  strict: true,
  noImplicitReturns: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  allowJs: true,
  checkJs: true,
  skipLibCheck: true,
  noEmit: true,
};

/** Whether a block is a program that uses the package. All of TypeScript does. */
export function isProgram({ language, text }: Block): boolean {
  return language === 'ts' || (language === 'js' && /from '(?:hookline)(?:\/[a-z-]+)?'/.test(text));
}

/**
 * Returns the complaints of the compiler, each with the page and the line or the file of its block.
 * @param modules the folder with the packages that the programs use beside Hookline; a page that needs others is left out
 */
export async function compileExamples(pages: readonly Page[], modules = path.join(repository, 'node_modules')): Promise<string[]> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline-types-')));
  try {
    mkdirSync(path.join(folder, 'node_modules'));
    // Next to the packages that it adapts, the types of Hookline find their types.
    const own = path.join(modules, 'hookline');
    symlinkSync(existsSync(own) ? own : repository, path.join(folder, 'node_modules/hookline'));
    symlinkSync(path.join(repository, 'node_modules/@types'), path.join(folder, 'node_modules/@types'));
    const link = (name: string): void => {
      const place = path.join(folder, 'node_modules', name);
      mkdirSync(path.dirname(place), { recursive: true });
      if (!existsSync(place)) symlinkSync(path.join(modules, name), place);
    };
    const projects = pages.flatMap((page) => {
      if (!isCompiled(page, modules)) return [];
      const blocks = page.blocks.filter(isProgram);
      packagesOf(blocks).forEach(link);
      const name = page.name.replaceAll(/\W/g, '-');
      mkdirSync(path.join(folder, name));
      // A page is a project: what it declares is no part of another.
      writeFileSync(
        path.join(folder, name, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: STRICT, include: ['*', '.hookline/**/*'] }),
      );
      for (const { line, language, text, file } of blocks) {
        const place = path.join(folder, name, file ?? `line-${line}.m${language}`);
        mkdirSync(path.dirname(place), { recursive: true });
        writeFileSync(place, text);
      }
      // A program may import a mock of the same page, which is no example of the package: it has any type.
      for (const { file, text } of page.blocks)
        if (file?.endsWith('.mjs') && !existsSync(path.join(folder, name, file)))
          writeFileSync(path.join(folder, name, file.replace(/\.mjs$/, '.d.mts')), declarationsOf(text));
      return [{ name, page }];
    });
    const found: string[] = [];
    for (const { name, page } of projects) found.push(...(await complaints(folder, name)).map((text) => `${page.name} ${text}`));
    return found;
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Declares the exports of a mock. */
function declarationsOf(text: string): string {
  const names = [...text.matchAll(/^export (?:const|class|(?:async )?function\*?) (\w+)/gm)].map(([, name]) => name);
  return `${names.map((name) => `export const ${name}: any;`).join('\n')}\nexport {};\n`;
}

/** Whether the page has programs, and the folder has all packages that they use. */
export function isCompiled({ blocks }: Page, modules: string): boolean {
  const programs = blocks.filter(isProgram);
  return programs.length > 0 && packagesOf(programs).every((one) => existsSync(path.join(modules, one)));
}

/** The packages that the programs import, other than Hookline and those of Node. */
function packagesOf(blocks: readonly Block[]): string[] {
  const imported = blocks.flatMap(({ text }) => [...text.matchAll(/from '([^'.][^']*)'/g)].map(([, name = '']) => name));
  const names = imported.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
  return [...new Set(names)].filter((name) => name !== 'hookline' && !name.startsWith('node:'));
}

function complaints(folder: string, project: string): Promise<string[]> {
  const compiler = path.join(repository, 'node_modules/.bin/tsc');
  return new Promise((resolve) => {
    execFile(
      compiler,
      ['-p', path.join(folder, project), '--pretty', 'false'],
      { cwd: path.join(folder, project) },
      (error, stdout, stderr) => resolve(error ? `${stdout}${stderr}`.split('\n').filter((text) => text.trim() !== '') : []),
    );
  });
}
