/** The schema of GitHub Copilot's hook files. */
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
  open,
  schemaOf,
  text,
  texts,
  words,
} from '../kit/schema/parts.ts';
import { FIELDS } from './load.ts';
import { profile } from './profile.ts';

const TOOL = 'A regular expression for the name of the tool.';
const MATCHER = { ...anyOf(text(TOOL), closed(['toolName'], { toolName: text(TOOL) }, ['toolName'])), description: TOOL };
const MEANINGS = {
  ...COMMON,
  matcher: MATCHER,
  timeout: above0('How long the hook may take, in seconds.'),
  timeoutSec: above0('How long the hook may take, in seconds.'),
  cwd: text('The folder that the command runs in, as seen from the project.'),
  bash: words('The command. Bash runs it.'),
  powershell: words('The command on Windows. PowerShell runs it.'),
  exec: words('A program that is started without a shell.'),
  args: texts('The arguments of `exec`.'),
  windows: words('The command on Windows, as VS Code reads it.'),
  linux: words('The command on Linux, as VS Code reads it.'),
  osx: words('The command on macOS, as VS Code reads it.'),
};

/** Any of these names the program. */
const RUNNING = ['bash', 'command', 'exec', 'windows', 'linux', 'osx'];

export function schema(): JsonObject {
  const type = { const: 'command', description: 'A command is run. It reads the event from stdin.' };
  const isRun = { anyOf: RUNNING.map((field) => ({ required: [field] })) };
  const command = closed(FIELDS['command'] ?? [], { ...MEANINGS, type }, ['type'], isRun);
  const handler = anyOf(command, handlers({ http: FIELDS['http'] ?? [] }, MEANINGS, { http: ['url'] }));
  const group = closed(['matcher', 'hooks', 'description'], { ...COMMON, matcher: MATCHER, hooks: grouped(handler) }, ['hooks']);
  const meanings = {
    version: { const: 1, description: 'The version of the format.' },
    hooks: events(profile, list(anyOf(handler, group))),
    disableAllHooks: flag('No hook runs.'),
    disabledHooks: texts('The names of hooks that do not run.'),
  };
  return schemaOf('Hooks of GitHub Copilot', '`.github/hooks/*.json` and Copilot’s settings', open(meanings));
}
