/** Files that know one shape only: under `hooks` a list for each event. What has another is an error, and the rest still loads. */
import { type Entry, fieldOf, kindName, type Node } from './document.ts';
import type { Complaints } from './loading.ts';

export interface EventListTerms {
  isEvent(name: string): boolean;
  /** How such a file begins, for whoever wrote another. */
  readonly example: string;
  /** What stands in a list. */
  readonly items: string;
}

export function eventLists(root: Node | undefined, { isEvent, example }: EventListTerms, complaints: Complaints): readonly Entry[] {
  if (!root || isNothing(root)) return [];
  if (root.kind !== 'map') {
    complaints.say('error', 'wrong-type', root.at, `The file must hold a map, found ${kindName(root)}.`, `Write \`${example}\`.`);
    return [];
  }
  const hooks = fieldOf(root, 'hooks');
  if (!hooks) {
    const stray = root.entries.find(({ key }) => isEvent(key));
    if (stray)
      complaints.say('error', 'missing-field', stray.at, `\`${stray.key}\` stands outside of \`hooks\`.`, 'Put the events under `hooks`.');
    return [];
  }
  if (hooks.kind === 'map') return hooks.entries;
  if (!isNothing(hooks)) {
    const hint = 'Write one key for each event.';
    complaints.say('error', 'wrong-type', hooks.at, `\`hooks\` must map events to lists, found ${kindName(hooks)}.`, hint);
  }
  return [];
}

export function listItems({ key, value }: Entry, { items }: EventListTerms, complaints: Complaints): readonly Node[] {
  if (value.kind === 'list') return value.items;
  if (!isNothing(value)) {
    const hint = `Write \`"${key}": [{"command": "…"}]\`.`;
    complaints.say('error', 'wrong-type', value.at, `\`${key}\` must be a list of ${items}, found ${kindName(value)}.`, hint);
  }
  return [];
}

export function isNothing(node: Node): boolean {
  return node.kind === 'scalar' && node.value === null;
}
