/** The schema of `hooks` in Kimi Code's `config.toml`. */
import type { JsonObject } from '../../core/values/json.ts';
import { COMMON, closed, eventName, list, open, schemaOf, whole } from '../kit/schema/parts.ts';
import { KEYS } from './load.ts';
import { profile } from './profile.ts';

export function schema(): JsonObject {
  const meanings = {
    ...COMMON,
    event: eventName(profile, 'The event that the hook is for.'),
    timeout: whole('How long the hook may take, in seconds.', 1, 600),
  };
  // Kimi Code runs no hook of a file that has a key it does not know, and a comment key is one.
  const hook = { ...closed(KEYS, meanings, ['event', 'command']), patternProperties: {} };
  return schemaOf('Hooks of Kimi Code', '`.kimi-code/config.toml`', open({ hooks: list(hook, 'The hooks, one table each.') }));
}
