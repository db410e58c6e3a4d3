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
  return patched(text);
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
