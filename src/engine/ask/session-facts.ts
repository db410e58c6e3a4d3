/**
 * Facts that a payload has a field for and that the caller does not say: the agent that acts, and numbers that follow from the events of the
 * session. Events are noted only if a hook wants such a number. A number is left out if the events before it were not all seen.
 */
import type { EventKind, HookEvent } from '../../core/event/event.ts';
import { actingAgent } from '../../core/event/facet.ts';
import { type EventRule, type SessionFact, TRAIL_OF, type TrailName } from '../../core/meaning/profile.ts';
import { type Json, textOf } from '../../core/values/json.ts';
import type { SessionTrail, TrailStep } from '../ports.ts';
import { depthOf, subagentStep } from './subagent-depth.ts';

/** The events that numbers follow from. The start of a session shows that all of them were seen. */
const STEPS: Readonly<Record<TrailName, Partial<Readonly<Record<EventKind, (event: HookEvent) => TrailStep>>>>> = {
  work: { 'session.start': stepOf('start'), 'prompt.submit': stepOf('prompt'), 'tool.before': stepOf('tool') },
  subagents: { 'session.start': stepOf('start'), 'subagent.before': subagentStep },
};

function stepOf(what: TrailStep['what']): (event: HookEvent) => TrailStep {
  return ({ at }) => ({ what, at: Date.parse(at) });
}

type Trails = Readonly<Record<TrailName, SessionTrail>>;

export function noteStep(trails: Trails, wanted: ReadonlySet<TrailName>, event: HookEvent): void {
  for (const name of wanted) {
    const step = STEPS[name][event.kind]?.(event);
    if (step) trails[name].add(event.session.id, step);
  }
}

/** Returns the event with the facts that the hook's payload has a field for. It is the same event if there are none. */
export function withSessionFacts(event: HookEvent, { wants }: EventRule, trails: Trails | undefined): HookEvent {
  const known: Record<string, Json> = {};
  const agent = event.data['agent'] === undefined ? actingAgent(event) : undefined;
  if (agent !== undefined) known['agent'] = agent;
  const read: Partial<Record<TrailName, readonly TrailStep[]>> = {};
  for (const fact of wants ?? []) {
    if (event.data[fact] !== undefined || !trails) continue;
    const name = TRAIL_OF[fact];
    read[name] ??= trails[name].of(event.session.id);
    const value = FACTS[fact](read[name], Date.parse(event.at), event);
    if (value !== undefined) known[fact] = value;
  }
  return Object.keys(known).length === 0 ? event : { ...event, data: { ...known, ...event.data } };
}

type Count = (steps: readonly TrailStep[], now: number, event: HookEvent) => number | undefined;

const FACTS: Readonly<Record<SessionFact, Count>> = {
  durationSeconds: ([first], now) => (first?.what === 'start' ? Math.max(0, Math.round((now - first.at) / 1000)) : undefined),
  totalSteps: (steps) => (steps[0]?.what === 'start' ? count(steps, 'tool') : undefined),
  turnCount: (steps) => (steps[0]?.what === 'start' ? count(steps, 'prompt') : undefined),
  stepCount: (steps) => {
    const turn = steps.findLastIndex(({ what }) => what === 'prompt');
    return turn < 0 ? undefined : count(steps.slice(turn), 'tool');
  },
  durationMs: (steps, now, { data }) => {
    const id = textOf(data['id']);
    const start = id === undefined ? undefined : steps.findLast((step) => step.what === 'subagent' && step.id === id);
    return start && Math.max(0, now - start.at);
  },
  depth: (steps, _now, event) => depthOf(steps, event),
};

function count(steps: readonly TrailStep[], wanted: TrailStep['what']): number {
  return steps.filter(({ what }) => what === wanted).length;
}
