/**
 * Facts that a payload has a field for and that the caller does not say: the agent that acts, and numbers that follow from the events of the
 * session. Events are noted only if a hook wants such a number. A number is left out if the events before it were not all seen.
 */
import type { EventKind, HookEvent } from '../../core/event/event.ts';
import { actingAgent } from '../../core/event/facet.ts';
import type { EventRule, SessionFact } from '../../core/meaning/profile.ts';
import { type Json, textOf } from '../../core/values/json.ts';
import type { SessionTrail, TrailStep } from '../ports.ts';

/** The events that numbers follow from. */
const STEPS: Partial<Readonly<Record<EventKind, TrailStep['what']>>> = {
  'session.start': 'start',
  'prompt.submit': 'prompt',
  'tool.before': 'tool',
  'subagent.before': 'subagent',
};

export function noteStep(trail: SessionTrail, { kind, session, at, data }: HookEvent): void {
  const what = STEPS[kind];
  const id = what === 'subagent' ? textOf(data['id']) : undefined;
  if (what) trail.add(session.id, { what, at: Date.parse(at), ...(id !== undefined && { id }) });
}

/** Returns the event with the facts that the hook's payload has a field for. It is the same event if there are none. */
export function withSessionFacts(event: HookEvent, { wants }: EventRule, trail: SessionTrail | undefined): HookEvent {
  const known: Record<string, Json> = {};
  const agent = event.data['agent'] === undefined ? actingAgent(event) : undefined;
  if (agent !== undefined) known['agent'] = agent;
  const missing = wants?.filter((fact) => event.data[fact] === undefined) ?? [];
  if (missing.length > 0 && trail) {
    const steps = trail.of(event.session.id);
    for (const fact of missing) {
      const value = FACTS[fact](steps, Date.parse(event.at), event);
      if (value !== undefined) known[fact] = value;
    }
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
    const start = id === undefined ? undefined : steps.findLast((step) => step.id === id);
    return start && Math.max(0, now - start.at);
  },
};

function count(steps: readonly TrailStep[], wanted: TrailStep['what']): number {
  return steps.filter(({ what }) => what === wanted).length;
}
