/** What the user's settings and the caller's options permit to hooks. The caller wins. */
import type { Settings } from '../config/settings.ts';
import { DEFAULT_ENVIRONMENT } from '../core/environment.ts';
import type { Permits } from '../core/handler.ts';
import type { HooklineOptions } from './options.ts';

/** One object for each engine: what is visible of the environment is remembered by it. */
export function permitsOf(options: HooklineOptions, settings: Settings): Permits {
  return {
    environment: { ...DEFAULT_ENVIRONMENT, ...(options.environment ?? settings.environment) },
    allowAddresses: options.http?.allowAddresses ?? settings.http?.allowAddresses ?? [],
  };
}
