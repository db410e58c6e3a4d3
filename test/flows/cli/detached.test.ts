/** Detached hooks outlive the command that started them, and nothing else about them does. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isAlive } from '../../support/processes.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { eventually, hookline } from './program.ts';

function hook(command: string, seconds: number): Readonly<Record<string, string>> {
  const text = `[hook]\nname = "log"\nevent = "on_session_end"\n\n[hook.action.shell]\ncommand = ${JSON.stringify(command)}\ntimeout_secs = ${seconds}\n`;
  return { 'hooks/log/HOOK.toml': text };
}

const FIRE = ['fire', 'session.end', '--payload', '{"reason":"done"}', '--trust-all', '--json'];

test('the host has its answer and the end of both pipes at once; the effect comes later', async () => {
  const workspace = createWorkspace();
  workspace.write(hook(`sleep 3; cat > ${workspace.at('seen.json')}`, 20));
  const ended = await hookline(workspace, FIRE);
  expect(existsSync(workspace.at('seen.json'))).toBe(false);
  expect(ended.exit).toBe(0);
  expect(JSON.parse(ended.stdout).hooks).toMatchObject([{ name: 'log', status: 'detached' }]);
  expect(await eventually(() => existsSync(workspace.at('seen.json')) && readFileSync(workspace.at('seen.json'), 'utf8') !== '')).toBe(
    true,
  );
  expect(JSON.parse(readFileSync(workspace.at('seen.json'), 'utf8'))).toMatchObject({ event: 'on_session_end' });
});

test('its timeout is kept after the command has ended', async () => {
  const workspace = createWorkspace();
  workspace.write(hook(`echo $$ > ${workspace.at('pid')}; sleep 60; touch ${workspace.at('late')}`, 1));
  await hookline(workspace, FIRE);
  expect(await eventually(() => existsSync(workspace.at('pid')) && readFileSync(workspace.at('pid'), 'utf8').trim() !== '')).toBe(true);
  const pid = Number(readFileSync(workspace.at('pid'), 'utf8'));
  expect(await eventually(() => !isAlive(pid))).toBe(true);
  expect(existsSync(workspace.at('late'))).toBe(false);
});
