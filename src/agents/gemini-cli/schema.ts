/** The schema of Gemini CLI's settings, as far as they concern hooks. */
import type { JsonObject } from '../../core/values/json.ts';
import { above0, anyOf, COMMON, closed, events, flag, grouped, list, OWN_HANDLER, open, schemaOf, texts } from '../kit/schema/parts.ts';
import { FIELDS } from './load.ts';
import { profile } from './profile.ts';

const MEANINGS = {
  ...COMMON,
  type: { const: 'command', description: 'A command is run. It reads the event from stdin.' },
  timeout: above0('How long the hook may take, in milliseconds.'),
  sequential: flag('The hooks of this group run one after another.'),
};

export function schema(): JsonObject {
  const handler = anyOf(closed(FIELDS, MEANINGS, ['type', 'command']), OWN_HANDLER);
  const group = closed(['matcher', 'sequential', 'hooks', 'description'], { ...MEANINGS, hooks: grouped(handler) }, ['hooks']);
  const others = {
    enabled: flag('Whether hooks run.'),
    disabled: texts('The names of hooks that do not run.'),
    notifications: flag('Hooks that act are shown.'),
  };
  return schemaOf('Hooks of Gemini CLI', '`.gemini/settings.json`', open({ hooks: events(profile, list(group), others) }));
}
