/** The outcome of one firing: the decision, the effects, and in order each hook that was asked and what it replied. */

import type { Source } from '../contracts/hook.ts';
import type { JudgeNote } from '../contracts/judge.ts';
import type { SettledState } from '../contracts/store.ts';
import type { EventKind } from '../event/event.ts';
import type { Who } from '../record/who.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import type { Json } from '../values/json.ts';
import type { ContextSource, DecisionKind, Effect } from './decision.ts';
import type { FaultKind } from './reply.ts';

export interface Outcome {
  readonly id: string;
  readonly kind: EventKind;
  readonly decision: DecisionKind;
  readonly reason: string | null;
  /** Replaces the tool input (object), or the prompt or message (text); absent if unchanged. */
  readonly rewrite?: Json;
  /** Shown to the agent instead of the tool's output; absent if unchanged. */
  readonly replace?: Json;
  /** Text to add to the agent's context. */
  readonly context: readonly string[];
  /** The source of each of these texts: the same number, in the same order. */
  readonly contextSources: readonly ContextSource[];
  /** Text for the user. */
  readonly notices: readonly string[];
  /** The stop was denied, so the agent continues working with this feedback. */
  readonly continue?: string;
  /** Stop the whole run. */
  readonly halt?: string;
  readonly quiet: boolean;
  /** With `hold`: the ticket that a person must settle before the action may run. */
  readonly ticket?: TicketRef;
  /** How a person settled it, if one did. An expired ticket has a state of its own, because no person denied it. */
  readonly approval?: Approval;
  /** The grants that answered the hooks that asked for a person; absent if none did. */
  readonly grants?: readonly GrantRef[];
  /** With the end of a background hook: the decision that started it. The outcome itself decides nothing. */
  readonly lateOf?: string;
  /** How many hooks belong to other events or have conditions that did not hold. */
  readonly unmatched: number;
  /** Every hook that was asked or skipped, in order. */
  readonly hooks: readonly HookReport[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The outcome as a caller gets it: each decision has the fields that belong to it. */
export type DecidedOutcome = Omit<Outcome, 'decision' | 'reason' | 'ticket'> &
  (
    | { readonly decision: 'pass'; readonly reason: null; readonly ticket?: never }
    | { readonly decision: 'allow'; readonly reason: string | null; readonly ticket?: never }
    | { readonly decision: 'ask' | 'deny'; readonly reason: string; readonly ticket?: never }
    | { readonly decision: 'hold'; readonly reason: string; readonly ticket: TicketRef }
  );

export interface TicketRef {
  readonly id: string;
  readonly expiresAt: string;
}

export interface Approval {
  readonly ticket: string;
  readonly state: SettledState;
  /** The name that the person gave, or the name of their account. */
  readonly by: string | null;
  /** The account that settled it, as it was found out. */
  readonly who?: Who;
  /** It was approved for anyone who takes the same action. */
  readonly anyone?: true;
  readonly note: string | null;
  /** ISO 8601. */
  readonly at: string;
}

/** An approval for more than one action, which was used for this one. */
export interface GrantRef {
  readonly id: string;
  readonly by: string | null;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** The state that a hook suspended an action with. */
export interface PendingState {
  /** The name of the hook. */
  readonly hook: string;
  readonly state: Json;
}

export function pendingStates(reports: readonly HookReport[]): readonly PendingState[] {
  return reports.flatMap(({ name, state }) => (state === undefined ? [] : [{ hook: name, state }]));
}

export type HookStatus = 'answered' | 'faulted' | 'skipped' | 'detached';

/** The verdict of a hook in shadow, which changed nothing. */
export interface ShadowVerdict {
  readonly decision: DecisionKind;
  readonly reason?: string;
  readonly effects?: readonly Effect['kind'][];
}

export interface HookReport {
  readonly id: string;
  readonly name: string;
  readonly dialect: string;
  readonly event: string;
  readonly handler: string;
  readonly source: Source;
  readonly status: HookStatus;
  readonly decision?: DecisionKind;
  readonly reason?: string;
  /** With a `hold`: the state that the hook suspended the action with. */
  readonly state?: Json;
  /** The effects it had: `rewrite`, `context`, … */
  readonly effects?: readonly Effect['kind'][];
  readonly fault?: { readonly kind: FaultKind; readonly detail: string };
  /** The hook is in shadow: its verdict if it counted. */
  readonly wouldHave?: ShadowVerdict;
  /** Why it was not asked. */
  readonly skip?: string;
  readonly exit?: number;
  readonly ms?: number;
  /** A note that its reply asks to keep in the log. */
  readonly log?: string;
  /** The output of a background hook or of a hook in a worker. Long text is cut. */
  readonly stdout?: string;
  /** Another process started it, because this one is too large to start processes quickly. */
  readonly started?: 'helper';
  /** Its output on stderr, unless that is its reason or its fault. Long text is cut. */
  readonly stderr?: string;
  /** The model that answered it, and what that cost. */
  readonly judge?: JudgeNote;
  /** The input that this hook was shown, if it differs from the original. */
  readonly input?: Json;
}
