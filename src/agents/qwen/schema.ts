/** The schema of Qwen Code's settings, as far as they concern hooks. */
import type { JsonObject } from '../../core/values/json.ts';
import {
  above0,
  anyOf,
  COMMON,
  closed,
  events,
  flag,
  grouped,
  handlers,
  list,
  OWN_HANDLER,
  open,
  schemaOf,
  text,
  texts,
} from '../kit/schema/parts.ts';
import { FIELDS } from './load.ts';
import { profile } from './profile.ts';

const MEANINGS = {
  ...COMMON,
  timeout: above0('How long the hook may take, in seconds. For commands a number from 1000 on means milliseconds.'),
  source: text('The origin of the hook, kept by Qwen Code.'),
  shell: { enum: ['bash', 'powershell'], description: 'The shell that runs the command.' },
  sequential: flag('The hooks of this group run one after another.'),
};

export function schema(): JsonObject {
  const handler = handlers(FIELDS, MEANINGS, { command: ['command'], http: ['url'], prompt: ['prompt'] });
  const hooks = grouped(anyOf(handler, OWN_HANDLER));
  const group = closed(['matcher', 'sequential', 'hooks', 'description'], { ...MEANINGS, hooks }, ['hooks']);
  const others = {
    enabled: flag('Whether hooks run.'),
    disabled: texts('The names of hooks that do not run.'),
    notifications: flag('Hooks that act are shown.'),
  };
  const meanings = { hooks: events(profile, list(group), others), disableAllHooks: flag('No hook runs.') };
  return schemaOf('Hooks of Qwen Code', '`.qwen/settings.json`', open(meanings));
}
