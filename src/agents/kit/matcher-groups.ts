/**
 * Finds the handlers under one event of the `{event: [{matcher, hooks: [handler]}]}` grammar that many agents share, in every shape people
 * write it in. A shape with only one possible meaning is accepted, with a warning that shows the agent's own shape. Any other shape is an error
 * and never hides its neighbours.
 */
import type { Position } from '../../core/values/diagnostic.ts';
import { type Entry, entryOf, kindName, type MapNode, type Node } from '../../core/values/document.ts';
import { type Problems, stringsIn } from '../../core/values/read-document.ts';

export interface FoundHandler {
  /** As it is written. */
  readonly node: Node;
  readonly at: Position;
  readonly path: string;
  /** Its fields; absent if it is written as a bare command. */
  readonly fields?: MapNode;
  /** The command, written as text or as a list of words. */
  readonly line?: string;
  /** Its key in a map of names. */
  readonly name?: string;
  readonly matcher?: FoundMatcher;
  /** The group that contains it. */
  readonly group?: MapNode;
}

export interface FoundMatcher {
  readonly source: string;
  readonly at: Position;
}

/** `every shape`: those that people write are understood too. `lists`: only lists of groups with lists of handlers are. */
export type Accepts = 'every shape' | 'lists';

/** Returns every handler under the event, in the order written. */
export function findHandlers(event: Entry, complaints: Problems, accepts: Accepts = 'every shape'): FoundHandler[] {
  if (accepts === 'lists') return inLists(event, complaints);
  const { key, value } = event;
  if (value.kind === 'list') return value.items.flatMap((item, i) => fromItem(item, { path: `${key}[${i}]` }, problems));
  if (value.kind === 'map') {
    const isOne = isGroup(value) || isHandler(value);
    reportLooseShape(complaints, value.at, `\`${key}\` should be a list of groups, found ${isOne ? 'a single one' : 'a map of names'}.`);
    return isOne ? fromItem(value, { path: key }, complaints) : fromNames(value, { path: key }, complaints);
  }
  if (value.value === null || value.value === false) return [];
  return fromItem(value, { path: key }, problems);
}

/** A shape that is not a list is an error; the other groups still load. */
function inLists({ key, value }: Entry, complaints: Problems): FoundHandler[] {
  if (value.kind !== 'list') {
    const message = `\`${key}\` must be a list of \`{matcher, hooks}\` groups, found ${kindName(value)}.`;
    problems.report('error', 'wrong-type', value.at, message, 'Write the groups as a list.');
    return [];
  }
  return value.items.flatMap((group, index) => {
    const hooks = entryOf(group, 'hooks')?.value;
    if (group.kind !== 'map' || hooks?.kind !== 'list') {
      const found = group.kind !== 'map' ? kindName(group) : hooks ? `\`hooks\` as ${kindName(hooks)}` : 'a map without `hooks`';
      const message = `Entry ${index + 1} of \`${key}\` must be a map with a list \`hooks\`, found ${found}.`;
      problems.report('error', 'wrong-type', (hooks ?? group).at, message, 'Put the handlers in a list under `hooks`.');
      return [];
    }
    const matcher = matcherOf(group, problems, 'lists');
    if (matcher === 'unusable') return [];
    const shared = { group, ...(matcher && { matcher }) };
    return hooks.items.map((node, i) => ({ ...shared, node, at: node.at, path: `${key}[${index}].hooks[${i}]` }));
  });
}

/** The words as one line for a shell. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

/**
 * Returns the `matcher` of a group or a handler. Absent, null and empty mean everything. A list means any of its names, but only to formats
 * that read every shape.
 */
export function matcherOf(owner: Node, complaints: Problems, accepts: Accepts = 'every shape'): FoundMatcher | undefined | 'unusable' {
  const node = entryOf(owner, 'matcher')?.value;
  if (!node || (node.kind === 'scalar' && (node.value === null || node.value === ''))) return undefined;
  if (node.kind === 'scalar' && typeof node.value === 'string') return { source: node.value, at: node.at };
  if (accepts === 'every shape' && node.kind === 'list' && node.items.length === 0) return undefined;
  const words = accepts === 'every shape' ? stringsIn(node) : undefined;
  if (words) {
    reportLooseShape(complaints, node.at, '`matcher` should be text, found a list.', `Write \`"${words.join('|')}"\`.`);
    return { source: words.join('|'), at: node.at };
  }
  const message = `\`matcher\` must be text, found ${kindName(node)}, so its hooks are not loaded.`;
  problems.report('error', 'wrong-type', node.at, message, 'Write it in quotes, or leave it out to match everything.');
  return 'unusable';
}

