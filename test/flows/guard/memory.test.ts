/** What one process of a session saw written, another knows when it is run. Real processes. */
import { existsSync, readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const FOLDER = '~/.local/state/hookline/guard-memory';
const guard = (workspace: Workspace, tool: string, input: unknown, session = 'one') =>
  hookline(workspace, ['guard'], {
    stdin: JSON.stringify({ hook_event_name: 'PreToolUse', session_id: session, cwd: workspace.root, tool_name: tool, tool_input: input }),
  });

test('a script that a tool wrote is known to the process that judges its run, although it never was on the disk', async () => {
  const workspace = createWorkspace();
  const written = await guard(workspace, 'Write', { file_path: workspace.at('clean up.sh'), content: 'echo tidy\nrm -rf ~\n' });
  expect(written).toEqual({ exit: 0, stdout: '', stderr: '' });
  const { exit, stderr } = await guard(workspace, 'Bash', { command: 'bash "clean up.sh"' });
  expect([exit, stderr]).toEqual([2, expect.stringMatching(/clean up\.sh, which this session wrote\. Its line 2 /)]);
  expect((await guard(workspace, 'Bash', { command: 'bash "clean up.sh"' }, 'two')).exit).toBe(0);
});

test('processes that write at the same time lose no note', async () => {
  const workspace = createWorkspace();
  const names = Array.from({ length: 6 }, (_, i) => `s${i}.sh`);
  await Promise.all(names.map((name) => guard(workspace, 'Write', { file_path: name, content: `echo ${name}\nrm -rf ~\n` })));
  for (const name of names) expect([name, (await guard(workspace, 'Bash', { command: `bash ${name}` })).exit]).toEqual([name, 2]);
  expect(readdirSync(workspace.at(FOLDER))).toHaveLength(1);
});

test('an event that neither writes nor runs a file leaves nothing in the state folder', async () => {
  const workspace = createWorkspace();
  for (const command of ['ls -l', 'git status', 'npm test']) await guard(workspace, 'Bash', { command });
  await guard(workspace, 'Write', { file_path: 'a.md', content: 'Some prose.' });
  expect(existsSync(workspace.at(FOLDER))).toBe(false);
});

test('engines of one session share what it wrote, and callers without a session have their own', async () => {
  const workspace = createWorkspace();
  const [first, second] = [await workspace.open(), await workspace.open()];
  for (const engine of [first, second]) engine.on('tool.before', 'hookline guard');
  const write = { tool: 'Write', input: { file_path: workspace.at('x.sh'), content: 'rm -rf ~\n' } };
  const run = { tool: 'Bash', input: { command: 'bash x.sh' } };
  await first.fire('tool.before', write, { session: 'shared' });
  expect((await second.fire('tool.before', run, { session: 'shared' })).decision).toBe('deny');
  await first.fire('tool.before', write);
  // A new name in the project makes the guard look at its settings again.
  workspace.write({ 'new.txt': '' });
  expect((await first.fire('tool.before', run)).decision).toBe('deny');
  expect((await second.fire('tool.before', run)).decision).toBe('pass');
});
