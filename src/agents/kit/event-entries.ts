/** Files that know one shape only: under `hooks` a list for each event. Any other shape is an error, and the rest still loads. */
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

export function eventLists(root: Node | undefined, { isEvent, example }: EventListTerms, complaints: Problems): readonly Entry[] {
  if (!root || isNothing(root)) return [];
  if (root.kind !== 'map') {
    problems.report('error', 'wrong-type', root.at, `The file must hold a map, found ${kindName(root)}.`, `Write \`${example}\`.`);
    return [];
  }
  const hooks = fieldOf(root, 'hooks');
  if (!hooks) {
    const stray = root.entries.find(({ key }) => isEvent(key));
    if (stray)
      problems.report('error', 'missing-field', stray.at, `\`${stray.key}\` stands outside of \`hooks\`.`, 'Put the events under `hooks`.');
    return [];
  }
  if (hooks.kind === 'map') return hooks.entries;
  if (!isNothing(hooks)) {
    const hint = 'Write one key for each event.';
    problems.report('error', 'wrong-type', hooks.at, `\`hooks\` must map events to lists, found ${kindName(hooks)}.`, hint);
  }
  return [];
}

export function listItems({ key, value }: Entry, { items }: EventListTerms, complaints: Problems): readonly Node[] {
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

/**
 * The event entries of a configuration file: the entries under `hooks`, in every shape people write. A file without `hooks` has no
 * entries, unless it has names of events instead.
 */

export interface EventMapTerms {
  isEvent(name: string): boolean;
  /** Keys that may be next to the events. */
  readonly beside: ReadonlySet<string>;
}

/** Every entry that could be an event, known or not. */
export function eventEntries({ root, diagnostics }: Document, terms: EventMapTerms, complaints: Problems): Entry[] {
  if (!root || (root.kind === 'scalar' && root.value === null)) return [];
  if (root.kind !== 'map') {
    // A file that could not be parsed is reported already.
    if (!diagnostics.some(({ severity }) => severity === 'error')) {
      problems.report('error', 'wrong-type', root.at, `The file must hold a map, found ${kindName(root)}.`, 'Begin with `{"hooks": {…}}`.');
    }
    return [];
  }
  const hooks = entryOf(root, 'hooks');
  if (hooks) return entriesIn(hooks.value, terms, problems);
  const astray = root.entries.filter(({ key }) => terms.isEvent(key));
  const [first] = astray;
  if (first)
    reportLooseShape(complaints, first.at, `\`${first.key}\` should stand under \`hooks\`.`, 'Put the events into `"hooks": {…}`.');
  return astray;
}

function entriesIn(node: Node, terms: EventMapTerms, complaints: Problems): Entry[] {
  if (node.kind === 'map') return unwrapped(node, terms, complaints);
  if (node.kind === 'scalar' && (node.value === null || node.value === false)) return [];
  if (node.kind === 'list' && node.items.every(({ kind }) => kind === 'map')) {
    if (node.items.length > 0)
      reportLooseShape(complaints, node.at, '`hooks` should be one map of events, found a list.', 'Make one map of it.');
    return node.items.flatMap((item) => (item.kind === 'map' ? unwrapped(item, terms, complaints) : []));
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

/** `{"hooks": {"hooks": {…}}}` is one wrapper too many. */
function unwrapped(map: MapNode, terms: EventMapTerms, complaints: Problems): Entry[] {
  const inner = entryOf(map, 'hooks');
  const own = map.entries.filter(({ key }) => key !== 'hooks' && !terms.beside.has(key));
  if (!inner) return own;
  if (inner.value.kind !== 'map') {
    problems.report('error', 'wrong-type', inner.value.at, `\`hooks\` within \`hooks\` must be a map, found ${kindName(inner.value)}.`);
    return own;
  }
  reportLooseShape(complaints, inner.at, '`hooks` stands within `hooks`.', 'Take one of them away.');
  return [...own, ...inner.value.entries.filter(({ key }) => key !== 'hooks' && !terms.beside.has(key))];
}
