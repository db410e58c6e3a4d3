/** Which program runs a script: what its first line says, else what its name ends in. */

const SHELL_LINE = /^#!.*\b(ba|z|da|k|a|mk)?sh\b/;
const BY_ENDING: readonly (readonly [RegExp, string])[] = [
  [/\.pyw?$/, 'python3'],
  [/\.[cm]?[jt]sx?$/, 'node'],
  [/\.rb$/, 'ruby'],
  [/\.p[lm]$/, 'perl'],
  [/\.php$/, 'php'],
  [/\.lua$/, 'lua'],
];
const BY_LINE = /\b(python[\d.]*|pypy[\d.]*|node|bun|deno|ruby[\d.]*|perl[\d.]*|php[\d.]*|lua[\d.]*)\b/;

/** The command that the first line is, without the file; undefined if there is none. */
export function interpreterFor(body: string): string | undefined {
  const line = /^#![ \t]*([^\n\r]{1,500})/.exec(body)?.[1]?.trim();
  // `env -S` is given the rest of the line as one word, and splits it itself.
  return line === '' ? undefined : line?.replace(/^\S*\benv[ \t]+(?:-S|--split-string[= \t])[ \t]*/, '');
}

export function isShellLine(body: string): boolean {
  return SHELL_LINE.test(body.split('\n', 1)[0] ?? '');
}

/** A program that reads files of this kind, for one that is imported or run by name. */
export function importedAs(path: string, body: string): string {
  const line = body.startsWith('#!') ? BY_LINE.exec(body.split('\n', 1)[0] ?? '')?.[1] : undefined;
  return line === undefined ? (BY_ENDING.find(([ending]) => ending.test(path))?.[1] ?? 'node') : line === 'deno' ? 'node' : line;
}
