/** What every part of the engine works with: the ports, the settings and the dialects by name. */
import type { Dialect } from '../core/dialect.ts';
import type { Hook } from '../core/hook.ts';
import type { OnceMemory } from './once.ts';
import type { EngineSettings, Ports } from './ports.ts';

export interface EngineContext {
  readonly ports: Ports;
  readonly settings: EngineSettings;
  readonly dialects: ReadonlyMap<string, Dialect>;
  /** The marks of the hooks above this process; undefined if there are none. */
  readonly above: ReadonlySet<string> | undefined;
  /** Which hooks have answered that want to be asked once. */
  readonly once: OnceMemory;
}

/** Whether a hook has, by way of what it started, fired this very event. */
export function isAbove({ above, ports }: EngineContext, hook: Hook): boolean {
  return above !== undefined && hook.run === undefined && above.has(ports.mark(hook.id));
}
