/** Decides which hooks apply. `holds` tests one hook and defines the result; `engine/select` builds an index that must agree with it. */

import type { Condition, Hook, PatternTest } from '../contracts/hook.ts';
import type { EventRule } from '../meaning/profile.ts';
import type { HookEvent } from './event.ts';
import { type Facet, facetValues } from './facet.ts';

/** A compiled pattern. It runs in linear time and never throws. */
export type Test = (value: string) => boolean;
/** Compiles a pattern that was checked before. */
export type Compile = (pattern: PatternTest) => Test;

/** A hook with the rule of its event and its position in the order of its set. */
export interface Placed {
  readonly hook: Hook;
  readonly rule: EventRule;
  /** Orders by lane, then by the dialect's own order. It is unique within a set. */
  readonly order: number;
  /** A model answers it, so it is asked after all others. */
  readonly judged?: true;
}

export interface HookIndex {
  /** Returns the hooks of an event, in order. */
  select(event: HookEvent): readonly Placed[];
  /** Whether the last selection took more than a look at names that were seen before, so that time has passed. */
  readonly searched: boolean;
}

/** Returns why a hook does not apply to an event, or undefined if it does. */
export function mismatch(placed: Placed, event: HookEvent, compile: Compile): string | undefined {
  const { hook, rule } = placed;
  if (!answersTo(placed, event))
    return `fires on ${hook.event}, not on ${event.native?.dialect === hook.dialect ? event.native.name : event.kind}`;
  if (!rule.kinds.includes(event.kind)) return `fires on ${hook.event}, not on ${event.kind}`;
  for (const condition of hook.when) {
    if (!holds(condition, facetValues(event, condition.facet), compile)) return whyNot(condition, event);
  }
  return undefined;
}

/** An event in a dialect's own format reaches, in that dialect, only the hooks of exactly this event. */
export function answersTo({ hook }: Placed, event: HookEvent): boolean {
  return event.native === undefined || event.native.dialect !== hook.dialect || event.native.name === hook.event;
}

/**
 * Tests a condition.
 * @param values the values of the condition's facet in this event
 */
export function holds({ test, missing }: Condition, values: readonly string[] | undefined, compile: Compile): boolean {
  if (values === undefined) return missing === 'holds';
  return test.kind === 'oneOf' ? values.some((value) => test.values.includes(value)) : values.some(compile(test));
}

const FACET_NAMES: Record<Facet, string> = {
  tool: 'tool',
  toolTail: 'tool',
  input: 'input',
  agent: 'agent',
  subagent: 'subagent',
  skill: 'skill',
  model: 'model',
  channel: 'channel',
  user: 'user',
  text: 'text',
  cause: 'cause',
  subject: 'subject',
  target: 'target',
};

function whyNot({ facet, test }: Condition, event: HookEvent): string {
  const name = FACET_NAMES[facet];
  const wanted =
    test.kind === 'oneOf' ? `one of ${test.values.join(', ')}` : `/${test.source}/${test.anchor === 'whole' ? ' as a whole' : ''}`;
  const values = facetValues(event, facet);
  if (values === undefined) return `requires ${name} to match ${wanted}, but this event has no ${name}`;
  const shown = facet === 'input' || facet === 'text' ? `the ${name}` : `${name} \`${values[0]}\``;
  return test.kind === 'oneOf' ? `${shown} is not ${wanted}` : `${shown} does not match ${wanted}`;
}
