/** The schema of Claude Code's settings, as far as they concern hooks, and of `hooks/hooks.json` in its plugins. */
import type { JsonObject } from '../../core/values/json.ts';
import { above0, COMMON, closed, events, flag, grouped, handlers, list, open, schemaOf, text, texts, words } from '../kit/schema/parts.ts';
import { FIELDS } from './load.ts';
import { profile } from './profile.ts';

const MEANINGS = {
  ...COMMON,
  timeout: above0('How long the hook may take, in seconds.'),
  onFailure: { enum: ['block', 'continue'], description: 'The consequence of a hook that fails.' },
  args: texts('The arguments of the command. With them no shell reads it.'),
  shell: { enum: ['bash', 'powershell'], description: 'The shell that runs the command.' },
  windows: words('The command on Windows, as VS Code reads it.'),
  linux: words('The command on Linux, as VS Code reads it.'),
  osx: words('The command on macOS, as VS Code reads it.'),
  asyncRewake: flag('The hook runs in the background, and its exit code 2 wakes the agent.'),
  rewakeMessage: text('The text that wakes the agent.'),
  rewakeSummary: text('A summary of that text.'),
  cloud: flag('The hook also runs in sessions in the cloud.'),
  continueOnBlock: flag('The turn continues after a denial.'),
};

export function schema(): JsonObject {
  const required = { command: ['command'], http: ['url'], prompt: ['prompt'], agent: ['prompt'], mcp_tool: ['server', 'tool'] };
  const handler = handlers(FIELDS, MEANINGS, required);
  const group = closed(['matcher', 'hooks', 'description'], { ...COMMON, hooks: grouped(handler) }, ['hooks']);
  const meanings = {
    hooks: events(profile, list(group)),
    disableAllHooks: flag('No hook runs.'),
    allowManagedHooksOnly: flag('Counts in managed settings: only their hooks run.'),
    allowedHttpHookUrls: texts('The addresses that hooks may send events to.'),
    httpHookAllowedEnvVars: texts('The variables that headers of hooks may contain.'),
  };
  return schemaOf('Hooks of Claude Code', '`.claude/settings.json` and `hooks/hooks.json` of a plugin', open(meanings));
}
