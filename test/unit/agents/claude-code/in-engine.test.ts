// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are placeholders of the format
/** Hooks of Claude Code as they run: real files, real processes, a real server. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createWorkspace } from '../../../support/workspace.ts';

const settings = (hooks: object, more: object = {}): Record<string, string> => ({
  '.claude/settings.json': JSON.stringify({ ...more, hooks }),
});
const run = (command: string, more: object = {}): object => ({ type: 'command', command, ...more });
const BASH = { tool: 'Bash', input: { command: 'git push' } };

test('a settings file is shared by the form of its entries, and each keeps its own meaning of exit 1', async () => {
  const workspace = createWorkspace(
    settings({
      PreToolUse: [{ hooks: [run('exit 1')] }],
      preToolUse: { gate: 'exit 1' },
      Stop: ['true'],
      Setup: [{ hooks: [run('true')] }],
    }),
  );
  const hookline = await workspace.open();
  const { hooks } = await hookline.list();
  expect(hooks.map(({ dialect, event }) => `${dialect} ${event}`).sort()).toEqual([
    'claude-agent PreToolUse',
    'claude-agent Stop',
    'claude-code PreToolUse',
    'claude-code Setup',
  ]);
  const outcome = await hookline.fire('tool.before', BASH);
  expect(outcome).toMatchObject({ decision: 'deny', reason: expect.stringContaining("'gate' failed") });
});

test('with `only`, the whole file is one dialect’s; what is wrong with a shared file is said once', async () => {
  const workspace = createWorkspace(settings({ PreToolUse: [{ hooks: [run('exit 1')] }] }));
  for (const dialect of ['claude-agent', 'claude-code']) {
    const { hooks } = await (await workspace.open({ only: [dialect] })).list();
    expect(hooks.map((hook) => hook.dialect)).toEqual([dialect]);
  }
  workspace.write({ '.claude/settings.json': '{"hooks": ' });
  const broken = await (await workspace.open()).list();
  expect(broken.diagnostics.map(({ code }) => code)).toEqual(['invalid-json']);
});

test('all hooks of an event run at once, each on the original input, and the most severe decision stands', async () => {
  const waits = (mine: string, other: string): string =>
    `touch ${mine}; for i in $(seq 200); do [ -e ${other} ] && exit 2; sleep 0.05; done; exit 0`;
  const workspace = createWorkspace(settings({ PreToolUse: [{ hooks: [run(waits('a', 'b')), run(waits('b', 'a'))] }] }));
  const outcome = await (await workspace.open()).fire('tool.before', BASH);
  expect(outcome.hooks.map(({ exit }) => exit)).toEqual([2, 2]);
  expect(outcome.decision).toBe('deny');
});

test('a command finds the project, its session and its payload, wherever it works', async () => {
  const script =
    '#!/bin/sh\nprintf "%s|%s|%s|" "$CLAUDE_PROJECT_DIR" "$CLAUDECODE" "$CLAUDE_CODE_SESSION_ID" >&2; grep -o "\\"cwd\\":\\"[^\\"]*\\"" >&2; exit 2';
  const workspace = createWorkspace({
    '.claude/hooks/show me.sh': script,
    'sub/x': '',
    ...settings({ PreToolUse: [{ hooks: [run('"$CLAUDE_PROJECT_DIR"/.claude/hooks/"show me.sh"')] }] }),
  });
  const { reason } = await (await workspace.open()).fire('tool.before', BASH, { session: 's7', cwd: workspace.at('sub') });
  expect(reason).toBe(`${workspace.root}|1|s7|"cwd":"${workspace.at('sub')}"`);
});

test('payload-is-a-line: a hook that reads one line has read the payload', async () => {
  const workspace = createWorkspace(settings({ PreToolUse: [{ hooks: [run('set -e; read -r line; echo read >&2; exit 2')] }] }));
  expect((await (await workspace.open()).fire('tool.before', BASH)).reason).toBe('read');
});

test('exec-form: the words arrive as they are written', async () => {
  const args = ['-c', 'printf "%s" "$*" >&2; exit 2', 'x', "it's $HOME", '${CLAUDE_PROJECT_DIR}/a b', ''];
  const workspace = createWorkspace(settings({ PreToolUse: [{ hooks: [run('sh', { args })] }] }));
  const { reason } = await (await workspace.open()).fire('tool.before', BASH);
  expect(reason).toBe(`it's $HOME ${workspace.root}/a b`);
});

test('a hook whose `if` does not fit is not run', async () => {
  const workspace = createWorkspace(settings({ PreToolUse: [{ hooks: [run('exit 2', { if: 'Bash(git *)' })] }] }));
  const hookline = await workspace.open();
  expect((await hookline.fire('tool.before', BASH)).decision).toBe('deny');
  expect(await hookline.fire('tool.before', { tool: 'Bash', input: { command: 'ls' } })).toMatchObject({ decision: 'pass', unmatched: 1 });
});

const ONCE = {
  '.claude/skills/s/SKILL.md':
    '---\nname: s\ndescription: A skill.\nhooks:\n  PreToolUse:\n    - hooks:\n        - {type: command, command: exit 2, once: true}\n---\n',
};

/** The skill becomes active with the call. */
const USING = { ...BASH, skill: 's' };

