/** The lines that an editor of lines or a patch inserts into files, which can be scripts. */

/** Returns the lines for each file. The lines that are there already stay unknown. */
export function insertedLines(
  name: string,
  operands: readonly string[],
  text: string,
): readonly (readonly [path: string, lines: readonly string[]])[] {
  if (name === 'ed' || name === 'ex') {
    const path = operands[0];
    const lines = Array.from(text.matchAll(/^[\d.,$/\w]*[aic]\n([\s\S]*?)\n\.$/gm), ([, inserted = '']) => inserted);
    return path === undefined || lines.length === 0 ? [] : [[path, lines]];
  }
  if (name === 'perl') return replaced(operands);
  return patched(text);
}

/** Returns the replacements of `perl -i -pe 's/from/to/' file`, for each of its files. */
function replaced(argv: readonly string[]): readonly (readonly [string, readonly string[]])[] {
  if (!argv.some((word) => /^-\w*i/.test(word))) return [];
  const code = argv.find((word) => /\bs[/|#!,]/.test(word)) ?? '';
  const lines = Array.from(code.matchAll(/\bs([/|#!,])(?:\\.|(?!\1).)*\1((?:\\.|(?!\1).)*)\1/gs), (match) => match[2] ?? '');
  const at = argv.indexOf(code);
  return lines.length === 0 ? [] : argv.slice(at + 1).map((path) => [path, lines] as const);
}

/** Returns the lines that a patch adds. */
function patched(text: string): readonly (readonly [string, readonly string[]])[] {
  const files: [string, string[]][] = [];
  for (const line of text.split('\n')) {
    const path = /^\+\+\+ "?(?:b\/)?([^\t"]+)/.exec(line)?.[1]?.trim();
    if (path !== undefined) files.push([path, []]);
    else if (line.startsWith('+')) files.at(-1)?.[1].push(line.slice(1));
  }
  return files.filter(([path]) => path !== '/dev/null');
}
