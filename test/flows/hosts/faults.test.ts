/** A hook that failed has agreed to nothing: the person at the agent hears of it in the agent's own channel, and log and doctor show it. */
import { existsSync, readFileSync, utimesSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { DIALECTS, HOSTS } from '../../../src/builtins.ts';
import { isGating } from '../../../src/core/meaning/profile.ts';
import { answererFor, createWorkspace, permitScripts, type Workspace } from '../../support/workspace.ts';
import { hookline } from '../cli/program.ts';

const agenthooks = DIALECTS.find(({ id }) => id === 'agenthooks');
const TRIGGERS = Object.entries(agenthooks?.profile.events ?? {}).filter(([, rule]) => isGating(rule));
const gate = (trigger: string, script: string, folder = '.agents/hooks', name = 'gate'): Record<string, string> => ({
  [`${folder}/${name}/HOOK.md`]: `---\nname: ${name}\ndescription: A gate.\ntrigger: ${trigger}\n---\n`,
  [`${folder}/${name}/scripts/run.sh`]: script,
});
const CRASHED = '#!/bin/sh\necho boom >&2\nexit 1\n';
const OWN = '~/.config/agents/hooks';

const fixture = (host: string, event: string): string =>
  fileURLToPath(new URL(`../../fixtures/${host}/events/${event}.json`, import.meta.url));
/** An interrupted stop is another event, which cannot be denied. */
const payloadOf = (host: string, event: string): string => readFileSync(fixture(host, event), 'utf8').replace('"aborted"', '"completed"');
const ROWS = HOSTS.flatMap((host) =>
  Object.entries(host.dialect.profile.events).flatMap(([event, rule]) => {
    const triggers = TRIGGERS.filter(([, { kinds }]) => kinds.some((kind) => rule.kinds.includes(kind))).map(([trigger]) => trigger);
    if (!isGating(rule) || triggers.length === 0 || !existsSync(fixture(host.id, event))) return [];
    return [{ host: host.id, event, triggers, shows: rule.grants.includes('notice') }];
  }),
);

test('the table has rows for every host', () => {
  expect(new Set(ROWS.map(({ host }) => host)).size).toBeGreaterThanOrEqual(HOSTS.length - 1);
});

test.for(ROWS)('$host is told of a crashed gate on $event', async ({ host, event, triggers, shows }) => {
  const workspace = createWorkspace();
  for (const [index, trigger] of triggers.entries()) workspace.write(gate(trigger, CRASHED, '.agents/hooks', `gate-${index}`));
  const engine = await workspace.open();
  const told: string[] = [];
  const isFirstTime = (_: string, what: string): boolean => !told.includes(what) && told.push(what) > 0;
  const answer = answererFor(engine, { isFirstTime });
  const first = await answer(host, payloadOf(host, event), event);
  expect(shows ? first.stdout : first.stderr).toContain('gate');
  expect(`${first.stdout}${first.stderr}`).toContain('exit code 1: boom');
  const second = await answer(host, payloadOf(host, event), event);
  expect(`${second.stdout}${second.stderr}`).not.toContain('gate');
});

test("a hook's own notice and the failure of another hook are both shown", async () => {
  const workspace = createWorkspace(gate('before_tool', CRASHED));
  const engine = await workspace.open();
  engine.on('tool.before', () => ({ notice: 'Mind the gap.' }));
  for (const host of ['claude-code', 'codex', 'droid', 'qwen']) {
    const { stdout } = await answererFor(engine)(host, JSON.stringify(call('ls')));
    expect(JSON.parse(stdout).systemMessage).toMatch(/^Mind the gap\.\nHookline: Hook 'gate' failed/);
  }
});

const call = (command: string, more: object = {}) => ({
  hook_event_name: 'PreToolUse',
  session_id: 's',
  cwd: '/tmp',
  tool_name: 'Bash',
  tool_input: { command },
  ...more,
});

function asClaude(workspace: Workspace, more: object = {}) {
  return hookline(workspace, ['hook', 'claude-code'], { stdin: JSON.stringify(call('ls', { cwd: workspace.root, ...more })) });
}

describe('through the real command', () => {
  test('log, why, fire and doctor show the failure until the hook is changed', async () => {
    const workspace = createWorkspace(gate('before_tool', CRASHED, OWN));
    const said = await asClaude(workspace);
    expect(said.exit).toBe(0);
    expect(JSON.parse(said.stdout).systemMessage).toContain("Hook 'gate' failed, so it has not judged this");
    expect((await hookline(workspace, ['log'])).stdout).toContain('1 hook failed: gate (exit 1)');
    const fired = await hookline(workspace, ['fire', 'tool.before', '--tool', 'Bash', '--input', '{}']);
    expect(fired.stdout).toContain('! The one hook that was asked failed, so no hook has judged this');
    expect(fired.stdout).not.toContain('✓');
    const { entries } = JSON.parse((await hookline(workspace, ['log', '--json'])).stdout);
    const why = await hookline(workspace, ['why', entries.at(-1).id]);
    expect(why.stdout.replace(/\s+/g, ' ')).toContain('the one hook that was asked failed, so no hook has judged this');
    const sick = JSON.parse((await hookline(workspace, ['doctor', '--json'])).stdout);
    expect(sick.findings).toContainEqual(expect.objectContaining({ code: 'hook-failed', severity: 'error' }));
    expect(sick.findings.find(({ code }: { code: string }) => code === 'hook-failed').message).toMatch(/gate.*exit code 1: boom/);
    expect(sick.healthy).toBe(false);
    const script = workspace.at(`${OWN}/gate/scripts/run.sh`);
    const later = Date.now() / 1000 + 60;
    utimesSync(script, later, later);
    const changed = JSON.parse((await hookline(workspace, ['doctor', '--json'])).stdout);
    expect(changed.findings.map(({ code }: { code: string }) => code)).not.toContain('hook-failed');
  });

  test('doctor is content again once the hook has run well', async () => {
    const file = '~/fails';
    const script = `#!/bin/sh\n[ -e "$HOME/fails" ] && exit 1\nexit 0\n`;
    const workspace = createWorkspace({ ...gate('before_tool', script, OWN), [file]: '' });
    const codes = async () =>
      JSON.parse((await hookline(workspace, ['doctor', '--json'])).stdout).findings.map(({ code }: { code: string }) => code);
    await asClaude(workspace);
    expect(await codes()).toContain('hook-failed');
    workspace.remove(file);
    await asClaude(workspace);
    expect(await codes()).not.toContain('hook-failed');
  });

  test('a missing working directory does not lose a denial: the hook runs in the project and its payload keeps the directory', async () => {
    const script = '#!/bin/sh\nprintf "%s in " "$(pwd)" >&2\ngrep -o "/no/such/dir" >&2\nexit 2\n';
    for (const folder of [OWN, '.agents/hooks']) {
      const workspace = createWorkspace(gate('before_tool', script, folder));
      await hookline(permitScripts(workspace), ['trust', 'add', '--yes']);
      const said = await asClaude(workspace, { cwd: '/no/such/dir' });
      expect(JSON.parse(said.stdout).hookSpecificOutput.permissionDecisionReason).toBe(
        `${workspace.root} in \n/no/such/dir`.replace(' \n', ' '),
      );
      expect(said.stderr).toContain('The working directory /no/such/dir does not exist');
    }
  });

  test('onError of the user makes a gate of a format that fails open deny or ask', async () => {
    const workspace = createWorkspace(gate('before_tool', CRASHED, OWN));
    const decide = async (onError: object): Promise<string> => {
      workspace.write({ '~/.config/hookline/settings.json': JSON.stringify({ onError }) });
      return (
        JSON.parse((await asClaude(workspace, { session_id: JSON.stringify(onError) })).stdout).hookSpecificOutput?.permissionDecision ??
        'pass'
      );
    };
    expect(await decide({})).toBe('pass');
    expect(await decide({ gate: 'deny' })).toBe('deny');
    expect(await decide({ [workspace.at(`${OWN}/gate/HOOK.md`)]: 'deny' })).toBe('deny');
    expect(await decide({ '~/.config/agents/hooks/gate/HOOK.md': 'deny' })).toBe('deny');
    expect(await decide({ other: 'deny' })).toBe('pass');
    expect(await decide({ gate: 'ask' })).not.toBe('pass');
    expect((await hookline(workspace, ['list'])).stdout).toMatch(/on error[\s\S]*ask/);
  });

  test('text around a denial is a fault that is told, and other text is a warning, also in strict mode', async () => {
    const workspace = createWorkspace(gate('before_tool', '#!/bin/sh\necho "Welcome!"\necho \'{"decision": "deny"}\'\n', OWN));
    const said = JSON.parse((await asClaude(workspace)).stdout);
    expect(said.systemMessage).toContain('the output is not JSON: Welcome! {"decision": "deny"}');
    const fire = ['fire', 'tool.before', '--tool', 'Bash', '--input', '{}', '--strict', '--json'];
    expect(JSON.parse((await hookline(workspace, fire)).stdout).decision).toBe('deny');
    workspace.write(gate('before_tool', '#!/bin/sh\necho "Welcome!"\n', OWN));
    const plain = JSON.parse((await hookline(workspace, fire)).stdout);
    expect(plain.decision).toBe('pass');
    expect(plain.diagnostics).toContainEqual(expect.objectContaining({ code: 'ignored-output', severity: 'warning' }));
  });
});

describe('a gate of a project that a person trusted', () => {
  async function trusted(): Promise<Workspace> {
    const workspace = createWorkspace(gate('before_tool', '#!/bin/sh\nexit 0\n'));
    await hookline(permitScripts(workspace), ['trust', 'add', '--yes']);
    expect((await asClaude(workspace)).stdout).toBe('');
    return workspace;
  }
  const denied = async (workspace: Workspace, session = 'x'): Promise<string | undefined> => {
    const { stdout } = await asClaude(workspace, { session_id: session });
    return stdout === '' ? undefined : JSON.parse(stdout).hookSpecificOutput?.permissionDecisionReason;
  };
  const FOLDER = '.agents/hooks/gate';

  test('denies after one changed byte, until it is trusted again', async () => {
    const workspace = await trusted();
    workspace.write({ [`${FOLDER}/scripts/run.sh`]: '#!/bin/sh\nexit 0 \n' });
    expect(await denied(workspace)).toMatch(/gate.*modified since it was trusted.*trust diff/);
    expect((await hookline(workspace, ['doctor'])).exit).toBe(1);
    await hookline(permitScripts(workspace), ['trust', 'add', '--yes']);
    expect(await denied(workspace)).toBeUndefined();
  });

  test('denies after it lost its script or its definition is broken, until its trust is removed', async () => {
    for (const spoil of [
      (workspace: Workspace) => workspace.remove(`${FOLDER}/scripts/run.sh`),
      (workspace: Workspace) => workspace.write({ [`${FOLDER}/HOOK.md`]: 'nothing' }),
    ]) {
      const workspace = await trusted();
      spoil(workspace);
      expect(await denied(workspace)).toMatch(/gate.*lost a file/);
      expect((await hookline(workspace, ['doctor'])).exit).toBe(1);
      await hookline(permitScripts(workspace), ['trust', 'remove', FOLDER]);
      expect(await denied(workspace)).toBeUndefined();
    }
  });

  test('only denies the events that it judged', async () => {
    const workspace = await trusted();
    workspace.remove(`${FOLDER}/scripts/run.sh`);
    const { stdout } = await hookline(workspace, ['hook', 'claude-code'], {
      stdin: JSON.stringify({ hook_event_name: 'UserPromptSubmit', session_id: 'p', cwd: workspace.root, prompt: 'hello' }),
    });
    expect(stdout).not.toContain('"block"');
  });

  test('whose folder has vanished is told to the person and to the doctor, and denies if it is required', async () => {
    const workspace = await trusted();
    workspace.remove(FOLDER);
    const said = await asClaude(workspace, { session_id: 'gone' });
    expect(JSON.parse(said.stdout).systemMessage).toContain(workspace.at(`${FOLDER}/HOOK.md`));
    const sick = await hookline(workspace, ['doctor']);
    expect(sick.exit).toBe(1);
    expect(sick.stdout).toContain('its file is gone');
    workspace.write({ '~/.config/hookline/settings.json': JSON.stringify({ required: ['gate'] }) });
    expect(await denied(workspace)).toContain('is required');
  });

  test('that changed in the file of an agent denies too, although its name follows its command', async () => {
    const settings = (command: string): Record<string, string> => ({
      '.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } }),
    });
    const workspace = createWorkspace(settings('true'));
    await hookline(permitScripts(workspace), ['trust', 'add', '--yes']);
    const fire = ['fire', 'tool.before', '--tool', 'Bash', '--input', '{}', '--json'];
    expect(JSON.parse((await hookline(workspace, fire)).stdout).decision).toBe('pass');
    workspace.write(settings('echo other'));
    expect(JSON.parse((await hookline(workspace, fire)).stdout).decision).toBe('deny');
  });
});
