/** The guard as a program: a hook of any system, and something a person asks. Real processes. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { DIALECTS } from '../../../src/builtins.ts';
import type { HookEvent } from '../../../src/core/event/event.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { type Ended, hookline, type RunOptions } from './program.ts';

const eventFor = (command: unknown): HookEvent => ({
  id: 'e',
  kind: 'tool.before',
  at: '2026-01-01T00:00:00.000Z',
  session: { id: 's', cwd: '/' },
  data: { tool: 'Bash', input: { command: command as string } },
});

const payloads = DIALECTS.map(({ id, profile, wire }) => {
  const name = Object.keys(profile.events).find((event) => profile.events[event]?.kinds.includes('tool.before')) as string;
  return { id, payloadFor: (command: unknown) => JSON.stringify(wire.encodeEvent(eventFor(command), name)) };
});

const guard = (payload: string, argv: string[] = [], options: RunOptions = {}, workspace: Workspace = createWorkspace()): Promise<Ended> =>
  hookline(workspace, ['guard', ...argv], { stdin: payload, ...options });

const claude = (command: unknown, more = {}): string =>
  JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 's', cwd: '/', tool_name: 'Bash', tool_input: { command }, ...more });

/** Agents that ask a person if a hook says so, in the words they share. */
const ASKING: readonly string[] = ['claude-code', 'qwen', 'droid'];

describe.each(payloads)('with a payload of $id', ({ id, payloadFor }) => {
  test('no objection is nothing at all and exit 0; an objection is exit 2 with rule, why and what instead', async () => {
    expect(await guard(payloadFor('ls'))).toEqual({ exit: 0, stdout: '', stderr: '' });
    const denied = await guard(payloadFor('rm -rf /'));
    expect(denied).toMatchObject({ exit: 2, stdout: '' });
    expect(denied.stderr).toMatch(/Instead: .*\(Guard rule [a-z-]+\.\)/);
  });

  test.runIf(ASKING.includes(id))('what a person should decide is asked', async () => {
    const { exit, stdout } = await guard(payloadFor(7));
    expect([exit, JSON.parse(stdout).hookSpecificOutput.permissionDecision]).toEqual([0, 'ask']);
  });

  test.skipIf(ASKING.includes(id))('what a person should decide blocks, because nobody is asked', async () => {
    expect(await guard(payloadFor(7))).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining('A person should decide') });
  });
});

test('a payload in HOOK_INPUT counts where stdin is empty, and never before it', async () => {
  const [harmless, harmful] = [claude('ls'), claude('rm -rf /')];
  expect((await guard('', [], { env: { HOOK_INPUT: harmful } })).exit).toBe(2);
  expect((await guard('', [], { env: { HOOK_INPUT: harmless } })).exit).toBe(0);
  expect((await guard(harmful, [], { env: { HOOK_INPUT: harmless } })).exit).toBe(2);
});

describe('asking', () => {
  test('Claude Code is asked in its own words', async () => {
    const { exit, stdout, stderr } = await guard(claude(7));
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'ask',
        permissionDecisionReason: expect.stringContaining('A person'),
      },
    });
  });

  test('--json asks like that whoever listens; a deny stays exit 2', async () => {
    expect(JSON.parse((await guard('{"tool":"Bash","input":{}}', ['--json'])).stdout)).toHaveProperty(
      'hookSpecificOutput.permissionDecision',
      'ask',
    );
    expect(await guard(claude('rm -rf /'), ['--json'])).toMatchObject({ exit: 2, stdout: '' });
  });

  test('a host that sends the same event and takes an ask for consent is blocked', async () => {
    expect((await guard(claude(7, { turn_id: '1' }))).exit).toBe(2);
    expect((await guard(claude(7, { conversation_id: '1' }))).exit).toBe(2);
  });

  test('a stricter preset denies', async () => {
    expect((await guard(claude(7), ['--preset', 'strict'])).exit).toBe(2);
  });
});

