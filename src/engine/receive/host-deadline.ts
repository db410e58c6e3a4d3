/** A host that waits only so long goes on without an answer: it is given one before that. */

import type { Host } from '../../core/contracts/host.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import type { EventRule } from '../../core/meaning/profile.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { protects } from '../answer/encode.ts';

/** The part of a host's patience that is kept for the start of a process and the way back. */
const RESERVE = 0.2;

export interface Patience {
  /** Aborted while the host still listens: hooks that have not answered by then can't consent. */
  readonly signal?: AbortSignal;
  /** It was answered. */
  end(): void;
}

export function patienceOf(host: Host, event: string): Patience {
  const waits = host.timeoutMs?.(event);
  if (waits === undefined) return ENDLESS;
  const giveUp = new AbortController();
  // Taken back once there is an answer: in a server they would otherwise pile up.
  const timer = setTimeout(() => giveUp.abort(), waits * (1 - RESERVE)).unref();
  return { signal: giveUp.signal, end: () => clearTimeout(timer) };
}

const ENDLESS: Patience = { end() {} };

/** Where a deny would only keep the agent working it is let go: hooks that are slow once are slow again. */
export function cutShort(outcome: Outcome, rule: EventRule, { title }: Host): Outcome {
  const message = `${title} waits no longer for an answer, and not all hooks had given theirs.`;
  const diagnostics: Diagnostic[] = [...outcome.diagnostics, { severity: 'warning', code: 'cut-short', message }];
  if (protects(rule)) return { ...outcome, diagnostics };
  const { continue: _, ...rest } = outcome;
  return { ...rest, decision: 'pass', reason: null, diagnostics };
}