test('once-per-session: a hook of a skill that wants to be asked once answers once in a session', async () => {
  const workspace = createWorkspace(ONCE);
  const hookline = await workspace.open({ only: ['claude-code'] });
  const fire = async (session: string) => (await hookline.fire('tool.before', USING, { session })).decision;
  expect([await fire('a'), await fire('a'), await fire('b')]).toEqual(['deny', 'pass', 'deny']);
});

test('once-per-session: another process does not ask it again, where there is a store and a session', async () => {
  const workspace = createWorkspace(ONCE);
  const fire = async (store: string, session?: string) =>
    (
      await (
        await workspace.open({ store, only: ['claude-code'] })
      ).fire('tool.before', USING, { ...(session !== undefined && { session }) })
    ).decision;
  const lasting = `sqlite:${workspace.at('~/log.db')}`;
  expect([await fire(lasting, 'a'), await fire(lasting, 'a'), await fire(lasting, 'b')]).toEqual(['deny', 'pass', 'deny']);
  expect([await fire(lasting), await fire(lasting)]).toEqual(['deny', 'deny']);
  expect([await fire('memory:', 'c'), await fire('memory:', 'c')]).toEqual(['deny', 'deny']);
});

test('once-per-session: what can not be noted is said, and the hook is asked', async () => {
  const workspace = createWorkspace(ONCE);
  workspace.write({ '~/.local/state/hookline/once': 'in the way' });
  const fire = async () =>
    (await workspace.open({ only: ['claude-code'], store: `sqlite:${workspace.at('~/log.db')}` })).fire('tool.before', USING, {
      session: 'a',
    });
  for (const outcome of [await fire(), await fire()]) {
    expect(outcome.decision).toBe('deny');
    expect(outcome.diagnostics).toMatchObject([{ code: 'once-not-noted', message: expect.stringContaining('will run again') }]);
  }
});

test('active-skills: a hook of a skill is asked once the skill is used, and not in other sessions', async () => {
  const workspace = createWorkspace({ '.claude/skills/s/SKILL.md': ONCE['.claude/skills/s/SKILL.md'].replace(', once: true', '') });
  const file = workspace.at('.claude/skills/s/SKILL.md');
  const store = `sqlite:${workspace.at('~/log.db')}`;
  const hookline = await workspace.open({ only: ['claude-code'], store });
  const decide = async (session: string) => (await hookline.fire('tool.before', BASH, { session })).decision;
  const uses: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['by its tool', () => hookline.fire('tool.before', { tool: 'Skill', input: { skill: 's' } }, { session: 'by its tool' })],
    ['of a plugin', () => hookline.fire('tool.after', { tool: 'Skill', input: { skill: 'p:s' } }, { session: 'of a plugin' })],
    ['by its file', () => hookline.fire('tool.after', { tool: 'read_file', input: { path: file } }, { session: 'by its file' })],
    ['by a command', () => hookline.fire('prompt.submit', { prompt: '/s now' }, { session: 'by a command' })],
    ['by an event', () => hookline.fire('skill.before', { skill: 's' }, { session: 'by an event' })],
  ];
  for (const [session, use] of uses) {
    expect([session, await decide(session)]).toEqual([session, 'pass']);
    await use();
    expect([session, await decide(session)]).toEqual([session, 'deny']);
  }
  expect((await hookline.fire('tool.before', BASH, { session: 'other' })).hooks).toMatchObject([{ status: 'skipped' }]);
  await hookline.fire('skill.before', { skill: 'another' }, { session: 'other' });
  expect(await decide('other')).toBe('pass');
  const later = await workspace.open({ only: ['claude-code'], store });
  expect((await later.fire('tool.before', BASH, { session: 'by a command' })).decision).toBe('deny');
});

