/** Workers that `hookline serve` keeps: one per project, replaced when a hook changes or hangs, and gone with the server. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { POLL } from '../../support/patience.ts';
import { isAlive } from '../../support/processes.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { trustAll } from '../trust/trusted-project.ts';
import { client, said, serving } from './serving.ts';

const gate = (run: string, more = ''): string =>
  `import { defineHook, deny } from 'hookline/hook';\nexport default defineHook({ on: 'tool.before', ${more} ${run} });\n`;
/** Denies with the number of its process. */
const PID = gate("run: () => deny('pid ' + process.pid)");
const HOOK = '.hookline/hooks/gate.ts';

const fire = async (workspace: Workspace, command = 'ls'): Promise<string> => {
  const call = { hook_event_name: 'PreToolUse', session_id: 's', cwd: workspace.root, tool_name: 'Bash', tool_input: { command } };
  return said(await client(workspace, JSON.stringify(call)));
};
const pidIn = (text: string): number => Number(/pid (\d+)/.exec(text)?.[1]);

/** Another project of the same user. */
function projectNextTo(workspace: Workspace, text: string): Workspace {
  const root = path.join(workspace.root, '../other project');
  mkdirSync(path.join(root, '.git'), { recursive: true });
  mkdirSync(path.join(root, '.hookline/hooks'), { recursive: true });
  writeFileSync(path.join(root, HOOK), text);
  return { ...workspace, root };
}

test('a worker is kept for the next event, and two projects do not share one', async () => {
  const workspace = createWorkspace({ [HOOK]: PID });
  const other = projectNextTo(workspace, PID);
  await trustAll(workspace);
  await trustAll(other);
  await serving(workspace);
  const first = pidIn(await fire(workspace));
  const second = pidIn(await fire(other));
  expect(first).toBeGreaterThan(0);
  expect(second).toBeGreaterThan(0);
  expect(second).not.toBe(first);
  expect(pidIn(await fire(workspace))).toBe(first);
  expect(pidIn(await fire(other))).toBe(second);
});

test('a changed hook runs only once it is trusted again', async () => {
  const workspace = createWorkspace({ [HOOK]: gate("run: () => deny('first text')") });
  await trustAll(workspace);
  await serving(workspace);
  expect(await fire(workspace)).toContain('first text');
  workspace.write({ [HOOK]: gate("run: () => deny('second text')") });
  const between = await fire(workspace);
  expect(between).not.toContain('first text');
  expect(between).not.toContain('second text');
  await trustAll(workspace);
  await expect.poll(() => fire(workspace), POLL).toContain('second text');
});

test('a hook that hangs is ended, and the next event gets a fresh worker', async () => {
  const run = "async run(event) { if (event.data.input.command === 'hang') for (;;); return deny('pid ' + process.pid); }";
  const workspace = createWorkspace({ [HOOK]: gate(run, 'timeoutMs: 2000,') });
  await trustAll(workspace);
  await serving(workspace);
  const first = pidIn(await fire(workspace));
  expect(await fire(workspace, 'hang')).toContain('did not answer within 2000 ms');
  await expect.poll(() => isAlive(first), POLL).toBe(false);
  const second = pidIn(await fire(workspace));
  expect(second).toBeGreaterThan(0);
  expect(second).not.toBe(first);
});

test('a server that is killed leaves no worker', async () => {
  const workspace = createWorkspace({ [HOOK]: PID });
  await trustAll(workspace);
  const server = await serving(workspace);
  const worker = pidIn(await fire(workspace));
  expect(isAlive(worker)).toBe(true);
  process.kill(server.pid, 'SIGKILL');
  await expect.poll(() => isAlive(worker), POLL).toBe(false);
});
