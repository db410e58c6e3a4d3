/** Decisions form a lattice by severity: pass < allow < ask < hold < deny. Pass is "no opinion", never an allow. */
import type { Scope } from '../contracts/hook.ts';
import type { Json } from '../values/json.ts';

export type Decision =
  | { readonly kind: 'pass' }
  | { readonly kind: 'allow'; readonly reason?: string }
  | { readonly kind: 'ask'; readonly reason: string }
  | { readonly kind: 'hold'; readonly reason: string; readonly state?: Json }
  | { readonly kind: 'deny'; readonly reason: string };

export type DecisionKind = Decision['kind'];

export type Effect =
  | { readonly kind: 'rewrite'; readonly value: Json }
  | { readonly kind: 'context'; readonly text: string; readonly at?: 'start' | 'end'; readonly from?: ContextSource }
  | { readonly kind: 'notice'; readonly text: string }
  | { readonly kind: 'replace'; readonly value: Json }
  | { readonly kind: 'continue'; readonly with: string }
  | { readonly kind: 'halt'; readonly reason: string }
  | { readonly kind: 'quiet' };

/** The hook whose text goes into the agent's context. */
export interface ContextSource {
  /** The hook's id. */
  readonly hook: string;
  readonly name: string;
  readonly dialect: string;
  readonly scope: Scope;
  /** The other hooks, if the format joins the texts of several hooks into one. */
  readonly also?: readonly ContextSource[];
}

/** The decision and the effects that one hook returns. */
export interface Verdict {
  readonly decision: Decision;
  readonly effects: readonly Effect[];
  /** A note for the log, which changes nothing. */
  readonly log?: string;
}

/** A decision or effect that an event permits. */
export type Grant = Exclude<DecisionKind, 'pass'> | Effect['kind'];

export const PASS: Decision = { kind: 'pass' };
export const NO_OPINION: Verdict = { decision: PASS, effects: [] };

const SEVERITY: Record<DecisionKind, number> = { pass: 0, allow: 1, ask: 2, hold: 3, deny: 4 };

export function severity(decision: Decision): number {
  return SEVERITY[decision.kind];
}

/** Returns the more severe of two decisions, or the first one if they are equal, so that the earliest reason is kept. */
export function join(first: Decision, second: Decision): Decision {
  return severity(second) > severity(first) ? second : first;
}

export function reasonOf(decision: Decision): string | null {
  return decision.kind === 'pass' ? null : (decision.reason ?? null);
}

/** Whether the decision asks for a person and nothing more. */
export function asksPerson({ decision }: Verdict): boolean {
  return decision.kind === 'hold' || decision.kind === 'ask';
}

/** Reduces a verdict to the decision and effects that the event grants, and names the parts that were dropped. */
export function limit(verdict: Verdict, grants: readonly Grant[]): { readonly verdict: Verdict; readonly dropped: readonly Grant[] } {
  const { decision, effects } = verdict;
  const decisionHolds = decision.kind === 'pass' || grants.includes(decision.kind);
  if (decisionHolds && effects.every((effect) => grants.includes(effect.kind))) return { verdict, dropped: [] };
  const kept = effects.filter((effect) => grants.includes(effect.kind));
  const dropped = effects.filter((effect) => !grants.includes(effect.kind)).map((effect): Grant => effect.kind);
  if (!decisionHolds) dropped.unshift(decision.kind as Grant);
  return { verdict: { decision: decisionHolds ? decision : PASS, effects: kept }, dropped };
}