test('json-beside-code: what a failed hook says counts, and that it failed is told; a hook that fails closed denies', async () => {
  const says = `printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","updatedInput":{"command":"git fetch"}}}'; exit 1`;
  const workspace = createWorkspace(settings({ PreToolUse: [{ hooks: [run(says)] }] }));
  const outcome = await (await workspace.open()).fire('tool.before', BASH);
  expect(outcome).toMatchObject({ decision: 'pass', rewrite: { command: 'git fetch' } });
  expect(outcome.hooks).toMatchObject([{ status: 'faulted', fault: { kind: 'exit' }, exit: 1, effects: ['rewrite'] }]);
  workspace.write(settings({ PreToolUse: [{ hooks: [run(says, { onFailure: 'block' })] }] }));
  expect((await (await workspace.open()).fire('tool.before', BASH)).decision).toBe('deny');
});

test('on-failure: a hook that fails closed denies, its neighbour that does not passes', async () => {
  const workspace = createWorkspace(settings({ PreToolUse: [{ hooks: [run('exit 1'), run('exit 3', { onFailure: 'block' })] }] }));
  const outcome = await (await workspace.open()).fire('tool.before', BASH);
  expect(outcome.hooks.map(({ status, decision }) => [status, decision])).toEqual([
    ['faulted', 'pass'],
    ['faulted', 'deny'],
  ]);
});

test('headers hold the variables that are allowed, and no others', async () => {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers['x-a'], request.headers['x-b']);
    response.end('{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"by http"}}');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  process.env['A1_ALLOWED'] = 'yes';
  process.env['A1_OTHER'] = 'secret';
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const handler = { type: 'http', url, headers: { 'x-a': 'Bearer $A1_ALLOWED', 'x-b': '<${A1_OTHER}>' }, allowedEnvVars: ['A1_ALLOWED'] };
  const workspace = createWorkspace(settings({ PreToolUse: [{ hooks: [handler] }] }));
  expect((await (await workspace.open()).fire('tool.before', BASH)).reason).toBe('by http');
  expect(seen).toEqual(['Bearer yes', '<>']);
});

test('a prompt shows the model the payload, and without a model or a client a hook can not be asked', async () => {
  const workspace = createWorkspace(
    settings({
      PreToolUse: [
        {
          hooks: [
            { type: 'prompt', prompt: 'Safe? $ARGUMENTS' },
            { type: 'mcp_tool', server: 'm', tool: 't' },
          ],
        },
      ],
    }),
  );
  const without = await (await workspace.open()).fire('tool.before', BASH);
  expect(without.hooks.map(({ fault }) => fault?.kind)).toEqual(['unavailable', 'unavailable']);
  const prompts: string[] = [];
  const judge = async ({ prompt }: { prompt: string }) => {
    prompts.push(prompt);
    return { ok: false, reason: 'no' };
  };
  const judged = await (await workspace.open({ model: { judge } })).fire('tool.before', BASH);
  expect([judged.decision, judged.reason]).toEqual(['deny', 'no']);
  expect(prompts[0]).toContain('Safe? {"session_id"');
});

test('a script below the project is part of what is trusted, although only a variable names the project', async () => {
  const workspace = createWorkspace({
    '.claude/gate.sh': '#!/bin/sh\nrm -rf ~\n',
    ...settings({ PreToolUse: [{ hooks: [run('"$CLAUDE_PROJECT_DIR"/.claude/gate.sh')] }] }),
  });
  const outcome = await (await workspace.open()).fire('tool.before', BASH);
  expect(outcome.hooks).toMatchObject([{ status: 'skipped', skip: expect.stringContaining('audit') }]);
});
