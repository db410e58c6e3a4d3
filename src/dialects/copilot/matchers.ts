/** What a matcher looks at, by the rules of the event's spelling: a pattern that fits the whole value, or in PascalCase first a list of names. */
import type { LoadContext } from '../../core/dialect.ts';
import type { Condition } from '../../core/hook.ts';
import { type Complaints, isUsable } from '../../core/loading.ts';
import type { FoundMatcher } from '../../core/matcher-groups.ts';
import { isPascal, profile } from './profile.ts';
import { namesOf } from './tool-names.ts';

/** Undefined if the matcher can't be used: its hooks are not loaded, because nobody knows what they are for. */
export function conditionsFor(
  event: string,
  matcher: FoundMatcher | undefined,
  context: LoadContext,
  complaints: Complaints,
): readonly Condition[] | undefined {
  // quirk star-is-everything
  if (!matcher || matcher.source === '*' || matcher.source === '**') return [];
  const { source, at } = matcher;
  const facet = profile.events[event]?.facet ?? null;
  const { anchor, missingFacet: missing } = profile.match;
  if (facet === null) {
    complaints.say('warning', 'matcher-ignored', at, `\`${event}\` looks at no matcher: its hooks always fire.`, 'Remove it.');
    return [];
  }
  // quirk claude-names
  if (isPascal(event) && facet === 'tool' && /^[\w|]+$/.test(source)) {
    const values = source.split('|').flatMap(namesOf);
    return [{ facet, test: { kind: 'oneOf', values: [...new Set(values)] }, missing }];
  }
  if (!isUsable(matcher, context.checkPattern(source), complaints)) return undefined;
  warnNever(matcher, complaints);
  return [{ facet, test: { kind: 'pattern', source, anchor }, missing }];
}

/** What other agents write in a matcher, and what is here a pattern that no name fits. */
function warnNever({ source, at }: FoundMatcher, complaints: Complaints): void {
  const hint = /^\w+\(.+\)$/.test(source)
    ? 'A matcher sees the name of the tool and not what it does: let the hook look at the input.'
    : source.includes(',') && !/[[{(]/.test(source)
      ? `Write \`${source.split(/\s*,\s*/).join('|')}\`.`
      : undefined;
  if (hint !== undefined) complaints.say('warning', 'matcher-never-fires', at, `Nothing has a name that \`${source}\` matches.`, hint);
}
