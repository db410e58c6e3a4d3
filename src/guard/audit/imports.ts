/**
 * Finds the local files that a program in another language imports. Imports are found by their syntax and resolved by the rules of the
 * language.
 */
import { dirname, join } from 'node:path';
import { statSync } from './observed-fs.ts';

const MOST_IMPORTS = 256;

export function importedFiles(path: string, body: string): readonly string[] {
  const folder = dirname(path);
  const language = LANGUAGES.find(({ files }) => files.test(path)) ?? LANGUAGES.find(({ shebang }) => shebang.test(firstLine(body)));
  if (!language) return [];
  const wanted = new Set(language.imports(body).slice(0, MOST_IMPORTS));
  return [...wanted].flatMap(
    (name) =>
      language
        .candidates(name)
        .map((candidate) => join(folder, candidate))
        .find(isFile) ?? [],
  );
}

interface Language {
  readonly files: RegExp;
  readonly shebang: RegExp;
  /** Returns the names of local imports. */
  imports(body: string): readonly string[];
  /** Returns the possible paths of a name, relative to the importing file. */
  candidates(name: string): readonly string[];
}

const SCRIPT_ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '.jsx', '.tsx', '/index.js', '/index.mjs', '/index.ts'];

const LANGUAGES: readonly Language[] = [
  {
    files: /\.pyw?$/,
    shebang: /\b(python|pypy)/,
    imports: (body) => [
      ...groups(/^[ \t]*import[ \t]+([^\n#]{1,500})/gm, body).flatMap((list) =>
        list.split(',').map((one) => one.trim().split(/\s/, 1)[0] ?? ''),
      ),
      ...groups(/^[ \t]*from[ \t]+(\.{0,2}[\w.]*)[ \t]+import\b/gm, body),
      ...[...body.matchAll(/^[ \t]*from[ \t]+(\.+)[ \t]+import[ \t]+([^\n#]{1,500})/gm)].flatMap(([, , list = '']) =>
        list.split(',').map((one) => one.replace(/[()]/g, '').trim().split(/\s/, 1)[0] ?? ''),
      ),
    ],
    candidates: (name) => {
      const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(name) ?? [];
      const file = `${'../'.repeat(Math.max(0, dots.length - 1))}${rest.replaceAll('.', '/')}`;
      return rest === '' ? [] : [`${file}.py`, `${file}/__init__.py`];
    },
  },
  {
    files: /\.[cm]?[jt]sx?$/,
    shebang: /\b(node|bun|deno|tsx|ts-node)\b/,
    imports: (body) =>
      groups(/(?:\bfrom|\bimport|\brequire|\bimport\.meta\.resolve)\s{0,8}\(?\s{0,8}["'`](\.{1,2}\/[^"'`\n]{1,500})["'`]/g, body),
    candidates: (name) => SCRIPT_ENDINGS.map((ending) => `${name}${ending}`).concat(name.replace(/\.([cm]?)js$/, '.$1ts')),
  },
  {
    files: /\.rb$/,
    shebang: /\bruby/,
    imports: (body) => groups(/\b(?:require_relative|load)[ \t(]{1,4}["']([^"'\n]{1,500})["']/g, body),
    candidates: (name) => [`${name}.rb`, name],
  },
  {
    files: /\.p[lm]$/,
    shebang: /\bperl/,
    imports: (body) => groups(/\b(?:require|do)[ \t(]{1,4}["'](\.{1,2}\/[^"'\n]{1,500})["']/g, body),
    candidates: (name) => [name],
  },
  {
    files: /\.php$/,
    shebang: /\bphp/,
    imports: (body) =>
      groups(/\b(?:include|require)(?:_once)?[ \t(]{0,4}(?:__DIR__[ \t]{0,4}\.[ \t]{0,4})?["']\/?([^"'\n]{1,500})["']/g, body),
    candidates: (name) => [name],
  },
];

function groups(pattern: RegExp, body: string): readonly string[] {
  return [...body.matchAll(pattern)].map(([, group = '']) => group);
}

function firstLine(body: string): string {
  return body.startsWith('#!') ? (body.split('\n', 1)[0] ?? '') : '';
}

function isFile(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    return false;
  }
}
