/** What a matcher looks at: the name of a tool by a regular expression, what brought an event about by the exact word, elsewhere nothing. */
import type { LoadContext } from '../../core/dialect.ts';
import type { Condition } from '../../core/hook.ts';
import { type Complaints, isUsable } from '../../core/loading.ts';
import type { FoundMatcher } from '../../core/matcher-groups.ts';
import { type EventName, profile } from './profile.ts';

/** Undefined if the matcher can't be used: its hooks are not loaded, because nobody knows what they are for. */
export function conditionsFor(
  event: EventName,
  matcher: FoundMatcher | undefined,
  context: LoadContext,
  complaints: Complaints,
): readonly Condition[] | undefined {
  if (!matcher || matcher.source === '*') return [];
  const { source, at } = matcher;
  const { facet } = profile.events[event];
  const missing = profile.match.missingFacet;
  if (facet === null) {
    complaints.say(
      'warning',
      'matcher-ignored',
      at,
      `\`${event}\` has nothing a matcher could look at: its hooks always fire.`,
      'Remove it.',
    );
    return [];
  }
  if (facet === 'cause') return [{ facet, test: { kind: 'oneOf', values: [source] }, missing }];
  if (!isRegExp(source)) {
    // quirk broken-pattern-is-a-name
    const what = `\`${source}\` is no regular expression, so it is taken for the name of one tool.`;
    complaints.say('warning', 'bad-pattern', at, what, 'Mend the pattern, or leave it out to match every tool.');
    return [{ facet, test: { kind: 'oneOf', values: [source] }, missing }];
  }
  if (!isUsable(matcher, context.checkPattern(source), complaints)) return undefined;
  warnNever(matcher, complaints);
  return [{ facet, test: { kind: 'pattern', source, anchor: profile.match.anchor }, missing }];
}

/** What other agents write in a matcher, and what is here a pattern that no tool's name fits. */
function warnNever({ source, at }: FoundMatcher, complaints: Complaints): void {
  const hint = /^\w+\(.+\)$/.test(source)
    ? 'A matcher sees the name of the tool and not what it does: let the hook look at the input.'
    : source.includes(',') && !/[[{(]/.test(source)
      ? `Write \`${source.split(/\s*,\s*/).join('|')}\`.`
      : undefined;
  if (hint !== undefined) complaints.say('warning', 'matcher-never-fires', at, `No tool has a name that \`${source}\` matches.`, hint);
}

function isRegExp(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}
