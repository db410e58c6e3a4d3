/** One event for one hook, and the call that its handler gets of it. */
import type { Dialect } from '../core/dialect.ts';
import type { Environment } from '../core/environment.ts';
import type { HookEvent } from '../core/event.ts';
import type { Call } from '../core/handler.ts';
import type { HookFact } from '../core/hook.ts';
import type { Placed } from '../core/match.ts';
import { below } from '../core/nesting.ts';
import type { EngineContext } from './context.ts';

export interface Question {
  readonly placed: Placed;
  readonly dialect: Dialect;
  /** The event as this hook is shown it. */
  readonly view: HookEvent;
  /** The event as it was fired. */
  readonly original: HookEvent;
  readonly signal: AbortSignal | undefined;
  /** What its process sees, where that is not the environment of this one. */
  readonly environment: Environment | undefined;
}

/** The call a hook's handler gets: the event in the words of the hook's dialect. */
export function callFor({ settings, ports }: EngineContext, question: Question): Call {
  const { dialect, view, signal, environment } = question;
  const { hook } = question.placed;
  const call: { -readonly [K in keyof Call]: Call[K] } = {
    hook,
    payload: dialect.wire.encodeEvent(view, hook.event),
    event: view,
    ask: dialect.profile.ask,
    cwd: hook.cwd ?? view.session.cwd,
    timeoutMs: hook.timeoutMs,
    limits: settings.limits,
    permits: settings.permits,
    // A function starts nothing by itself, and must not cost more than it takes.
    nesting: hook.run ? settings.nesting : below(settings.nesting, ports.mark(hook.id)),
    signal,
  };
  // Assigned, not spread: this runs for every hook that is asked.
  if (hook.facts) call.variables = factsOf(hook.facts, settings.root, view);
  if (environment) call.environment = environment;
  return call;
}

function factsOf(facts: Readonly<Record<string, HookFact>>, root: string, view: HookEvent): Record<string, string> {
  return Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, fact === 'project' ? root : view.session.id]));
}
