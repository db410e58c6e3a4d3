/** A file that is an entry altogether: a plugin or a script that the host starts. It is Hookline's as a whole or not at all, and is never merged. */
import { type OwnLine, readLine } from '../../core/contracts/entry-line.ts';
import type { Unfit } from './json-edit.ts';
import type { Edited, Shape, Wanted } from './shape.ts';

export const textShape: Shape = {
  own: linesIn,
  install(text: string, host: string, wanted: readonly Wanted[]): Edited | Unfit {
    const [one] = wanted;
    if (!one) return uninstall(text, host);
    const next = String(one.value);
    if (text !== '' && text !== next && linesIn(text, host).length === 0)
      return { unfit: 'Another file stands where ours would; it is left alone', at: 0 };
    const state = text === '' ? 'added' : text === next ? 'kept' : 'updated';
    return { text: next, entries: wanted.map(({ event }) => ({ event, state })) };
  },
  uninstall,
};

function uninstall(text: string, host: string): Edited {
  const [line] = linesIn(text, host);
  return line ? { text: undefined, entries: [{ event: line.event ?? '', state: 'removed' }] } : { text, entries: [] };
}

/** The line itself, alone or in a text of the program; or the comment that says by which command the file came. */
function linesIn(text: string, host: string): OwnLine[] {
  const rows = text.split('\n').map((row) => row.replace(/^\s*exec\s+/, '').replace(/\s+"\$@"\s*$/, ''));
  const literals = [...text.matchAll(/"(?:[^"\\\n]|\\.)*"/g)].flatMap(([literal]) => textIn(literal) ?? []);
  const found = [...rows, ...literals].map(readLine).find((line) => line?.host === host);
  if (found) return [found];
  const mark = rows.slice(0, 8).find((row) => row.includes(`hookline install ${host}`));
  return mark === undefined ? [] : [{ via: 'command', host, program: [], text: mark }];
}

function textIn(literal: string): string | undefined {
  try {
    return String(JSON.parse(literal));
  } catch {
    return undefined;
  }
}
