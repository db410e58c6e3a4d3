/** Finds the event entries of a configuration file: `eventLists` for formats with one shape, `eventEntries` for formats that people write in many. */
import { type Document, type Entry, entryOf, fieldOf, kindName, type MapNode, type Node } from '../../core/values/document.ts';
import type { Problems } from '../../core/values/read-document.ts';
import { reportLooseShape } from './matcher-groups.ts';

export interface EventListTerms {
  isEvent(name: string): boolean;
  /** How such a file begins, for whoever wrote another. */
  readonly example: string;
  /** The items of a list. */
  readonly items: string;
}

/** Reads a file that knows one shape only: under `hooks` a list for each event. Any other shape is an error, and the rest still loads. */
export function eventLists(root: Node | undefined, { isEvent, example }: EventListTerms, problems: Problems): readonly Entry[] {
  if (!root || isNothing(root)) return [];
  if (root.kind !== 'map') {
    problems.report('error', 'wrong-type', root.at, `The file must hold a map, found ${kindName(root)}.`, `Write \`${example}\`.`);
    return [];
  }
  reportAstray(root, isEvent, problems);
  const hooks = fieldOf(root, 'hooks');
  if (!hooks) return [];
  if (hooks.kind === 'map') return hooks.entries;
  if (!isNothing(hooks)) {
    const hint = 'Write one key for each event.';
    problems.report('error', 'wrong-type', hooks.at, `\`hooks\` must map events to lists, found ${kindName(hooks)}.`, hint);
  }
  return [];
}

/** Reports events next to `hooks`, also if their names are those of another agent: the hooks below them are not read. */
function reportAstray(root: MapNode, isEvent: (name: string) => boolean, problems: Problems): void {
  const astray = root.entries.filter(({ key, value }) => key !== 'hooks' && (isEvent(key) || holdsCommands(value)));
  const [first] = astray;
  if (!first) return;
  const names = astray.map(({ key }) => `\`${key}\``).join(', ');
  const what = `${names} ${astray.length === 1 ? 'stands' : 'stand'} outside of \`hooks\`, so no hook there runs.`;
  problems.report('error', 'missing-field', first.at, what, 'Put the events under `hooks`.');
}

function holdsCommands(node: Node): boolean {
  return node.kind === 'list' && node.items.some((item) => entryOf(item, 'command') !== undefined || entryOf(item, 'hooks') !== undefined);
}

export function listItems({ key, value }: Entry, { items }: EventListTerms, problems: Problems): readonly Node[] {
  if (value.kind === 'list') return value.items;
  if (!isNothing(value)) {
    const hint = `Write \`"${key}": [{"command": "…"}]\`.`;
    problems.report('error', 'wrong-type', value.at, `\`${key}\` must be a list of ${items}, found ${kindName(value)}.`, hint);
  }
  return [];
}

export function isNothing(node: Node): boolean {
  return node.kind === 'scalar' && node.value === null;
}

export interface EventMapTerms {
  isEvent(name: string): boolean;
  /** Keys that may be next to the events. */
  readonly otherKeys: ReadonlySet<string>;
}

/**
 * Returns every entry that could be an event, known or not: the entries under `hooks`, in every shape people write. A file without `hooks` has no
 * entries, unless it has names of events instead.
 */
export function eventEntries({ root, diagnostics }: Document, terms: EventMapTerms, problems: Problems): Entry[] {
  if (!root || (root.kind === 'scalar' && root.value === null)) return [];
  if (root.kind !== 'map') {
    // A file that could not be parsed is reported already.
    if (!diagnostics.some(({ severity }) => severity === 'error')) {
      problems.report('error', 'wrong-type', root.at, `The file must hold a map, found ${kindName(root)}.`, 'Begin with `{"hooks": {…}}`.');
    }
    return [];
  }
  const hooks = entryOf(root, 'hooks');
  if (hooks) {
    reportAstray({ ...root, entries: root.entries.filter(({ key }) => terms.isEvent(key)) }, terms.isEvent, problems);
    return entriesIn(hooks.value, terms, problems);
  }
  const astray = root.entries.filter(({ key }) => terms.isEvent(key));
  const [first] = astray;
  if (first) reportLooseShape(problems, first.at, `\`${first.key}\` should stand under \`hooks\`.`, 'Put the events into `"hooks": {…}`.');
  return astray;
}