describe('what can not be read blocks', () => {
  test.each(['', 'nonsense', '[]', '7', '{}', '{"tool":', '{"tool":7}', '{"hook_event_name":"PreToolUse"}'])('%j', async (payload) => {
    const ended = await guard(payload, [], { env: { HOOK_INPUT: '' } });
    expect(ended).toMatchObject({ stdout: '', stderr: expect.stringMatching(/\S/) });
    expect(ended.exit).toBe(2);
  });

  test.each([['--preset', 'careless'], ['--pack', 'nonsense'], ['--no-such-option'], ['--preset'], ['off']])(
    'and so does a wrong command line: %j',
    async (...argv) => {
      const ended = await guard(claude('ls'), argv.filter(Boolean));
      // A word that is no option is a person's mistake, told as one.
      expect(ended.exit).toBe(argv[0] === 'off' ? 64 : 2);
      expect(ended.stderr).not.toBe('');
    },
  );

  test('a project that is not there', async () => {
    expect((await guard(claude('ls'), ['--root', '/nonexistent/folder'])).exit).toBe(2);
  });
});

test('an event that is over, or about no tool, is no business of the guard', async () => {
  expect(await guard(claude('rm -rf /', { hook_event_name: 'PostToolUse' }))).toEqual({ exit: 0, stdout: '', stderr: '' });
  expect(await guard('{"hook_event_name":"SessionStart","source":"startup"}')).toEqual({ exit: 0, stdout: '', stderr: '' });
});

describe('the environment decides nothing', () => {
  const override = { rule: 'uncertain', reason: 'ours', expires: '2999-12-31' };
  const settings = (guard_: object) => ({ '~/.config/hookline/settings.json': JSON.stringify({ guard: guard_ }) });

  test('no variable switches it off', async () => {
    const names = [
      'HOOKLINE_GUARD',
      'HOOKLINE_DISABLE',
      'HOOKLINE_SKIP',
      'HOOKLINE_BYPASS',
      'GUARD_BYPASS',
      'DISABLE_GUARD',
      'NO_GUARD',
      'SKIP',
      'CI',
      'DEBUG',
    ];
    const values = ['0', '1', 'off', 'false', 'true', ''];
    for (const value of values.slice(0, 3)) {
      const env = Object.fromEntries([...names, 'HOOKLINE_DEPTH', 'HOOKLINE_HOOKS'].map((name) => [name, value]));
      expect((await guard(claude('rm -rf /'), [], { env })).exit, value).toBe(2);
    }
  });

  test('settings that only a variable leads to can make it stricter, and relax nothing', async () => {
    const relaxed = createWorkspace(settings({ overrides: [override] }));
    expect((await guard('{"tool":"Bash","input":{}}', [], {}, relaxed)).exit).toBe(2);
    const strict = createWorkspace(settings({ preset: 'strict' }));
    expect((await guard(claude(7), [], {}, strict)).exit).toBe(2);
  });

  test('settings that the command line names count', async () => {
    const relaxed = createWorkspace(settings({ overrides: [override] }));
    expect((await guard('{"tool":"Bash","input":{}}', ['--home', relaxed.home], {}, relaxed)).exit).toBe(0);
  });
});

test('as the script of a hook it gates a real firing', async () => {
  const workspace = createWorkspace({
    '.agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\n---\n',
    '.agents/hooks/gate/scripts/run.sh': '#!/bin/sh\nexec hookline guard\n',
  });
  const bin = workspace.at('~/bin');
  mkdirSync(bin);
  writeFileSync(
    path.join(bin, 'hookline'),
    `#!/bin/sh\nexec '${process.execPath}' '${fileURLToPath(new URL('../../../bin/hookline.js', import.meta.url))}' "$@"\n`,
  );
  chmodSync(path.join(bin, 'hookline'), 0o755);
  const fire = (command: string) =>
    hookline(workspace, ['fire', 'tool.before', '--tool', 'Bash', '--input', JSON.stringify({ command }), '--trust-all', '--json'], {
      env: { PATH: `${bin}:${process.env['PATH']}` },
    });
  const denied = await fire('rm -rf /');
  expect(denied.exit, denied.stdout).toBe(2);
  expect(JSON.parse(denied.stdout)).toMatchObject({ decision: 'deny', hooks: [{ handler: 'command', exit: 2 }] });
  expect((await fire('ls')).exit).toBe(0);
});

