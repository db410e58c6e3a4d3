/** Warns of fields that a format does not have. */
import type { Entry, MapNode } from '../../core/values/document.ts';
import { isComment, type Problems } from '../../core/values/read-document.ts';
import { suggest } from '../../core/values/suggest.ts';

/**
 * @param place what the map is, for the message: `a handler`
 * @param consequence a sentence on what the agent itself does with such a field
 */
export function warnUnknown(map: MapNode, known: readonly string[], place: string, problems: Problems, consequence = ''): void {
  for (const { key, at } of map.entries) {
    // A comment key is not reported, unless the agent itself rejects unknown keys.
    if (known.includes(key) || (consequence === '' && isComment(key))) continue;
    const near = suggest(key, known);
    const hint = near ? `Did you mean \`${near}\`?` : `Known here: ${known.join(', ')}.`;
    const message = `There is no \`${key}\` in ${place}; it is ignored.`;
    problems.report('warning', 'unknown-field', at, consequence === '' ? message : `${message} ${consequence}`, hint);
  }
}

/** The same for the groups of an event that is written as a list of groups. */
export function warnUnknownInGroups({ value }: Entry, known: readonly string[], place: string, problems: Problems): void {
  if (value.kind !== 'list') return;
  for (const group of value.items) if (group.kind === 'map') warnUnknown(group, known, place, problems);
}
