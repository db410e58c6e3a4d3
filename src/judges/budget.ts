/**
 * The budget of a session. Each question reserves its likely cost before it is sent, and settles it when the real cost is known, so two processes
 * cannot spend the same tokens. A question that never ends keeps its reservation.
 */
import type { Cost, Spending } from '../core/contracts/judge-memory.ts';
import type { JudgeLimits } from '../core/contracts/judge-settings.ts';
import { type Fault, fault } from '../core/decision/reply.ts';

export interface Reservation {
  settle(inputTokens: number, outputTokens: number): void;
}

export function costOf({ prices }: JudgeLimits, inputTokens: number, outputTokens: number): Cost {
  // A price for a million tokens is the price of one token in millionths.
  const micros = prices ? Math.ceil(inputTokens * prices.input + outputTokens * prices.output) : 0;
  return { tokens: inputTokens + outputTokens, micros };
}

/** Reserves the likely cost of one question, or returns why it may not be asked. */
export function reserve(spending: Spending, session: string | undefined, limits: JudgeLimits, likely: Cost): Reservation | Fault {
  const { budget } = limits;
  const problem = spending.add(session, likely);
  const sum = problem ?? spending.of(session);
  const refuse = (why: string): Fault => {
    if (problem === undefined) spending.add(session, { tokens: -likely.tokens, micros: -likely.micros });
    return fault('unavailable', why);
  };
  if (typeof sum === 'string') return refuse(`the cost of this session cannot be counted, so no model is asked: ${sum}`);
  if (sum.tokens > budget.tokens)
    return refuse(
      `the budget of this session is spent: ${sum.tokens - likely.tokens} of ${budget.tokens} tokens are used, and this question needs about ${likely.tokens}. ${RAISE}`,
    );
  if (budget.money !== undefined && sum.micros > budget.money * MICROS)
    return refuse(
      `the budget of this session is spent: ${amount(sum.micros - likely.micros)} of ${budget.money} are used, and this question costs about ${amount(likely.micros)}. ${RAISE}`,
    );
  return {
    settle(inputTokens, outputTokens) {
      const real = costOf(limits, inputTokens, outputTokens);
      spending.add(session, { tokens: real.tokens - likely.tokens, micros: real.micros - likely.micros });
    },
  };
}

export const MICROS = 1_000_000;
const RAISE = 'Raise `judge.budget`, or start a new session';

function amount(micros: number): string {
  return (micros / MICROS).toFixed(4);
}
