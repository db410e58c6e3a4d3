/** Claude Code that asks the server itself, without a process for each event. */
import { expect, test } from 'vitest';
import { hookline } from '../flows/cli/program.ts';
import type { Workspace } from '../support/workspace.ts';
import { claudeCode } from './claude-code.ts';
import { GATES } from './project.ts';
import { runSession } from './session.ts';

const LIMIT = { timeout: 240_000 };
const { word, says } = GATES['HOOK.toml'];
const agent = claudeCode();

test('a command that a hook denies does not run, and one that nobody objects to does', LIMIT, async () => {
  const session = await runSession(agent, [agent.shell(`touch ran-${word}`), agent.shell('touch ran-freely')], {
    before: overHttp,
    after: stopServer,
  });
  expect([session.has(`ran-${word}`), session.has('ran-freely')], session.output).toEqual([false, true]);
  expect(session.heard[1]).toContain(says);
});

test('while no server runs nothing runs', LIMIT, async () => {
  const before = async (workspace: Workspace): Promise<void> => {
    await overHttp(workspace);
    await stopServer(workspace);
  };
  const session = await runSession(agent, [agent.shell('touch ran-freely')], { before });
  expect(session.has('ran-freely'), session.output).toBe(false);
});

async function overHttp(workspace: Workspace): Promise<void> {
  for (const line of ['uninstall claude-code', 'serve --background', 'install claude-code --via http']) {
    const { exit, stderr } = await hookline(workspace, line.split(' '));
    if (exit !== 0) throw new Error(`${line} ended with ${exit}: ${stderr}`);
  }
}

async function stopServer(workspace: Workspace): Promise<void> {
  await hookline(workspace, ['serve', 'stop']);
}
