/** The loops of `cmd`: `for … in (…) do` and `forfiles`, written out once for each item. */
import { atMost } from '../../limits.ts';
import { UNKNOWN } from '../marks.ts';

const LOOP = /\bfor\s+(?:\/([drfl])\s+)?(?:"[^"]*"\s+)?(?:((?!%)[^\s%(]+)\s+)?%%?([a-z])\s+in\s*\(([^)]*)\)\s*do\s+([^\n]*)/i;
const FILES = /\bforfiles\b([^\n]*?)\/c\s+(?:"([^"\n]*)"|'([^'\n]*)'|([^\n]+))/i;
const MOST_DEPTH = 4;
const MOST_ITEMS = 32;

/** Returns the text of the commands, with the items of each loop in place of its variable. */
export function unrolled(text: string, depth = MOST_DEPTH): readonly string[] {
  if (depth === 0) return [text];
  const loop = LOOP.exec(text);
  if (loop !== null) {
    const [, kind = '', root = '.', letter = '', set = '', body = ''] = loop;
    const named = new RegExp(`%%?(?:~[a-z]*?)?${letter}(?!\\w)`, 'gi');
    const items = atMost(itemsOf(kind.toLowerCase(), root, set), MOST_ITEMS, 'the items of a loop');
    const bodies = items.map((item) => body.replace(named, () => item));
    return [text.slice(0, loop.index), ...bodies].flatMap((one, i) => (i === 0 ? [one] : unrolled(one, depth - 1)));
  }
  const files = FILES.exec(text);
  if (files === null) return [text];
  const root = /\/p\s+"?([^"\s]+)/i.exec(files[1] ?? '')?.[1] ?? '.';
  const body = (files[2] ?? files[3] ?? files[4] ?? '').replace(/^\s*cmd(?:\.exe)?\s+\/c\s+/i, '');
  return [text.slice(0, files.index), ...unrolled(body.replace(/@(?:path|file|relpath|fname)/gi, `${root}\\*`), depth - 1)];
}

function itemsOf(kind: string, root: string, set: string): readonly string[] {
  if (kind === 'l') return ['1'];
  if (kind === 'f') return [listed(set)];
  const items = set.split(/[\s,;]+/).filter((item) => item !== '');
  return kind === 'r' ? items.map((item) => `${root}\\${/^\.?$/.test(item) ? '*' : item}`) : items;
}

/** The lines that a command prints. Only the names that `dir` lists are known. */
function listed(set: string): string {
  const [, options = '', folder = '.'] = /^\s*['"`]\s*dir((?:\s+\/[\w:-]+)*)\s*([^\s'"`/|]*)/i.exec(set) ?? [UNKNOWN, UNKNOWN];
  if (options === UNKNOWN) return UNKNOWN;
  return /\/s\b/i.test(options) ? `${folder === '' ? '.' : folder}\\*` : '*';
}
