/** Reads an answer as the agent that receives it does. */

import type { Dialect } from '../core/contracts/dialect.ts';
import type { Hook } from '../core/contracts/hook.ts';
import type { DecisionKind } from '../core/decision/decision.ts';
import type { Fault, Reply } from '../core/decision/reply.ts';
import type { HookEvent } from '../core/event/event.ts';
import { interpret } from '../core/meaning/interpret.ts';
import type { EventRule } from '../core/meaning/profile.ts';

/** Returns the decision that the agent takes from the answer; undefined if it cannot read it. */
export function decisionIn(
  answer: Reply | Fault,
  event: string,
  rule: EventRule,
  dialect: Dialect,
  asked: HookEvent,
): DecisionKind | undefined {
  const hook: Hook = {
    ...{ id: 'answer', name: 'answer', dialect: dialect.id, event, when: [], handler: { type: 'command', config: {} } },
    ...{ timeoutMs: 30_000, priority: 0, detach: false, enabled: true, source: { file: '', scope: 'user' } },
  };
  const verdict = interpret(answer, hook, rule, dialect, asked);
  return 'decision' in verdict ? verdict.decision.kind : undefined;
}
