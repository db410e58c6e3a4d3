/** The plugins of two documents, below a folder whose name has a space. They name their scripts by `${CLAUDE_PLUGIN_ROOT}` without quotes. */
import { expect, test } from 'vitest';
import { createWorkspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const ROOT = `\${CLAUDE_PLUGIN_ROOT}`;
const FOLDER = 'plugins/fresh clone';

function plugin(event: string, script: string, text: string): Record<string, string> {
  const action = { type: 'command', command: `${ROOT}/hooks/${script}` };
  return {
    [`${FOLDER}/.claude-plugin/plugin.json`]: '{"name": "my-plugin", "hooks": "./hooks/hooks.json"}',
    [`${FOLDER}/hooks/hooks.json`]: JSON.stringify({ hooks: { [event]: [{ hooks: [action] }] } }, null, 2),
    [`${FOLDER}/hooks/${script}`]: text,
  };
}

const BLOCKS = '#!/bin/sh\necho "Destructive command blocked by policy" | tee /dev/stderr\nexit 1\n';

test.each([
  ['arawn', 'Destructive command blocked by policy', 'my-plugin/validate-shell.sh'],
  [
    'claude-agent',
    "Hook 'my-plugin:PreToolUse-1' failed with exit code: 1: Destructive command blocked by policy",
    'my-plugin:PreToolUse-1',
  ],
])('%s: the script runs and is audited, and its hook has the right name', async (dialect, reason, name) => {
  const workspace = createWorkspace(plugin('PreToolUse', 'validate-shell.sh', BLOCKS));
  const run = async (...argv: string[]) => JSON.parse((await hookline(workspace, [...argv, '--dialect', dialect, '--json'])).stdout);
  expect(await run('fire', 'tool.before', '--tool', 'shell', '--trust-all')).toMatchObject({ decision: 'deny', reason, hooks: [{ name }] });
  expect(await run('check')).toMatchObject({ hooks: 1, diagnostics: [{ code: 'read-as' }] });
  const script = workspace.at(`${FOLDER}/hooks/validate-shell.sh`);
  expect(await run('audit')).toMatchObject({ hooks: [{ name, files: [script], findings: [], unaudited: [] }] });
});
