/** What came of one firing: the decision, the effects, and the ordered facts of who was asked and what each said. */

import type { Source } from '../contracts/hook.ts';
import type { SettledState } from '../contracts/store.ts';
import type { EventKind } from '../event/event.ts';
import type { Diagnostic } from '../values/diagnostic.ts';
import type { Json } from '../values/json.ts';
import type { ContextSource, DecisionKind, Effect } from './decision.ts';
import type { FaultKind } from './reply.ts';

export interface Outcome {
  readonly id: string;
  readonly kind: EventKind;
  readonly decision: DecisionKind;
  readonly reason: string | null;
  /** What replaces the tool input (object), or the prompt or message (text); absent if unchanged. */
  readonly rewrite?: Json;
  /** What the agent is to see in the place of what came back: the tool's output; absent if unchanged. */
  readonly replace?: Json;
  /** Text to add to the agent's context. */
  readonly context: readonly string[];
  /** Who gave each of these texts: as many, in the same order. */
  readonly contextSources: readonly ContextSource[];
  /** Text for the user. */
  readonly notices: readonly string[];
  /** The stop was denied: go on working, with this feedback. */
  readonly continue?: string;
  /** Stop the whole run. */
  readonly halt?: string;
  readonly quiet: boolean;
  /** With `hold`: what a person must settle before the action may run. */
  readonly ticket?: TicketRef;
  /** How a person settled it, where one did. Expiry is its own state: nobody denied it. */
  readonly approval?: Approval;
  /** Hooks of other events, or whose conditions did not hold. */
  readonly unmatched: number;
  /** Every hook that was asked or skipped, in order. */
  readonly hooks: readonly HookReport[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface TicketRef {
  readonly id: string;
  readonly expiresAt: string;
}

export interface Approval {
  readonly ticket: string;
  readonly state: SettledState;
  readonly by: string | null;
  readonly note: string | null;
  /** ISO 8601. */
  readonly at: string;
}

export type HookStatus = 'answered' | 'faulted' | 'skipped' | 'detached';

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
  /** What else it did: `rewrite`, `context`, … */
  readonly effects?: readonly Effect['kind'][];
  readonly fault?: { readonly kind: FaultKind; readonly detail: string };
  /** Why it was not asked. */
  readonly skip?: string;
  readonly exit?: number;
  readonly ms?: number;
  /** Its process was not started by this one, which is too large to do that quickly. */
  readonly started?: 'helper';
  /** What this hook was shown as input, if it differs from the original. */
  readonly input?: Json;
}
