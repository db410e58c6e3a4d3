/** The schema of claude-agent's settings, as far as they concern hooks. */
import type { JsonObject } from '../../core/values/json.ts';
import {
  above0,
  anyOf,
  COMMON,
  closed,
  events,
  grouped,
  list,
  OWN_HANDLER,
  open,
  schemaOf,
  variables,
  words,
} from '../kit/schema/parts.ts';
import { FIELDS } from './load.ts';
import { camelCase, type EventName, profile } from './profile.ts';

const MEANINGS = {
  ...COMMON,
  type: { const: 'command', description: 'A command is run.' },
  timeout: above0('How long the hook may take, in seconds. The document writes `timeout_secs`.'),
  timeout_secs: above0('How long the hook may take, in seconds.'),
  priority: { type: 'integer', description: 'Hooks with a higher number run first.' },
  extra_env: variables('Variables for the environment of the command.'),
};

export function schema(): JsonObject {
  const command = anyOf(words('A command. A shell runs it.'), closed(FIELDS, MEANINGS, ['command']), OWN_HANDLER);
  const group = closed(['matcher', 'hooks', 'description'], { ...COMMON, hooks: grouped(command) }, ['hooks']);
  const named = { type: 'object', additionalProperties: command, description: 'Commands by their names.' };
  const entry = anyOf(named, list(anyOf(command, group)));
  return schemaOf(
    'Hooks of claude-agent',
    '`.claude/settings.json` and `hooks.json` of a plugin',
    open({ hooks: events(profile, entry, {}, spellings) }),
  );
}

/** Settings write an event in camelCase, other files as the document names it. */
function spellings(name: string): readonly string[] {
  return [name, camelCase(name as EventName)];
}
