/** What a matcher means, in a file as in code: a pattern searched for in what the event is about. */
import type { Condition } from '../../core/hook.ts';
import { type EventName, profile } from './profile.ts';

/** The condition a matcher puts on an event. */
export function matcherCondition(event: EventName, source: string, flags?: string): Condition {
  const { facet } = profile.events[event];
  const { anchor, missingFacet } = profile.match;
  return { facet: facet ?? 'agent', test: { kind: 'pattern', source, ...(flags && { flags }), anchor }, missing: missingFacet };
}
