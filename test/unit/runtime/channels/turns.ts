/** Turns and an agent as channels see them. */
import type { LivingAgent, Turn } from '../../../../src/runtime/contract.ts';

export function turn(more: Partial<Turn> = {}): Turn {
  return { session: 's', status: 'done', text: '', reason: null, held: [], steps: 1, notices: [], saved: true, sent: false, ...more };
}

export const noAgent = {
  resume: () => Promise.reject(new Error('not expected')),
} as unknown as LivingAgent;
