/** The files that a program loads as modules, if the analysed text has written them: by an import, or by an option of the interpreter. */
import type { WrittenFiles } from '../flow/written.ts';

/** An import, by the languages that have it. */
const IMPORTS: readonly (readonly [names: RegExp, form: RegExp])[] = [
  [/^(?:i?python|pypy|bpython)/, /(?:^|[;\n])[ \t]*(?:import|from)[ \t]+([\w.]+)/g],
  [
    /^(?:node|nodejs|bun|deno|tsx|ts-node|zx|jiti|esno|vite-node)/,
    /(?:\brequire\s*\(|\bimport\s*\(|\bfrom\b|\bimport\b)\s*["']((?:\.|\/|~)[^"'\n]+)["']/g,
  ],
  [/^ruby/, /\b(?:require|require_relative|load)\b\s*\(?\s*["']([^"'\n]+)["']/g],
  [/^perl/, /\b(?:require|do|use)\b\s*["']?([\w./]+)["']?/g],
  [/^lua/, /\b(?:require|dofile)\b\s*\(?\s*["']([^"'\n]+)["']/g],
];
/** Options of interpreters whose value is a module. */
const OPTIONS = /^(?:-r|--require|--import|--loader|--experimental-loader|--preload|-m)$/;
const ENDINGS = ['', '.py', '/__main__.py', '/__init__.py', '.js', '.cjs', '.mjs', '.ts', '/index.js', '.rb', '.pm', '.pl', '.lua'];
const MOST_MODULES = 32;

/** Returns the paths of the written files that a program loads. */
export function modulesOf(name: string, argv: readonly string[], text: string, files: WrittenFiles): readonly string[] {
  const form = IMPORTS.find(([names]) => names.test(name))?.[1];
  const imported = form === undefined ? [] : Array.from(text.matchAll(form), (match) => match[1] ?? '');
  const named = argv.flatMap((word, i) =>
    i > 1 && OPTIONS.test(argv[i - 1] ?? '') ? [word] : (/^--(?:require|import|preload)=(.+)$/.exec(word)?.[1] ?? []),
  );
  const found = [...new Set([...imported, ...named])].slice(0, MOST_MODULES).flatMap((module) => {
    const path = /^[\w.]+$/.test(module) && !/\.(?:[cm]?[jt]s|rb|p[lm]|lua)$/.test(module) ? module.replaceAll('.', '/') : module;
    return ENDINGS.map((ending) => path + ending).find((one) => files.has(one)) ?? [];
  });
  return [...new Set(found)];
}
