/** Each word of what the doctor promises, on real files and with the built program. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { DoctorReport } from '../../../src/cli/doctor/report.ts';
import { createWorkspace, permitScripts, type Workspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';
import { trustInCodex } from './codex-trust.ts';

const USER = '~/.qwen/settings.json';
const PROJECT = '.qwen/settings.json';

function hooks(...handlers: object[]): string {
  return JSON.stringify({ hooks: { PreToolUse: [{ hooks: handlers.map((one) => ({ type: 'command', ...one })) }] } });
}

async function doctor(
  space: Workspace,
  env: Readonly<Record<string, string>> = {},
): Promise<{ exit: number | null; report: DoctorReport }> {
  const { exit, stdout } = await hookline(space, ['doctor', '--json'], { env });
  return { exit, report: JSON.parse(stdout) as DoctorReport };
}

function found({ findings }: DoctorReport, code: string): string[] {
  return findings.filter((one) => one.code === code).map(({ severity, message }) => `${severity}: ${message}`);
}

test('untrusted by the agent: Codex skips our entry until it is trusted there, and what changed is unknown again', async () => {
  const space = createWorkspace();
  await hookline(space, ['install', 'codex', '--no-serve']);
  const before = await doctor(space);
  expect(before.exit).toBe(1);
  expect(found(before.report, 'not-trusted-there')).toEqual([
    expect.stringContaining('error: Codex does not run our entry for PreToolUse'),
  ]);
  expect(before.report.hosts[0]?.files[0]?.state).toBe('ignored');
  trustInCodex(space);
  expect(await doctor(space)).toMatchObject({ exit: 0, report: { hosts: [{ files: [{ state: 'installed' }, {}] }] } });
  const text = readFileSync(space.at('~/.codex/hooks.json'), 'utf8');
  writeFileSync(space.at('~/.codex/hooks.json'), text.replace('"timeout": 3', '"timeout": 2'));
  expect(found((await doctor(space)).report, 'not-trusted-there')).toEqual([expect.stringContaining('SessionEnd: it has changed')]);
});

test('dead: a script that is gone, one that may not be executed, a program and a folder that are not there', async () => {
  const space = createWorkspace({
    [USER]: hooks({ command: '/nowhere/gate.sh' }, { command: 'no-such-program-here --check' }, { command: 'true' }),
    '~/shut.sh': '#!/bin/sh\n',
    '~/.copilot/hooks/a.json': JSON.stringify({ hooks: { preToolUse: [{ bash: 'true', name: 'lost', cwd: '/nowhere/at/all' }] } }),
  });
  chmodSync(space.at('~/shut.sh'), 0o644);
  space.write({ '~/.gemini/settings.json': hooks({ command: space.at('~/shut.sh') }).replace('PreToolUse', 'BeforeTool') });
  const { exit, report } = await doctor(space);
  expect(exit).toBe(1);
  expect(found(report, 'hook-can-not-run').sort()).toEqual([
    expect.stringMatching(/^error: .*gate\.sh.*does not exist/),
    expect.stringMatching(/^error: .*lost.*folder \/nowhere\/at\/all is not there/),
    expect.stringMatching(/^error: .*no-such-program-here.*no program/),
    expect.stringMatching(/^error: .*shut\.sh.*not executable/),
  ]);
});

test('never fired: a hook whose event is on record often enough, and that was never among those asked', async () => {
  const gate = { matcher: 'NoToolIsCalledSo', hooks: [{ type: 'command', command: 'true', name: 'idle' }] };
  const busy = { hooks: [{ type: 'command', command: 'true', name: 'busy' }] };
  const space = createWorkspace({ [USER]: JSON.stringify({ hooks: { PreToolUse: [gate, busy] } }) });
  const engine = await space.open({ store: `sqlite:${space.at('~/.local/state/hookline/hookline.db')}` });
  for (let i = 0; i < 20; i++) await engine.fire('tool.before', { tool: 'Bash', input: { command: 'ls' } });
  await engine.close(1000);
  await hookline(space, ['install', 'qwen', '--no-serve']);
  const { exit, report } = await doctor(space);
  expect(exit).toBe(0);
  expect(found(report, 'never-asked')).toEqual([expect.stringContaining('`idle` was never asked, and its event is on record 20 times')]);
});

test('duplicate: the same command for one event in two scopes, and our own entry twice in one file', async () => {
  const space = createWorkspace({ [USER]: hooks({ command: 'true' }), [PROJECT]: hooks({ command: 'true' }) });
  permitScripts(space);
  await hookline(space, ['trust', 'add', '--yes']);
  const { report } = await doctor(space);
  expect(found(report, 'duplicate-hook')).toEqual([expect.stringContaining(space.at(PROJECT))]);
  const twice = createWorkspace();
  await hookline(twice, ['install', 'qwen', '--no-serve']);
  const settings = JSON.parse(readFileSync(twice.at(USER), 'utf8')) as { hooks: Record<string, unknown[]> };
  settings.hooks['PreToolUse']?.push(settings.hooks['PreToolUse'][0]);
  twice.write({ [USER]: JSON.stringify(settings) });
  expect(found((await doctor(twice)).report, 'duplicate-entry')).toEqual([
    expect.stringContaining('entry for PreToolUse is more than once'),
  ]);
});

test('shadowed: a name that is used again nearer by, and that both run', async () => {
  const space = createWorkspace({ [USER]: hooks({ command: 'true', name: 'gate' }), [PROJECT]: hooks({ command: 'false', name: 'gate' }) });
  const { report } = await doctor(space);
  expect(found(report, 'same-name')).toEqual([expect.stringContaining('`gate` (project) has the same name as a user hook')]);
});

test('truncated: a hook has added more context than the agent gives its model', async () => {
  const space = createWorkspace({
    [USER]: JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'printf %012000d 1', name: 'talker' }] }] } }),
  });
  const engine = await space.open({ store: `sqlite:${space.at('~/.local/state/hookline/hookline.db')}` });
  await engine.fire('session.start', { source: 'startup' });
  await engine.close(1000);
  expect(found((await doctor(space)).report, 'context-truncated')).toEqual([]);
  await hookline(space, ['install', 'claude-code', '--no-serve']);
  const { report } = await doctor(space);
  expect(found(report, 'context-truncated')).toEqual([
    expect.stringMatching(/`talker` has added 12000 characters; Claude Code takes 10000/),
  ]);
});

test('not covered: what a host never fires and never shows, and which hooks are dead there because of it', async () => {
  const space = createWorkspace({
    [USER]: JSON.stringify({ hooks: { PreCompact: [{ hooks: [{ type: 'command', command: 'true', name: 'saver' }] }] } }),
  });
  await hookline(space, ['install', 'windsurf', '--no-serve']);
  await hookline(space, ['install', 'gemini-cli', '--no-serve']);
  const { report } = await doctor(space);
  expect(found(report, 'not-covered')).toEqual([expect.stringMatching(/Windsurf never fires compact\.before, for which `saver` waits/)]);
  const windsurf = report.hosts.find(({ id }) => id === 'windsurf')?.coverage;
  expect(windsurf?.noEvent).toEqual(expect.arrayContaining(['compact.before', 'session.start']));
  expect(windsurf?.blind).toEqual([expect.objectContaining({ of: 'tools' })]);
  const { stdout } = await hookline(space, ['doctor']);
  expect(stdout).toContain('Calls that the hooks of these agents never see');
});

test('switched off: by the settings of the agent, with the line of the switch', async () => {
  const space = createWorkspace({ [PROJECT]: '{\n  "disableAllHooks": true\n}' });
  await hookline(space, ['install', 'qwen', '--no-serve']);
  const { exit, report } = await doctor(space);
  expect(exit).toBe(1);
  expect(report.findings).toContainEqual(
    expect.objectContaining({ code: 'hooks-switched-off', severity: 'error', file: space.at(PROJECT), line: 2 }),
  );
});

test('drowned out: a shell that prints before our answer', async () => {
  const space = createWorkspace({ 'start.sh': 'echo Welcome.\n' });
  expect(found((await doctor(space, { BASH_ENV: space.at('start.sh') })).report, 'noisy-shell')).toEqual([]);
  await hookline(space, ['install', 'qwen', '--no-serve']);
  expect(found((await doctor(space)).report, 'noisy-shell')).toEqual([]);
  const loud = await doctor(space, { BASH_ENV: space.at('start.sh') });
  expect(found(loud.report, 'noisy-shell')).toEqual([expect.stringMatching(/^warning: .*bash prints something at its start/)]);
});

test('a folder that a variable of the agent moves is where it is installed and looked for, unless a home is given', async () => {
  const space = createWorkspace({ '~/elsewhere/keep': '' });
  const env = { HOOKLINE_HOME: '', CODEX_HOME: space.at('~/elsewhere') };
  expect(await hookline(space, ['install', 'codex', '--no-serve'], { env })).toMatchObject({ exit: 0 });
  expect(readFileSync(space.at('~/elsewhere/hooks.json'), 'utf8')).toContain('codex PreToolUse');
  const { report } = await doctor(space, env);
  expect(report.hosts).toMatchObject([{ id: 'codex', installed: true }]);
  expect((await doctor(space, { CODEX_HOME: space.at('~/elsewhere') })).report.hosts).toEqual([]);
});
