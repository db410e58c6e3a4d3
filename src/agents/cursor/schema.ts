/** The schema of Cursor's `hooks.json`. */
import type { JsonObject } from '../../core/values/json.ts';
import { above0, anyOf, COMMON, closed, events, flag, list, OWN_HANDLER, open, schemaOf } from '../kit/schema/parts.ts';
import { KEYS } from './load.ts';
import { profile } from './profile.ts';

const MEANINGS = {
  ...COMMON,
  timeout: above0('How long the hook may take, in seconds.'),
  loop_limit: { type: ['number', 'null'], description: 'How often the hook may send the agent back. Counts on `stop` and `subagentStop`.' },
  failClosed: flag('A hook that fails denies the action.'),
};

export function schema(): JsonObject {
  const hook = anyOf(
    closed(KEYS, { ...MEANINGS, type: { const: 'command', description: 'A command is run. The usual type.' } }, ['command']),
    closed(KEYS, { ...MEANINGS, type: { const: 'prompt', description: 'A language model judges the event.' } }, ['type', 'prompt']),
    OWN_HANDLER,
  );
  const meanings = {
    version: { const: 1, description: 'The version of the format.' },
    hooks: events(profile, list(hook)),
  };
  return schemaOf('Hooks of Cursor', '`.cursor/hooks.json`', open(meanings));
}
