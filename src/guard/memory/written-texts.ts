/** The files that a tool call writes, each with the text that it gets, as far as the input has it. */
import { isObject, type Json } from '../../core/values/json.ts';
import { CONTENT_KEYS, normalizeName, PATCH_KEYS, PATH_KEYS } from '../tools/tools.ts';

/** A part of a file that another text replaces. */
interface Replaced {
  readonly text: string;
  /** Whether it is replaced at every place. */
  readonly everywhere: boolean;
  /** The text in its place, if that is more than the new text: a patch has lines around it. */
  readonly by?: string;
}

export interface WrittenText {
  readonly path: string;
  readonly text: string;
  /** Whether the text is the whole file. */
  readonly whole: boolean;
  /** The text that it replaces, if the input has it. */
  readonly replaces?: Replaced;
}

const MOST_TEXTS = 200;
const MOST_NODES = 10_000;
/** Keys of a text that replaces a part of the file. */
const PART = /^(?:new|edits|lines|insert|patch|diff)/;

export function writtenTexts(input: unknown): readonly WrittenText[] {
  const found: WrittenText[] = [];
  const stack: { readonly value: Json; readonly path: string | undefined }[] = [{ value: input as Json, path: undefined }];
  for (let seen = 0; stack.length > 0 && seen < MOST_NODES && found.length < MOST_TEXTS; seen++) {
    const { value, path } = stack.pop() ?? { value: null, path: undefined };
    if (typeof value === 'string') found.push(...inPatch(value));
    else if (Array.isArray(value)) for (const item of value) stack.push({ value: item, path });
    else if (isObject(value)) {
      const entries = Object.entries(value);
      const named = entries.find(([key, text]) => PATH_KEYS.has(normalizeName(key)) && typeof text === 'string');
      const own = typeof named?.[1] === 'string' ? named[1] : path;
      const old = entries.find(([key]) => /^old/.test(normalizeName(key)))?.[1];
      const everywhere = entries.some(([key, flag]) => normalizeName(key) === 'replaceall' && flag === true);
      const isEdit = old !== undefined;
      const replaces = typeof old === 'string' ? { replaces: { text: old, everywhere } } : {};
      for (const [key, item] of entries) {
        const name = normalizeName(key);
        if (item === undefined) continue;
        if (typeof item === 'string' && CONTENT_KEYS.has(name) && own !== undefined && !looksLikePatch(item))
          found.push({ path: own, text: item, whole: !isEdit && !PART.test(name), ...replaces });
        else if (typeof item === 'object' || PATCH_KEYS.has(name)) stack.push({ value: item, path: own });
      }
    }
  }
  return found;
}

const HEADER = /^\s*(?:\*\*\* (?:Add|Update|Create) File: |\+\+\+ (?:b\/)?)([^\t\r]+)/;

function looksLikePatch(text: string): boolean {
  return /^(?:\*\*\* Begin Patch|--- |diff --git )/m.test(text);
}

/**
 * Returns the lines that a patch adds, part by part. The last part comes first, as in an input. A part with lines around it replaces them, so
 * that the resulting file can be judged.
 */
export function inPatch(text: string): readonly WrittenText[] {
  if (!looksLikePatch(text)) return [];
  const parts: {
    readonly path: string;
    readonly whole: boolean;
    readonly added: string[];
    readonly old: string[];
    readonly now: string[];
  }[] = [];
  const open = (path: string, whole: boolean): void => void parts.push({ path, whole, added: [], old: [], now: [] });
  let blank: string[] = [];
  for (const line of text.split('\n')) {
    const name = HEADER.exec(line)?.[1]?.trim();
    const current = parts.at(-1);
    // Some programs write an empty line without the space before it. At the end of a part it belongs to none.
    if (line === '') {
      blank.push(line);
      continue;
    }
    if (/^[-+ ]/.test(line) && name === undefined) {
      current?.old.push(...blank);
      current?.now.push(...blank);
    }
    blank = [];
    if (name !== undefined) open(name, /^\s*\*\*\* (?:Add|Create)/.test(line));
    else if (current === undefined || /^(?:\*\*\* |--- |diff --git |index )/.test(line)) continue;
    else if (line.startsWith('@@')) open(current.path, false);
    else if (line.startsWith('+')) {
      current.added.push(line.slice(1));
      current.now.push(line.slice(1));
    } else if (line.startsWith('-')) current.old.push(line.slice(1));
    else if (line.startsWith(' ')) {
      current.old.push(line.slice(1));
      current.now.push(line.slice(1));
    }
  }
  return parts
    .filter(({ added, old }) => added.length + old.length > 0)
    .map(({ path, whole, added, old, now }): WrittenText => {
      const replaces = { text: old.join('\n'), everywhere: false, by: now.join('\n') };
      return { path, text: `${added.join('\n')}\n`, whole, ...(!whole && { replaces }) };
    })
    .reverse();
}
