/** The environment of a hook's process: what it may see of ours, or of whoever fired the event, then the hook's own variables, then how deep it is. */
import { type Environment, visibleEnvironment } from '../../core/environment.ts';
import type { Call, Permits } from '../../core/handler.ts';
import { nestingVariables } from '../../core/nesting.ts';
import type { Ask } from '../../core/profile.ts';

/** `variables` go before the hook's own; undefined takes a variable away. */
export function environmentOf(call: Call, variables: Environment): NodeJS.ProcessEnv {
  return { ...visibleTo(call), ...call.hook.env, ...call.variables, ...variables, ...nestingVariables(call.nesting) };
}

/** Sorted out once for an environment, an engine and a format: it costs more than a comparison, and a hook starts often. */
function visibleTo({ environment = process.env, permits, ask: { command } }: Call): Environment {
  const byEngine = known.get(environment) ?? new WeakMap<Permits, WeakMap<Ask['command'], Environment>>();
  const byFormat = byEngine.get(permits) ?? new WeakMap<Ask['command'], Environment>();
  const visible = byFormat.get(command) ?? visibleEnvironment(environment, permits.environment, command.environment);
  known.set(environment, byEngine.set(permits, byFormat.set(command, visible)));
  return visible;
}

const known = new WeakMap<Environment, WeakMap<Permits, WeakMap<Ask['command'], Environment>>>();
