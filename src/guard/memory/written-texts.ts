/** The files that a tool call writes, each with the text that it gets, as far as the input has it. */
import { isObject, type Json } from '../../core/values/json.ts';
import { CONTENT_KEYS, normalizeName, PATCH_KEYS, PATH_KEYS } from '../tools/tools.ts';

export interface WrittenText {
  readonly path: string;
  readonly text: string;
  /** Whether the text is the whole file. */
  readonly whole: boolean;
  /** The text that it replaces, if the input has it. `everywhere`: at every place. */
  readonly replaces?: { readonly text: string; readonly everywhere: boolean };
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

/** Returns the lines that a patch adds to each file. */
function inPatch(text: string): readonly WrittenText[] {
  if (!looksLikePatch(text)) return [];
  const added = new Map<string, { readonly lines: string[]; readonly whole: boolean }>();
  let current: { readonly lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const name = HEADER.exec(line)?.[1]?.trim();
    if (name !== undefined) {
      const file = { lines: [], whole: /^\s*\*\*\* (?:Add|Create)/.test(line) };
      added.set(name, file);
      current = file;
    } else if (line.startsWith('+')) current?.lines.push(line.slice(1));
  }
  return [...added].map(([path, { lines, whole }]) => ({ path, text: `${lines.join('\n')}\n`, whole }));
}
