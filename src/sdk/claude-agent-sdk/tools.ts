/**
 * The tools of an agent of the Claude Agent SDK behind the hooks. A callback that throws lets the tool run, so these never reject. The SDK calls
 * back again for a call that it resumes: its ticket then decides, and an open one defers it again.
 */
import type { Hookline } from '../../api/hookline.ts';
import { type CallContext, createGate, type Held, type Verdict } from '../kit/gate.ts';
import { heldText, refusalText } from '../kit/texts.ts';
import { replacedOutput, shownOutput } from './output.ts';
import { type Callback, contextOf, denied, ended, type Input, type Output } from './wire.ts';

export interface ToolCallbacks {
  readonly before: Callback;
  readonly after: Callback;
  readonly failed: Callback;
  /** A new prompt begins: no call of it is deferred. */
  begin(): void;
  /** Denies every call of this subagent, because the SDK has no way to stop it from starting. */
  denyAgent(id: string, reason: string): void;
}

/** @param contextFor the context of a callback */
export function toolCallbacks(hookline: Hookline, contextFor: (input: Input, signal?: AbortSignal) => CallContext): ToolCallbacks {
  const gate = createGate(hookline);
  const deniedAgents = new Map<string, string>();
  /** The SDK keeps one deferred call of a step and loses the others. */
  let deferred: string | undefined;

  const held = async ({ ticket, reason }: Held, { agent_id, tool_use_id }: Input): Promise<Output> => {
    // The end of a subagent loses its deferred call. The model may make it again: the approval counts for the same input.
    if (agent_id !== undefined) return denied(heldText(ticket.id, reason));
    if (deferred !== undefined && deferred !== tool_use_id) {
      await hookline.approvals.withdraw(ticket.id, { note: 'Another call of this step waits for a person.' }).catch(() => undefined);
      return denied(
        `This call did not run: a person must approve it, and another call of this step waits already. Reason: ${reason} Make it again later.`,
      );
    }
    deferred = tool_use_id;
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'defer',
        permissionDecisionReason: heldText(ticket.id, reason),
      },
    };
  };
  const answer = (verdict: Exclude<Verdict, Held>, input: Input): Output => {
    if (deferred === input.tool_use_id) deferred = undefined;
    if (verdict.kind === 'refuse') return { ...denied(verdict.text), ...ended(verdict.halt) };
    return {
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        // Without an objection the permissions of the SDK decide as usual.
        ...(verdict.isAllowed && { permissionDecision: 'allow' as const }),
        ...(verdict.input !== input.tool_input && { updatedInput: verdict.input as Record<string, unknown> }),
        ...contextOf(verdict.context),
      },
    };
  };
  return {
    async before(input, _, { signal }) {
      const { tool_name = '', tool_input, tool_use_id = null, agent_id } = input;
      const reason = agent_id === undefined ? undefined : deniedAgents.get(agent_id);
      if (reason !== undefined) return denied(refusalText(reason));
      const call = { tool: tool_name, input: tool_input, id: agent_id === undefined ? tool_use_id : null };
      const verdict = await gate.before(call, contextFor(input, signal));
      return verdict.kind === 'hold' ? held(verdict, input) : answer(verdict, input);
    },
    async after(input) {
      const { tool_name = '', tool_input, tool_use_id = null, tool_response } = input;
      const call = { tool: tool_name, input: tool_input, id: tool_use_id };
      const { result, isReplaced, context, halt } = await gate.after(call, shownOutput(tool_response), contextFor(input));
      const added = contextOf(context);
      if (!isReplaced) return { ...ended(halt), hookSpecificOutput: { hookEventName: 'PostToolUse', ...added } };
      const replaced = replacedOutput(tool_name, tool_response, result);
      if (!replaced) return ended(halt ?? `The result of ${tool_name} may not be shown, and Claude Code cannot replace it.`);
      return { ...ended(halt), hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: replaced.output, ...added } };
    },
    async failed(input) {
      const { tool_name = '', tool_input, tool_use_id = null, error } = input;
      await gate.failed({ tool: tool_name, input: tool_input, id: tool_use_id }, error, contextFor(input));
      return {};
    },
    begin() {
      deferred = undefined;
    },
    denyAgent: (id, reason) => void deniedAgents.set(id, reason),
  };
}