describe('explain', () => {
  const explain = (command: string, ...argv: string[]) => hookline(createWorkspace(), ['guard', 'explain', command, ...argv]);

  test('shows the command, its part in question, how it unwraps, and what to do instead', async () => {
    const { exit, stdout, stderr } = await explain("sudo bash -c 'rm -rf /'");
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: '' });
    expect(stdout).toContain("  sudo bash -c 'rm -rf /'\n");
    expect(stdout).toMatch(/\n {2}\^+\n/);
    expect(stdout).toMatch(/sudo › bash -c › rm -rf \//);
    expect(stdout).toContain('instead:');
    expect(stdout).not.toContain('\x1b');
  });

  test('says the same as JSON', async () => {
    const { exit, stdout } = await explain("sudo bash -c 'rm -rf /'", '--json');
    expect(exit).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      decision: 'deny',
      rule: expect.any(String),
      severity: 'catastrophic',
      complete: true,
      span: [0, 23],
      effective: { argv: ['rm', '-rf', '/'], via: ['sudo', 'bash -c'] },
      why: expect.any(String),
      instead: expect.any(String),
      trace: [
        { step: 'unwrap', from: 'sudo' },
        { step: 'unwrap', from: 'bash -c' },
        { step: 'run', from: 'rm -rf /' },
      ],
      override: { possible: false, because: 'locked' },
      preset: 'standard',
      presets: { standard: 'deny', strict: 'deny', paranoid: 'deny' },
      elapsed_us: expect.any(Number),
      findings: expect.any(Array),
    });
  });

  test('no objection is exit 0; nothing is run', async () => {
    const workspace = createWorkspace();
    expect(await hookline(workspace, ['guard', 'explain', 'touch made'])).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('no objection'),
    });
    expect(JSON.parse((await explain('ls', '--json')).stdout)).toMatchObject({ decision: 'none', rule: null, findings: [] });
  });

  test('a command can not repaint the terminal, and a long one keeps to its width', async () => {
    const { stdout } = await hookline(createWorkspace(), ['guard', 'explain', `echo \x1b[2J\u202e${'x'.repeat(5000)}; rm -rf /`], {
      env: { COLUMNS: '80' },
    });
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(Math.max(...stdout.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(82);
  });

  test('an override is shown, and one that has ended is said', async () => {
    const overrides = [
      { rule: 'uncertain', reason: 'we know', expires: '2999-12-31' },
      { rule: 'other-rule', reason: 'x', expires: '2020-01-01' },
    ];
    const workspace = createWorkspace({ '~/.config/hookline/settings.json': JSON.stringify({ guard: { overrides } }) });
    const { exit, stdout } = await hookline(workspace, ['guard', 'explain', 'if then (', '--home', workspace.home]);
    expect(stdout).toContain('we know');
    expect(stdout).toContain('expired on 2020-01-01');
    expect(exit).toBe(0);
  });

  test('without a command, or with a preset that is none, it is wrong usage', async () => {
    expect((await hookline(createWorkspace(), ['guard', 'explain'])).exit).toBe(64);
    expect((await explain('ls', '--preset', 'careless')).exit).toBe(64);
    expect((await explain('ls', '--presett', 'strict')).exit).toBe(64);
  });
});

test('the rules are listed by category, with their packs', async () => {
  const { exit, stdout } = await hookline(createWorkspace(), ['guard', 'rules', '--json']);
  const { rules } = JSON.parse(stdout);
  expect(exit).toBe(0);
  expect(rules.length).toBeGreaterThan(20);
  expect(rules[0]).toEqual({
    id: expect.any(String),
    category: expect.any(String),
    pack: null,
    severity: expect.any(String),
    locked: expect.any(Boolean),
    reason: expect.any(String),
    instead: expect.any(String),
  });
  expect((await hookline(createWorkspace(), ['guard', 'rules'])).stdout).toContain(`${rules.length} rules`);
});
