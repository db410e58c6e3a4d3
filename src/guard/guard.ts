/**
 * The guard's verdict on one command. A preset maps each severity to a decision. The guard never allows an action: at best it has no
 * objection.
 */
import { judgeShell } from './judge-shell.ts';
import type { GuardOptions, GuardVerdict } from './verdict.ts';

export type { GuardDecision, GuardFinding, GuardOptions, GuardVerdict, Preset } from './verdict.ts';

/** Judges one command. Never throws, even if a caller without types passes something else. */
export function guardCommand(command: string, options: GuardOptions = {}): GuardVerdict {
  return judgeShell(command, options ?? {}).verdict;
}
