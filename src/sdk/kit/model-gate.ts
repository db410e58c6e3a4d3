/** The gate that adapters put before a model. A call that cannot be checked is not made, and an answer that cannot be checked is withheld. */
import type { Hookline } from '../../api/hookline.ts';
import type { LlmPayload } from '../../core/event/payloads.ts';
import type { Json } from '../../core/values/json.ts';
import { type CallContext, callerOf, failure, fireContextOf, placeOf, type Refused } from './gate.ts';
import { heldText, refusalText, withheldText } from './texts.ts';

/** One call of a model. */
export interface ModelCall {
  readonly model: string;
  readonly messageCount: number;
  readonly toolCount: number;
  /** The messages, as JSON. */
  readonly input?: Json;
}

/** The model may be called. `context` has texts for it. */
export interface Permitted {
  readonly kind: 'call';
  readonly context: readonly string[];
}

/** An answer after the hooks have seen it. If it was withheld, nothing of it may be used: neither its text nor its tool calls. */
export interface ReviewedAnswer {
  readonly kind: 'unchanged' | 'replaced' | 'withheld';
  /** The text in place of the answer's own; absent if it is unchanged. */
  readonly text?: string;
  readonly halt?: string;
}

export interface ModelGate {
  /** Asks the hooks about a call. Never rejects. */
  before(call: ModelCall, context: CallContext): Promise<Permitted | Refused>;
  /** Shows the hooks an answer. Never rejects. */
  after(call: ModelCall, output: Json, context: CallContext): Promise<ReviewedAnswer>;
  /** Whether a hook may change the answer of this call, so that it must be complete before anyone sees it. Never rejects. */
  mayChange(call: ModelCall, context: CallContext): Promise<boolean>;
}

export function createModelGate(hookline: Pick<Hookline, 'fire' | 'plan'>): ModelGate {
  return {
    async before(call, context) {
      try {
        if (context.signal?.aborted) return refused('The run was aborted.');
        const outcome = await hookline.fire('llm.before', payloadOf(call, context), fireContextOf(context));
        const { decision, reason, rewrite, context: texts, halt, ticket } = outcome;
        if (halt !== undefined) return { ...refused(halt), halt };
        if (decision === 'deny') return refused(reason ?? NO_REASON);
        if (ticket) return { ...refused(reason ?? NO_REASON), text: heldText(ticket.id, reason ?? NO_REASON) };
        if (decision === 'ask') return refused(`${reason ?? NO_REASON} (A person must be asked, but no person can answer here.)`);
        if (rewrite !== undefined && rewrite !== call.model)
          return refused(`A hook chose the model ${String(rewrite)} instead of ${call.model}, and it cannot be changed here.`);
        return { kind: 'call', context: texts };
      } catch (error) {
        return refused(failure(error));
      }
    },
    async after(call, output, context) {
      try {
        const payload = { ...payloadOf(call, context), output };
        const { decision, reason, replace, halt } = await hookline.fire('llm.after', payload, placeOf(context));
        const ends = halt === undefined ? {} : { halt };
        if (decision !== 'pass' && decision !== 'allow') return { ...ends, kind: 'withheld', text: withheldText(reason ?? NO_REASON) };
        if (replace === undefined) return { ...ends, kind: 'unchanged' };
        return { ...ends, kind: 'replaced', text: typeof replace === 'string' ? replace : JSON.stringify(replace) };
      } catch (error) {
        return { kind: 'withheld', text: withheldText(failure(error)) };
      }
    },
    async mayChange(call, context) {
      try {
        const { hooks, denied } = await hookline.plan('llm.after', payloadOf(call, context), placeOf(context));
        return denied !== undefined || hooks.some(({ runs }) => runs);
      } catch {
        return true;
      }
    },
  };
}

const NO_REASON = 'A hook denied it and gave no reason.';

function payloadOf({ model, messageCount, toolCount, input }: ModelCall, context: CallContext): LlmPayload {
  return { model, messageCount, toolCount, ...(input !== undefined && { input }), ...callerOf(context) };
}

function refused(reason: string): Refused {
  return { kind: 'refuse', reason, text: refusalText(reason) };
}
