/** The guard knows the program that it is part of, and the files of that program. Real processes, real links and copies. */
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createWorkspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const project = path.join(import.meta.dirname, '../../..');
const program = path.join(project, 'bin/hookline.js');

test('a call of the program is known by its file, by a link of an earlier command and by a copy', async () => {
  const workspace = createWorkspace();
  const { root } = workspace;
  mkdirSync(path.join(root, 'copy/bin'), { recursive: true });
  cpSync(program, path.join(root, 'copy/bin/tool.js'));
  cpSync(path.join(project, 'package.json'), path.join(root, 'copy/package.json'));
  symlinkSync(program, path.join(root, 'tool'));
  const judged = async (command: string) => {
    const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd: root, tool_name: 'Bash', tool_input: { command } };
    const { exit } = await hookline(workspace, ['guard', '--root', root], { stdin: JSON.stringify(payload) });
    const explained = await hookline(workspace, ['guard', 'explain', command, '--root', root]);
    expect(explained.exit, command).toBe(exit === 0 ? 0 : 1);
    return exit;
  };
  for (const call of [
    `node '${program}'`,
    'npx -y hookline',
    './tool',
    'node tool',
    'node copy/bin/tool.js',
    `env -u CLAUDECODE node '${program}'`,
  ]) {
    expect(await judged(`${call} approvals approve mi3k`), call).toBe(2);
    expect(await judged(`${call} uninstall codex`), call).toBe(2);
    expect(await judged(`${call} approvals show mi3k`), call).toBe(0);
  }
});

test('the program that judges, and a state folder that a variable moves, are protected', async () => {
  const workspace = createWorkspace();
  const { root } = workspace;
  const judged = async (tool: string, input: object) => {
    const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd: root, tool_name: tool, tool_input: input };
    const env = { XDG_STATE_HOME: path.join(root, '../state') };
    const { exit, stdout } = await hookline(workspace, ['guard', '--json', '--root', root], { stdin: JSON.stringify(payload), env });
    return exit === 2 || stdout.includes('"ask"');
  };
  expect(await judged('Write', { file_path: path.join(project, 'dist/cli/main.js'), content: '' })).toBe(true);
  expect(await judged('Bash', { command: `chmod -x "${program}"` })).toBe(true);
  expect(await judged('Bash', { command: `cat "${program}"` })).toBe(false);
  expect(await judged('Write', { file_path: '../state/hookline/trust.json', content: '' })).toBe(true);
  expect(await judged('Bash', { command: 'rm ../state/hookline/installed' })).toBe(true);
  expect(await judged('Bash', { command: 'rm ../state/other/installed' })).toBe(false);
  expect(await judged('Write', { file_path: 'src/hookline.ts', content: '' })).toBe(false);
});
