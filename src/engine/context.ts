/** What every part of the engine works with: the ports, the settings and the dialects by name. */
import type { Dialect } from '../core/dialect.ts';
import type { EngineSettings, Ports } from './ports.ts';

export interface EngineContext {
  readonly ports: Ports;
  readonly settings: EngineSettings;
  readonly dialects: ReadonlyMap<string, Dialect>;
}