function entriesIn(node: Node, terms: EventMapTerms, problems: Problems): Entry[] {
  if (node.kind === 'map') return unwrapped(node, terms, problems);
  if (node.kind === 'scalar' && (node.value === null || node.value === false)) return [];
  const named = node.kind === 'list' ? namedEvents(node.items) : undefined;
  if (named) {
    const what = '`hooks` is a list whose items name their `event`, which the agent itself ignores; Hookline reads it.';
    problems.report('warning', 'loose-shape', node.at, what, 'Write one key for each event: `"hooks": {"PreToolUse": […]}`.');
    return named;
  }
  if (node.kind === 'list' && node.items.every(({ kind }) => kind === 'map')) {
    if (node.items.length > 0)
      reportLooseShape(problems, node.at, '`hooks` should be one map of events, found a list.', 'Make one map of it.');
    return node.items.flatMap((item) => (item.kind === 'map' ? unwrapped(item, terms, problems) : []));
  }
  const hint = 'Write one key for each event: `"hooks": {"PreToolUse": […]}`.';
  problems.report(
    'error',
    'wrong-type',
    node.at,
    `\`hooks\` must map events to groups, found ${kindName(node)}; no other file is read.`,
    hint,
  );
  return [];
}

/** Reads `[{"event": "PreToolUse", "matcher": "Bash", "command": "…"}]` as one entry for each event; undefined for any other list. */
function namedEvents(items: readonly Node[]): Entry[] | undefined {
  const byEvent = new Map<string, { readonly at: Entry['at']; readonly groups: MapNode[] }>();
  for (const item of items) {
    const event = entryOf(item, 'event');
    if (item.kind !== 'map' || event?.value.kind !== 'scalar' || typeof event.value.value !== 'string') return undefined;
    const found = byEvent.get(event.value.value) ?? { at: event.value.at, groups: [] };
    byEvent.set(event.value.value, found);
    found.groups.push(groupOf(item));
  }
  if (byEvent.size === 0) return undefined;
  return [...byEvent].map(([key, { at, groups }]) => ({ key, at, value: { kind: 'list', at, items: groups } }));
}

/** Returns the item if it is a group. A single handler is put into a group. */
function groupOf(item: MapNode): MapNode {
  const own = item.entries.filter(({ key }) => key !== 'event');
  if (own.some(({ key }) => key === 'hooks')) return { ...item, entries: own };
  const isCommand = own.some(({ key }) => key === 'command') && !own.some(({ key }) => key === 'type');
  const type: Entry[] = isCommand ? [{ key: 'type', at: item.at, value: { kind: 'scalar', at: item.at, value: 'command' } }] : [];
  const handler: MapNode = { ...item, entries: [...type, ...own.filter(({ key }) => key !== 'matcher')] };
  const matcher = own.filter(({ key }) => key === 'matcher');
  return { ...item, entries: [...matcher, { key: 'hooks', at: item.at, value: { kind: 'list', at: item.at, items: [handler] } }] };
}

/** `{"hooks": {"hooks": {…}}}` is one wrapper too many. */
function unwrapped(map: MapNode, terms: EventMapTerms, problems: Problems): Entry[] {
  const inner = entryOf(map, 'hooks');
  const own = map.entries.filter(({ key }) => key !== 'hooks' && !terms.otherKeys.has(key));
  if (!inner) return own;
  if (inner.value.kind !== 'map') {
    problems.report('error', 'wrong-type', inner.value.at, `\`hooks\` within \`hooks\` must be a map, found ${kindName(inner.value)}.`);
    return own;
  }
  reportLooseShape(problems, inner.at, '`hooks` stands within `hooks`.', 'Take one of them away.');
  return [...own, ...inner.value.entries.filter(({ key }) => key !== 'hooks' && !terms.otherKeys.has(key))];
}
