/** A small memory that a hook has in a session. Unrelated processes share it, so a value is replaced only if nothing else was written meanwhile. */
import type { JsonObject } from '../values/json.ts';

export interface StateVersion {
  /** 0: nothing was written yet. */
  readonly version: number;
  readonly values: JsonObject;
}

export interface SessionState {
  read(session: string, owner: string): StateVersion;
  /**
   * Writes all values in one step. Returns false, and writes nothing, if `version` is not the newest one.
   * @throws if the values cannot be kept
   */
  write(session: string, owner: string, version: number, values: JsonObject): boolean;
}
