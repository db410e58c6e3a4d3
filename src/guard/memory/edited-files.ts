/**
 * The files that edits result in. An edit that is harmless alone can complete a text that is not. So the file on the disk is read, and the edits of
 * the call are made in a copy of it.
 */
import { readFileSync, statSync } from 'node:fs';
import type { WrittenText } from './written-texts.ts';

const MOST_BYTES = 256 * 1024;

interface EditedFile extends WrittenText {
  /** The text of the file before the edits. */
  readonly before?: string;
}

/**
 * Replaces the edits of files that can be read by the resulting files. Edits of other files stay as they are.
 *
 * @param realPath Returns the absolute path of a file.
 */
export function editedFiles(texts: readonly WrittenText[], realPath: (path: string) => string | undefined): readonly EditedFile[] {
  if (!texts.some(({ replaces }) => replaces !== undefined)) return texts;
  const files = new Map<string, { readonly before: string; now: string }>();
  const rest: EditedFile[] = [];
  // The texts of an input are found from its end.
  for (const each of [...texts].reverse()) {
    const { path, text, replaces } = each;
    const known = replaces && (files.get(path) ?? textOnDisk(realPath(path)));
    if (known === undefined || replaces === undefined || replaces.text === '' || !known.now.includes(replaces.text)) {
      rest.push(each);
      continue;
    }
    const parts = known.now.split(replaces.text);
    const now = replaces.by ?? text;
    known.now = replaces.everywhere ? parts.join(now) : `${parts[0]}${now}${parts.slice(1).join(replaces.text)}`;
    files.set(path, known);
  }
  return [...rest, ...Array.from(files, ([path, { before, now }]) => ({ path, text: now, whole: true, before }))];
}

function textOnDisk(path: string | undefined): { readonly before: string; now: string } | undefined {
  try {
    if (path === undefined || statSync(path).size > MOST_BYTES) return undefined;
    const text = readFileSync(path, 'utf8');
    return { before: text, now: text };
  } catch {
    // There is no such file, or it cannot be read, so the new text alone is judged.
    return undefined;
  }
}
