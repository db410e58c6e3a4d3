/** Hookline functions: the dialect alone. It has no files. */
import type { Agent } from '../../core/contracts/agent.ts';
import { dialect } from './dialect.ts';

export type { HookAnswer, HookDecision, HookEffects } from './answer.ts';

export const hookline: Agent = {
  id: dialect.id,
  title: dialect.title,
  dialect,
  places: [],
  host: null,
};
