/**
 * The changes of files in the input of a tool, read from the input alone: a text and its replacement, a whole new text, or a patch. The keys decide, not
 * the name of the tool, because each agent has names of its own.
 */
import type { Json } from '../../../src/core/values/json.ts';
import { type DiffPart, diffOfLines } from './diff.ts';

export interface FileChange {
  readonly path: string;
  /** `write` replaces the whole file, and the input does not say by what it was preceded. */
  readonly does: 'edit' | 'write' | 'delete' | 'move';
  /** Lines without their ends. */
  readonly parts: readonly DiffPart[];
}

type Fields = { readonly [name: string]: Json | undefined };

const PATHS = ['file_path', 'filePath', 'path', 'target_file', 'absolute_path', 'notebook_path', 'filename', 'file'];
const OLD = ['old_string', 'oldString', 'old_str', 'old_text', 'oldText'];
const NEW = ['new_string', 'newString', 'new_str', 'new_text', 'newText', 'new_source', 'insert_text'];
const WHOLE = ['content', 'contents', 'file_text', 'text', 'code'];
const PATCHES = ['input', 'patch', 'patchText', 'diff', 'command', 'content'];
const MOST_FILES = 50;
const IS_PATCH = /^(?:\*\*\* Begin Patch|--- |diff --git )/m;

export function fileChanges(input: Json): readonly FileChange[] {
  const patch = patchIn(input);
  if (patch !== undefined) return changesInPatch(patch).slice(0, MOST_FILES);
  if (!isFields(input)) return [];
  const path = textAt(input, PATHS);
  const edits = Array.isArray(input['edits']) ? (input['edits'] as readonly Json[]) : [input];
  const changes = edits.filter(isFields).flatMap((edit): FileChange[] => {
    const own = textAt(edit, PATHS) ?? path;
    const [old, fresh] = [textAt(edit, OLD), textAt(edit, NEW)];
    if (own === undefined) return [];
    if (old !== undefined || fresh !== undefined) return [{ path: own, does: 'edit', parts: diffOfLines(old ?? '', fresh ?? '') }];
    const whole = textAt(edit, WHOLE);
    return whole === undefined ? [] : [{ path: own, does: 'write', parts: diffOfLines('', whole) }];
  });
  return changes.slice(0, MOST_FILES);
}

function isFields(value: Json | undefined): value is Fields & Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textAt(fields: Fields, names: readonly string[]): string | undefined {
  return names.map((name) => fields[name]).find((value) => typeof value === 'string');
}

/** A patch is the whole input, one of its fields, or the last word of a command. */
function patchIn(input: Json): string | undefined {
  const values = isFields(input) ? PATCHES.map((name) => input[name]) : [input];
  const texts = values.flatMap((value) => (Array.isArray(value) ? value : [value])).filter((value) => typeof value === 'string');
  return texts.find((text) => IS_PATCH.test(text) && /^[-+]/m.test(text));
}

const SECTION = /^(?:\*\*\* (Add|Update|Delete) File: |\+\+\+ )(.+)$/;

function changesInPatch(patch: string): readonly FileChange[] {
  const changes: { path: string; does: FileChange['does']; parts: DiffPart[] }[] = [];
  let removed: string | null = null;
  for (const line of patch.split('\n')) {
    const [, verb, path = ''] = SECTION.exec(line) ?? [];
    const last = changes.at(-1);
    if (line.startsWith('--- ')) removed = line.slice(4).trim();
    else if (path !== '') {
      // `+++ /dev/null`: the file is removed, and the line before names it.
      const isGone = verb === 'Delete' || (verb === undefined && path.trim() === '/dev/null');
      const name = verb === undefined ? withoutSide(isGone ? (removed ?? path) : path) : path;
      changes.push({ path: name.trim(), does: isGone ? 'delete' : 'edit', parts: [] });
    } else if (line.startsWith('*** Move to: ') && last)
      Object.assign(last, { does: 'move', path: `${last.path} → ${line.slice(13).trim()}` });
    else if (/^[-+ ]/.test(line) && last) last.parts.push({ sign: line[0] as DiffPart['sign'], text: line.slice(1) });
    else if (line.startsWith('@@') && last && last.parts.length > 0) last.parts.push({ sign: ' ', text: '⋯' });
  }
  return changes;
}

/** `a/src/x.ts` of a patch as git writes it. */
function withoutSide(path: string): string {
  return path.replace(/\t.*$/, '').replace(/^[ab]\//, '');
}
