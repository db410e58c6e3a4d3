/** The environment of a hook's process: what of ours it may see, then the hook's own variables, then how deep it is. */
import { type Environment, visibleEnvironment } from '../../core/environment.ts';
import type { Call, Permits } from '../../core/handler.ts';
import { nestingVariables } from '../../core/nesting.ts';
import type { Ask } from '../../core/profile.ts';

/** `variables` go before the hook's own; undefined takes a variable away. */
export function environmentOf(call: Call, variables: Environment): NodeJS.ProcessEnv {
  return { ...visibleTo(call), ...call.hook.env, ...call.variables, ...variables, ...nestingVariables(call.nesting) };
}

/** Sorted out once for an engine and a format: it costs more than a comparison, and a hook starts often. */
function visibleTo({ permits, ask: { command } }: Call): Environment {
  const byFormat = known.get(permits) ?? new WeakMap<Ask['command'], Environment>();
  const visible = byFormat.get(command) ?? visibleEnvironment(process.env, permits.environment, command.environment);
  known.set(permits, byFormat.set(command, visible));
  return visible;
}

const known = new WeakMap<Permits, WeakMap<Ask['command'], Environment>>();
