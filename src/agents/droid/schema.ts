/** The schema of Factory Droid's `hooks.json`, and of `hooks` in its settings. */
import type { JsonObject } from '../../core/values/json.ts';
import { above0, anyOf, COMMON, closed, events, flag, grouped, list, OWN_HANDLER, open, schemaOf, text } from '../kit/schema/parts.ts';
import { FIELDS, GROUP_KEYS } from './load.ts';
import { profile } from './profile.ts';

const MEANINGS = {
  ...COMMON,
  type: { const: 'command', description: 'A command is run. It reads the event from stdin.' },
  timeout: above0('How long the hook may take, in seconds.'),
  preserveRiskLevel: flag('The hook does not change the risk level of the call.'),
  commandRegex: text('A regular expression for the command of the tool `Execute`.'),
};

export function schema(): JsonObject {
  const handler = anyOf(closed(FIELDS, MEANINGS, ['type', 'command']), OWN_HANDLER);
  const group = closed(GROUP_KEYS, { ...MEANINGS, hooks: grouped(handler) }, ['hooks']);
  const others = { hooksDisabled: flag('No hook runs.'), showHookOutput: flag('The output of hooks is shown.') };
  const map = events(profile, list(group), others);
  // In `hooks.json` the events can also be at the top.
  const body = anyOf(open({ hooks: map, ...others }, ['hooks']), map);
  return schemaOf('Hooks of Factory Droid', '`.factory/hooks.json` and `.factory/settings.json`', body);
}
