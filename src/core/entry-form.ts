/** Whose an entry of a file is that two formats share: told by the form of its key and value, as a table says it, and by nothing else. */
import { type Document, type Entry, entryOf, fieldOf, type Node } from './document.ts';

/**
 * `groups`: under a PascalCase key a list of `{matcher, hooks}` groups, or what is meant for one: a single group, a single handler, a text.
 * `rest`: everything else under `hooks`.
 */
export type EntryForm = 'groups' | 'rest';

/**
 * The document as far as it is of this form. Every entry under `hooks` is of exactly one; all that is no such entry is of the first, so that a
 * document without entries of the second is nothing to it: undefined.
 */
export function entriesOfForm(document: Document, form: EntryForm): Document | undefined {
  const { root } = document;
  const hooks = fieldOf(root, 'hooks');
  if (root?.kind !== 'map' || hooks?.kind !== 'map') return form === 'groups' ? document : undefined;
  const mine = hooks.entries.filter((entry) => (isGroups(entry) ? 'groups' : 'rest') === form);
  if (mine.length === 0 && form === 'rest') return undefined;
  const entries = root.entries.map((entry) => (entry.key === 'hooks' ? { ...entry, value: { ...hooks, entries: mine } } : entry));
  return { ...document, root: { ...root, entries } };
}

function isGroups({ key, value }: Entry): boolean {
  // One wrapper too many around all of it.
  if (key === 'hooks') return value.kind === 'map';
  if (!/^[A-Z]/.test(key)) return false;
  if (value.kind === 'list') return value.items.some(isGroup);
  return isGroup(value) || isHandler(value) || (value.kind === 'scalar' && typeof value.value === 'string');
}

function isHandler(node: Node): boolean {
  return fieldOf(node, 'type')?.kind === 'scalar' && entryOf(node, 'command') !== undefined;
}

function isGroup(node: Node): boolean {
  return entryOf(node, 'hooks') !== undefined;
}
