/** The schema of `hooks/hooks.json` in an Arawn plugin. */
import type { JsonObject } from '../../core/values/json.ts';
import { anyOf, COMMON, closed, events, grouped, handlers, list, OWN_HANDLER, open, schemaOf, whole } from '../kit/schema/parts.ts';
import { FIELDS } from './load.ts';
import { profile } from './profile.ts';

export function schema(): JsonObject {
  const timeout = whole('How long the hook may take, in milliseconds.', 1);
  const fieldsOf = { command: FIELDS, prompt: FIELDS, agent: FIELDS };
  const action = handlers(fieldsOf, { ...COMMON, timeout }, { command: ['command'], prompt: ['prompt'], agent: ['agent'] });
  const group = closed(['matcher', 'hooks'], { ...COMMON, hooks: grouped(anyOf(action, OWN_HANDLER)) }, ['hooks']);
  return schemaOf('Hooks of an Arawn plugin', '`hooks/hooks.json`', open({ hooks: events(profile, list(group)) }, ['hooks']));
}
