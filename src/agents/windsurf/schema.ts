/** The schema of Windsurf's `hooks.json`. */
import type { JsonObject } from '../../core/values/json.ts';
import { anyOf, COMMON, closed, events, flag, list, OWN_HANDLER, open, schemaOf, text, words } from '../kit/schema/parts.ts';
import { KEYS } from './load.ts';
import { profile } from './profile.ts';

export function schema(): JsonObject {
  const meanings = {
    ...COMMON,
    powershell: words('The command on Windows. PowerShell runs it.'),
    show_output: flag('The output of the command is shown.'),
    working_directory: text('The folder that the command runs in, as seen from the workspace.'),
  };
  const hook = anyOf(closed(KEYS, meanings, ['command']), OWN_HANDLER);
  return schemaOf('Hooks of Windsurf', '`.windsurf/hooks.json`', open({ hooks: events(profile, list(hook)) }));
}