/** Reports a shape that has only one meaning, but that the agent itself may not read. */
export function reportLooseShape(complaints: Problems, at: Position, message: string, hint: string = HOW): void {
  complaints.say('warning', 'loose-shape', at, `${message} Hookline reads it, but the agent itself may not.`, hint);
}

type Shared = Pick<FoundHandler, 'name' | 'matcher' | 'group' | 'path'>;

/** Keys that show that a map is a handler and not a map of names. */
const MARKS = ['type', 'command', 'url', 'prompt', 'server', 'args'];
const HOW = 'Write `[{"matcher": "…", "hooks": [{"type": "command", "command": "…"}]}]`.';

function isHandler(map: MapNode): boolean {
  return MARKS.some((mark) => entryOf(map, mark) !== undefined);
}

function isGroup(map: MapNode): boolean {
  return entryOf(map, 'hooks') !== undefined;
}

/** Reads an item directly under an event: a group, or a handler without one. */
function fromItem(node: Node, shared: Shared, complaints: Problems): FoundHandler[] {
  if (node.kind === 'map' && isGroup(node)) return fromGroup(node, shared, complaints);
  if (node.kind === 'map' && !isHandler(node)) {
    problems.report('error', 'wrong-type', node.at, `\`${shared.path}\` is a map without \`hooks\` and without a handler.`, HOW);
    return [];
  }
  const found = fromHandler(node, shared, complaints);
  if (found.length > 0) reportLooseShape(complaints, node.at, `\`${shared.path}\` should be a group with \`hooks\`, found a handler.`);
  if (node.kind !== 'map') return found;
  const matcher = matcherOf(node, problems);
  return matcher === 'unusable' ? [] : found.map((one) => ({ ...one, ...(matcher && { matcher }) }));
}

function fromNames(map: MapNode, shared: Shared, complaints: Problems): FoundHandler[] {
  return map.entries.flatMap(({ key, value }) => fromItem(value, { ...shared, name: key, path: `${shared.path}.${key}` }, complaints));
}

function fromGroup(group: MapNode, { name, path }: Shared, complaints: Problems): FoundHandler[] {
  const matcher = matcherOf(group, complaints);
  if (matcher === 'unusable') return [];
  const hooks = entryOf(group, 'hooks')?.value;
  if (!hooks || (hooks.kind === 'scalar' && (hooks.value === null || hooks.value === false))) return [];
  const shared = { group, ...(matcher && { matcher }), ...(name !== undefined && { name }) };
  const inside = `${path}.hooks`;
  if (hooks.kind === 'list') return hooks.items.flatMap((item, i) => fromHandler(item, { ...shared, path: `${inside}[${i}]` }, problems));
  if (hooks.kind === 'map' && !isHandler(hooks)) {
    reportLooseShape(complaints, hooks.at, 'The `hooks` of a group should be a list, found a map of names.');
    return hooks.entries.flatMap(({ key, value }) => fromHandler(value, { ...shared, name: key, path: `${inside}.${key}` }, complaints));
  }
  const found = fromHandler(hooks, { ...shared, path: inside }, complaints);
  if (found.length > 0) reportLooseShape(complaints, hooks.at, `The \`hooks\` of a group should be a list, found ${kindName(hooks)}.`);
  return found;
}

/** A handler in its own right: a map of fields, a command as text, or as a list of words. */
function fromHandler(node: Node, shared: Shared, complaints: Problems): FoundHandler[] {
  const { at } = node;
  if (node.kind === 'map') return [{ ...shared, node, at, fields: node }];
  const words = stringsIn(node);
  const line = words ? shellLine(words) : node.kind === 'scalar' && typeof node.value === 'string' ? node.value : '';
  if (line.trim() !== '') return [{ ...shared, node, at, line }];
  const found = node.kind === 'scalar' && node.value === '' ? 'empty text' : kindName(node);
  const what = `\`${shared.path}\` must be a handler, found ${found}; it is skipped.`;
  problems.report('error', 'wrong-type', at, what, 'Write `{"type": "command", "command": "…"}`.');
  return [];
}
