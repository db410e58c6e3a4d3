/** `hookline reload` and `hook_reload` tell the truth: which hooks run, which do not and why, and which run as they were. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { AGENT, hookline } from '../cli/program.ts';
import { CLIENT } from './client-run.ts';

const manifest = (name: string, command: string, more = '') => ({
  [`hooks/${name}/HOOK.toml`]: `[hook]\nname = "${name}"\nevent = "before_tool_call"\n${more}\n[hook.action.shell]\ncommand = ${JSON.stringify(command)}\n`,
});
const script = (line: string) => ({
  '~/.config/agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\n---\n',
  '~/.config/agents/hooks/gate/scripts/run.sh': `#!/bin/sh\n${line}\n`,
});
const EVENT = '{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"ls"}}';

test('hook_reload names every hook that is loaded and not active, with the reason and the way out', async () => {
  const workspace = createWorkspace({
    ...script('exit 0'),
    ...manifest('untrusted', 'true'),
    ...manifest('switched-off', 'true', 'enabled = false'),
    '~/.config/agents/hooks/empty/HOOK.md': '---\nname: empty\ndescription: A hook.\ntrigger: before_tool\n---\n',
    '~/.config/agents/hooks/bad/HOOK.md': '---\nname: bad\n---\n',
  });
  const engine = await workspace.open({ trust: 'ask' });
  const report = await engine.reloadTool.execute();
  expect(report).toMatchObject({ ok: false, hooks: 4, active: 1, kept: [] });
  expect(report.inactive.map(({ name }) => name).sort()).toEqual(['empty', 'switched-off', 'untrusted']);
  for (const { name, fix, state } of report.inactive) {
    expect(fix).toMatch(/\w/);
    expect(report.message).toContain(`\`${name}\``);
    expect(report.message).toContain(state);
  }
  expect(report.inactive.find(({ name }) => name === 'untrusted')?.fix).toContain('hookline trust add');
  expect(report.message).toMatch(/1 hook is active.*bad\/HOOK\.md.*description/s);
});

test('a hook that the audit refuses is not counted as active', async () => {
  const engine = await createWorkspace(manifest('wipe', 'rm -rf /')).open();
  expect(await engine.reloadTool.execute()).toMatchObject({ ok: false, hooks: 1, active: 0, inactive: [{ name: 'wipe' }] });
});

test('hooks that their own file switches off are no failure', async () => {
  const engine = await createWorkspace(manifest('off', 'true', 'enabled = false')).open();
  expect(await engine.reloadTool.execute()).toMatchObject({ ok: true, active: 0, inactive: [{ name: 'off', state: 'disabled' }] });
});

test('the last good version that still runs is named', async () => {
  const workspace = createWorkspace(manifest('gate', 'exit 1'));
  const engine = await workspace.open();
  workspace.write({ 'hooks/gate/HOOK.toml': 'nonsense' });
  const report = await engine.reloadTool.execute();
  expect(report).toMatchObject({ ok: false, active: 1, kept: [workspace.at('hooks/gate/HOOK.toml')] });
  expect(report.message).toContain('last good version');
});

test('without a server the command says so, and tells what runs', async () => {
  const workspace = createWorkspace(script('exit 0'));
  const { exit, stdout } = await hookline(workspace, ['reload']);
  expect(stdout).toMatch(/No server is running.*1 hook is active/s);
  expect(exit).toBe(0);
  workspace.write({ '~/.config/agents/hooks/bad/HOOK.md': 'nonsense' });
  const again = await hookline(workspace, ['reload', '--json']);
  expect({ exit: again.exit, ...JSON.parse(again.stdout) }).toMatchObject({ exit: 1, server: false, ok: false, active: 1 });
});

test('the running server reloads a project that it has open, and keeps the last good version', async () => {
  const workspace = createWorkspace(script('echo no >&2; exit 2'));
  await serving(workspace);
  expect((await hookline(workspace, ['reload'])).stdout).toContain('reads them at the next event');
  await askServer(workspace);
  expect(JSON.parse((await hookline(workspace, ['reload', '--json'])).stdout)).toMatchObject({
    server: true,
    ok: true,
    active: 1,
    kept: [],
  });
  const file = '~/.config/agents/hooks/gate/HOOK.md';
  workspace.write({ [file]: 'nonsense' });
  const { exit, stdout } = await hookline(workspace, ['reload', '--json']);
  expect({ exit, ...JSON.parse(stdout) }).toMatchObject({ exit: 1, server: true, ok: false, active: 1, kept: [workspace.at(file)] });
  expect((await hookline(workspace, ['reload'])).stdout).toContain('last good');
});

async function serving(workspace: Workspace): Promise<void> {
  onTestFinished(async () => void (await hookline(workspace, ['serve', 'stop'])));
  const { exit, stderr } = await hookline(workspace, ['serve', '--background', '--idle', '60']);
  if (exit !== 0) throw new Error(`no server: ${stderr}`);
}

/** An event makes the server open the project. */
async function askServer({ root, home }: Workspace): Promise<void> {
  const { HOOKLINE_SERVE: _, HOOKLINE_DEPTH: __, ...env } = process.env;
  const options = { cwd: root, env: { ...env, HOME: home, HOOKLINE_HOME: home } };
  const child = spawn('sh', [AGENT, CLIENT, 'claude-code', 'PreToolUse'], { ...options, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.on('error', () => {}).end(EVENT);
  await once(child, 'close');
}
