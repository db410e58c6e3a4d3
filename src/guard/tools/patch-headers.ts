/** Reads the files that a patch names in its headers: the envelope that agents write, and the formats of `diff` and git. */
import type { FileUse } from './tools.ts';

export interface PatchedFile {
  readonly path: string;
  readonly use: FileUse;
}

/** Codex accepts an indented header and uses the name after it unchanged. */
const ENVELOPE: readonly (readonly [RegExp, FileUse])[] = [
  [/^\s*\*\*\* (?:Add|Update|Create) File: (.+)$/, 'write'],
  [/^\s*\*\*\* Delete File: (.+)$/, 'delete'],
  [/^\s*\*\*\* Move to: (.+)$/, 'write'],
];
const DIFF: readonly (readonly [RegExp, FileUse])[] = [
  [/^(?:rename|copy) to (.+)$/, 'write'],
  [/^rename from (.+)$/, 'delete'],
  [/^\+\+\+ (.+)$/, 'write'],
  [/^--- (.+)$/, 'write'],
  [/^Index: (.+)$/, 'write'],
];

/** Returns the files in the headers, at most one more than `most`. */
export function filesInPatch(text: string, most = Number.POSITIVE_INFINITY): readonly PatchedFile[] {
  const found: PatchedFile[] = [];
  for (const given of text.split('\n')) {
    const line = given.trimEnd();
    const file = headerIn(line, ENVELOPE) ?? inDiff(line);
    if (file) found.push(file);
    if (found.length > most) break;
  }
  return found;
}

function headerIn(line: string, headers: readonly (readonly [RegExp, FileUse])[]): PatchedFile | undefined {
  for (const [pattern, use] of headers) {
    const path = pattern.exec(line)?.[1]?.trim();
    if (path !== undefined && path !== '') return { path, use };
  }
  return undefined;
}

/** Removes the prefixes `a/` and `b/`, which only name the side of the change, and the date after a tab. */
function inDiff(line: string): PatchedFile | undefined {
  const file = headerIn(line.split('\t', 1)[0] ?? '', DIFF);
  if (!file || file.path === '/dev/null') return undefined;
  return { ...file, path: file.path.replace(/^"(.*)"$/, '$1').replace(/^[ab]\//, '') };
}
