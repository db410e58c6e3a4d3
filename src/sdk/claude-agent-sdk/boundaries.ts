/** Prompts, stops, subagents and compactions of the Claude Agent SDK, as events of Hookline. A prompt that cannot be checked is not sent. */
import type { Hookline } from '../../api/hookline.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import { type CallContext, callerOf, failure, fireContextOf } from '../kit/gate.ts';
import { heldText } from '../kit/texts.ts';
import type { ToolCallbacks } from './tools.ts';
import { type Callback, type ClaudeEvent, contextOf, ended, type Input, type Output } from './wire.ts';

type Boundary = Exclude<ClaudeEvent, 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure'>;

/** @param firstContext texts for the first prompt of the session */
export function boundaryCallbacks(
  hookline: Hookline,
  contextFor: (input: Input, signal?: AbortSignal) => CallContext,
  tools: Pick<ToolCallbacks, 'begin' | 'denyAgent'>,
  firstContext: readonly string[],
): Record<Boundary, Callback> {
  let waiting = firstContext;
  /** How many times in a row a hook has sent the agent back. */
  let continuations = 0;
  return {
    async UserPromptSubmit(input, _, { signal }) {
      tools.begin();
      continuations = 0;
      try {
        const { prompt = '' } = input;
        const context = contextFor(input, signal);
        const outcome = await hookline.fire('prompt.submit', { prompt, ...callerOf(context) }, fireContextOf(context));
        const reason = objection(outcome, prompt);
        if (reason !== undefined) return { decision: 'block', reason, ...ended(outcome.halt) };
        const texts = [...waiting, ...outcome.context];
        waiting = [];
        return { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', ...contextOf(texts) } };
      } catch (error) {
        return { decision: 'block', reason: failure(error) };
      }
    },
    async Stop(input) {
      const context = contextFor(input);
      const { last_assistant_message: message } = input;
      const payload = { continuations, ...(message !== undefined && { message }), ...callerOf(context) };
      // An agent whose stop cannot be checked stops: otherwise it would never end.
      const outcome = await hookline.fire('stop.before', payload, fireContextOf(context)).catch(() => undefined);
      if (outcome?.halt !== undefined) return ended(outcome.halt);
      const feedback = outcome?.continue ?? (outcome?.decision === 'deny' ? outcome.reason : undefined);
      if (feedback === undefined) return {};
      continuations += 1;
      return { decision: 'block', reason: feedback };
    },
    async SubagentStart(input, _, { signal }) {
      const { agent_id = '', agent_type } = input;
      const deny = (reason: string): Output => {
        tools.denyAgent(agent_id, reason);
        return {
          hookSpecificOutput: { hookEventName: 'SubagentStart', additionalContext: `You may not call any tool. Reason: ${reason}` },
        };
      };
      try {
        const outcome = await hookline.fire('subagent.before', subagent(input), fireContextOf(contextFor(input, signal)));
        const { decision, reason, halt, context } = outcome;
        if (halt !== undefined) return { ...deny(halt), ...ended(halt) };
        if (decision !== 'pass' && decision !== 'allow') return deny(`The subagent ${agent_type ?? ''} was denied. ${reason}`);
        return { hookSpecificOutput: { hookEventName: 'SubagentStart', ...contextOf(context) } };
      } catch (error) {
        return deny(failure(error));
      }
    },
    async SubagentStop(input) {
      const { last_assistant_message: result } = input;
      const payload = { ...subagent(input), success: true, ...(result !== undefined && { result }) };
      const outcome = await hookline.fire('subagent.after', payload, fireContextOf(contextFor(input))).catch(() => undefined);
      return ended(outcome?.halt);
    },
    async PreCompact(input) {
      const context = contextFor(input);
      const payload = { ...(input.trigger !== undefined && { reason: input.trigger }), ...callerOf(context) };
      const outcome = await hookline.fire('compact.before', payload, fireContextOf(context)).catch(() => undefined);
      return ended(outcome?.halt);
    },
  };

  function subagent(input: Input) {
    const { agent_id: id, agent_type: type } = input;
    return { ...callerOf(contextFor(input)), ...(id !== undefined && { id }), ...(type !== undefined && { type, name: type }) };
  }
}

/** Returns why a prompt is not sent. */
function objection({ decision, reason, rewrite, ticket, halt }: Outcome, prompt: string): string | undefined {
  if (halt !== undefined) return halt;
  if (ticket) return heldText(ticket.id, reason ?? '');
  if (decision === 'deny' || decision === 'ask') return reason ?? 'A hook denied it and gave no reason.';
  return rewrite === undefined || rewrite === prompt
    ? undefined
    : 'A hook rewrote this prompt, but the Claude Agent SDK cannot send another one.';
}
