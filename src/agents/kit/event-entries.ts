/**
 * The event entries of a configuration file: what stands under `hooks`, in every shape people write it in. A file that has no `hooks` has no
 * entries, unless names of events stand in its place.
 */
import { type Document, type Entry, entryOf, kindName, type MapNode, type Node } from './document.ts';
import type { Complaints } from './loading.ts';
import { sayLoose } from './matcher-groups.ts';

export interface EventMapTerms {
  isEvent(name: string): boolean;
  /** Keys beside the events that are no mistake. */
  readonly beside: ReadonlySet<string>;
}

/** Every entry that could be an event, known or not. */
export function eventEntries({ root, diagnostics }: Document, terms: EventMapTerms, complaints: Complaints): Entry[] {
  if (!root || (root.kind === 'scalar' && root.value === null)) return [];
  if (root.kind !== 'map') {
    // A file that could not be parsed has said so already.
    if (!diagnostics.some(({ severity }) => severity === 'error')) {
      complaints.say('error', 'wrong-type', root.at, `The file must hold a map, found ${kindName(root)}.`, 'Begin with `{"hooks": {…}}`.');
    }
    return [];
  }
  const hooks = entryOf(root, 'hooks');
  if (hooks) return entriesIn(hooks.value, terms, complaints);
  const astray = root.entries.filter(({ key }) => terms.isEvent(key));
  const [first] = astray;
  if (first) sayLoose(complaints, first.at, `\`${first.key}\` should stand under \`hooks\`.`, 'Put the events into `"hooks": {…}`.');
  return astray;
}

function entriesIn(node: Node, terms: EventMapTerms, complaints: Complaints): Entry[] {
  if (node.kind === 'map') return unwrapped(node, terms, complaints);
  if (node.kind === 'scalar' && (node.value === null || node.value === false)) return [];
  if (node.kind === 'list' && node.items.every(({ kind }) => kind === 'map')) {
    if (node.items.length > 0) sayLoose(complaints, node.at, '`hooks` should be one map of events, found a list.', 'Make one map of it.');
    return node.items.flatMap((item) => (item.kind === 'map' ? unwrapped(item, terms, complaints) : []));
  }
  const hint = 'Write one key for each event: `"hooks": {"PreToolUse": […]}`.';
  complaints.say(
    'error',
    'wrong-type',
    node.at,
    `\`hooks\` must map events to groups, found ${kindName(node)}; no other file is read.`,
    hint,
  );
  return [];
}

/** `{"hooks": {"hooks": {…}}}` is one wrapper too many. */
function unwrapped(map: MapNode, terms: EventMapTerms, complaints: Complaints): Entry[] {
  const inner = entryOf(map, 'hooks');
  const own = map.entries.filter(({ key }) => key !== 'hooks' && !terms.beside.has(key));
  if (!inner) return own;
  if (inner.value.kind !== 'map') {
    complaints.say('error', 'wrong-type', inner.value.at, `\`hooks\` within \`hooks\` must be a map, found ${kindName(inner.value)}.`);
    return own;
  }
  sayLoose(complaints, inner.at, '`hooks` stands within `hooks`.', 'Take one of them away.');
  return [...own, ...inner.value.entries.filter(({ key }) => key !== 'hooks' && !terms.beside.has(key))];
}
