/** What is printed: JSON and nothing else for machines, harmless words for people. */
import { describe, expect, test } from 'vitest';
import { createWorkspace } from '../../support/workspace.ts';
import { hookline, skill } from './program.ts';

const FIRE = ['fire', 'tool.before', '--tool', 'Bash', '--input', '{"command":"ls"}', '--trust-all'];
const ESCAPES = "printf '\\033[2J\\033]0;owned\\007\\rall is well'; exit 2";

test('--json is one document and nothing else on stdout', async () => {
  const workspace = createWorkspace(skill('echo no; exit 2'));
  for (const argv of [
    FIRE,
    ['plan', 'tool.before', '--tool', 'X'],
    ['list'],
    ['check'],
    ['trust'],
    ['trust', 'add'],
    ['trust', 'remove'],
    ['version'],
  ]) {
    const { stdout } = await hookline(workspace, [...argv, '--json'], { env: { FORCE_COLOR: '1' } });
    expect(JSON.parse(stdout), argv.join(' ')).toEqual(expect.any(Object));
  }
});

test('the shape of each document is the documented one', async () => {
  const workspace = createWorkspace(skill('echo no; exit 2'));
  const json = async (...argv: string[]): Promise<unknown> => JSON.parse((await hookline(workspace, [...argv, '--json'])).stdout);
  expect(await json(...FIRE)).toMatchObject({
    id: expect.any(String),
    kind: 'tool.before',
    decision: 'deny',
    reason: 'no',
    context: [],
    notices: [],
    quiet: false,
    unmatched: 0,
    hooks: [{ dialect: 'skillkit', status: 'answered', decision: 'deny', exit: 2, ms: expect.any(Number) }],
    diagnostics: [],
  });
  expect(await json('list')).toMatchObject({
    hooks: [{ timeoutMs: 60_000, enabled: true, detach: false, trusted: false }],
    diagnostics: [
      { severity: 'info', code: 'read-as' },
      { severity: 'warning', code: 'untrusted-hook' },
    ],
  });
  expect(await json('plan', 'tool.before', '--tool', 'X', '--trust-all')).toMatchObject({
    kind: 'tool.before',
    hooks: [{ runs: true }],
    diagnostics: [],
  });
  expect(await json('check')).toMatchObject({ hooks: 1, diagnostics: [{ severity: 'info', code: 'read-as' }] });
});

test('an event in the words of a format is headed by that format', async () => {
  const workspace = createWorkspace(skill('exit 0'));
  for (const command of ['fire', 'plan']) {
    const { stdout } = await hookline(workspace, [command, 'PreToolUse', '--as', 'skillkit', '--tool', 'Shell', '--trust-all']);
    expect(stdout).toMatch(/^tool\.before {2}\(skillkit PreToolUse\) {2}Shell/);
  }
});

test('what could not be loaded is part of the outcome: such a hook was not asked', async () => {
  const workspace = createWorkspace({ ...skill('exit 0'), 'hooks/bad/HOOK.toml': 'nonsense' });
  const { stdout } = await hookline(workspace, [...FIRE, '--json']);
  expect(JSON.parse(stdout).diagnostics).toEqual([
    expect.objectContaining({ severity: 'error', file: workspace.at('hooks/bad/HOOK.toml') }),
  ]);
});

describe('for people', () => {
  test('no colour in a pipe; FORCE_COLOR brings it back', async () => {
    const workspace = createWorkspace(skill('exit 0'));
    expect((await hookline(workspace, FIRE)).stdout).not.toContain('\x1b');
    expect((await hookline(workspace, FIRE, { env: { FORCE_COLOR: '1' } })).stdout).toContain('\x1b[');
  });

  test('a hook can not repaint the terminal, neither on stdout nor on stderr', async () => {
    const ended = await hookline(createWorkspace(skill(ESCAPES)), FIRE);
    expect(ended.exit).toBe(2);
    expect(ended.stderr).toContain('all is well');
    expect(ended.stdout + ended.stderr).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  });

  test('secrets in the input are not shown', async () => {
    const argv = ['fire', 'tool.before', '--tool', 'Bash', '--input', '{"command":"curl -H \'Authorization: Bearer abcdef123456\'"}'];
    const { stdout } = await hookline(createWorkspace(), argv);
    expect(stdout).toContain('[redacted]');
    expect(stdout).not.toContain('abcdef123456');
  });

  test('an untrusted hook does not run, and it is said how to trust it', async () => {
    const workspace = createWorkspace(skill('exit 2'));
    const ended = await hookline(workspace, FIRE.slice(0, -1));
    expect(ended.exit).toBe(0);
    expect(ended.stdout).toContain('hookline trust add');
  });

  test('plan tells why a hook would not run', async () => {
    const { stdout } = await hookline(createWorkspace(skill('exit 2')), ['plan', 'session.start']);
    expect(stdout).toContain('No hook would run');
    expect(stdout).toContain('fires on PreToolUse');
  });
});

test('a large answer comes through a slow pipe whole', async () => {
  const workspace = createWorkspace({
    'plugins/loud/.claude-plugin/plugin.json': '{"name":"loud","version":"1.0.0"}',
    'plugins/loud/hooks/hooks.json': JSON.stringify({
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'head -c 3000000 /dev/zero | tr "\\000" x' }] }] },
    }),
  });
  const ended = await hookline(workspace, ['fire', 'session.start', '--trust-all', '--json'], { readAfterMs: 1000 });
  expect(ended.exit).toBe(0);
  expect(JSON.parse(ended.stdout).notices[0]).toHaveLength(3_000_000);
});

test('a payload may come on stdin, in a file, or as words; --tool speaks every dialect', async () => {
  const workspace = createWorkspace({
    ...skill('printf %s "$HOOK_INPUT"; exit 2'),
    'payload.json': '\ufeff{"tool":"Bash","input":{"from":"file"}}',
  });
  const seen = async (argv: readonly string[], stdin = ''): Promise<unknown> => {
    const { stdout } = await hookline(workspace, [...argv, '--trust-all', '--json'], { stdin });
    return JSON.parse(JSON.parse(stdout).reason);
  };
  expect(await seen(['fire', 'tool.before', '--payload', '-'], '{"tool":"Bash","input":{"from":"stdin"}}')).toMatchObject({
    input: { from: 'stdin' },
  });
  expect(await seen(['fire', 'tool.before', '--payload', '@payload.json'])).toMatchObject({ input: { from: 'file' } });
  expect(await seen(['fire', 'tool.before', '--payload={"tool":"Bash","input":{"from":"words"}}'])).toMatchObject({
    input: { from: 'words' },
  });
  const native = await seen(['fire', 'PreToolUse', '--as', 'skillkit', '--tool', 'Bash', '--input', '{"from":"tool"}']);
  expect(native).toMatchObject({ tool: 'Bash', input: { from: 'tool' } });
});
