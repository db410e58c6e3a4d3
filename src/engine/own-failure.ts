/** What comes of a bug of ours. */
import type { HookEvent } from '../core/event.ts';
import type { Outcome } from '../core/outcome.ts';
import { canBeDenied } from '../core/profile.ts';
import type { EngineContext } from './context.ts';

/** A bug of ours is neither a hook's no nor its consent: it denies where something could have been denied, and says whose fault it is. */
export function ownFailure(context: EngineContext, event: HookEvent, error: unknown): Outcome {
  const gates = canBeDenied(
    event.kind,
    context.ports.dialects.map(({ profile }) => profile),
  );
  const message = `Hookline itself failed: ${error instanceof Error ? error.message : String(error)}`;
  return {
    id: event.id,
    kind: event.kind,
    decision: gates ? 'deny' : 'pass',
    reason: gates ? message : null,
    context: [],
    contextSources: [],
    notices: [],
    quiet: false,
    unmatched: 0,
    hooks: [],
    diagnostics: [{ severity: 'error', code: 'internal', message, hint: 'This is a bug in Hookline, not in a hook. Please report it.' }],
  };
}
