/** One line turns the guard on, in every format: it denies before a tool what is dangerous, and has no word on the rest. */
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { Hookline } from '../../../src/index.ts';
import { NATIVE, TOOL_EVENTS } from '../../support/native-hooks.ts';
import { createWorkspace } from '../../support/workspace.ts';

type Files = Readonly<Record<string, string>>;

/** The line where each format has its command. */
const withLine = (dialect: string, line: string): Files => {
  const event = TOOL_EVENTS[dialect]?.before as string;
  if (dialect !== 'agenthooks') return NATIVE[dialect]?.({ event, command: line }) ?? {};
  const front = { name: 'gate', description: 'A gate.', trigger: event, metadata: { command: line } };
  return { '.agents/hooks/gate/HOOK.md': `---\n${stringify(front)}---\n` };
};

const typed = (handler: object): Readonly<Record<string, Files>> => ({
  skillkit: {
    'skills/gate/SKILL.md': `---\n${stringify({ name: 'gate', description: 'A gate.', hooks: { PreToolUse: [{ hooks: [handler] }] } })}---\n`,
  },
  'claude-agent': { '.claude/settings.json': JSON.stringify({ hooks: { PreToolUse: { gate: handler } } }) },
  arawn: {
    'plugins/gate/.claude-plugin/plugin.json': JSON.stringify({ name: 'gate', version: '1.0.0' }),
    'plugins/gate/hooks/hooks.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [handler] }] } }),
  },
});

const bash = (hookline: Hookline, command: unknown) => hookline.fire('tool.before', { tool: 'Bash', input: { command } as never });

async function expectGuard(hookline: Hookline): Promise<void> {
  expect(hookline.diagnostics).toEqual([]);
  const denied = await bash(hookline, 'rm -rf /');
  expect(denied).toMatchObject({ decision: 'deny', hooks: [{ handler: 'guard', status: 'answered', decision: 'deny' }] });
  expect(denied.reason).toMatch(/Instead: .*\(Guard rule [a-z-]+\.\)/);
  expect(await bash(hookline, 'ls')).toMatchObject({ decision: 'pass', hooks: [{ handler: 'guard', decision: 'pass' }], diagnostics: [] });
}

describe.each(Object.keys(TOOL_EVENTS))('%s', (dialect) => {
  test('the line `hookline guard` is the guard', async () => {
    await expectGuard(await createWorkspace(withLine(dialect, 'hookline guard')).open());
  });

  test('what a person should decide is never dropped: held where the format can, else denied with words for a person', async () => {
    const outcome = await bash(await createWorkspace(withLine(dialect, 'hookline guard')).open(), 7);
    const canWait = dialect === 'skillkit' || dialect === 'agenthooks';
    expect(outcome.decision).toBe(canWait ? 'hold' : 'deny');
    expect(outcome.reason).toContain('A person should decide');
    if (!canWait) expect(outcome.reason).toContain('Let a person run it');
  });

  test('its options count', async () => {
    expect(await bash(await createWorkspace(withLine(dialect, 'hookline guard --preset strict')).open(), 7)).toMatchObject({
      decision: 'deny',
    });
  });

  test('one that is set up wrongly is an error, and denies: whatever the format says of failures', async () => {
    const hookline = await createWorkspace(withLine(dialect, 'hookline guard --preset careless')).open();
    expect(hookline.diagnostics).toMatchObject([{ severity: 'error', code: 'bad-handler' }]);
    expect(await bash(hookline, 'ls')).toMatchObject({ decision: 'deny', hooks: [{ status: 'faulted', fault: { kind: 'unavailable' } }] });
  });

  test('a pack that does not exist denies, and the reason says so', async () => {
    const hookline = await createWorkspace(withLine(dialect, 'hookline guard --pack nonsense')).open();
    expect(await bash(hookline, 'ls')).toMatchObject({ decision: 'deny', reason: expect.stringContaining('nonsense') });
  });
});

describe.each(Object.keys(typed({})))('%s', (dialect) => {
  test('the type `guard` is the guard', async () => {
    await expectGuard(await createWorkspace(typed({ type: 'guard' })[dialect] as Files).open());
    const strict = await createWorkspace(typed({ type: 'guard', preset: 'strict', packs: [] })[dialect] as Files).open();
    expect(await bash(strict, 7)).toMatchObject({ decision: 'deny' });
  });

  test('a setting it does not know is an error, and denies', async () => {
    const hookline = await createWorkspace(typed({ type: 'guard', pressets: 'strict' })[dialect] as Files).open();
    expect(hookline.diagnostics).toMatchObject([{ severity: 'error', code: 'bad-handler' }]);
    expect(await bash(hookline, 'ls')).toMatchObject({ decision: 'deny' });
  });
});

describe('in code', () => {
  test('the line is a hook like any function', async () => {
    const hookline = await createWorkspace().open({ trust: 'ask' });
    const off = hookline.on('tool.before', 'hookline guard');
    await expectGuard(hookline);
    expect(await bash(hookline, 7)).toMatchObject({ decision: 'hold' });
    off();
    expect(await bash(hookline, 'rm -rf /')).toMatchObject({ decision: 'pass', hooks: [] });
  });

  test('a line that is not built in is misuse', async () => {
    const hookline = await createWorkspace().open();
    expect(() => hookline.on('tool.before', 'hookline gaurd')).toThrow(/is not a built-in command line/);
    expect(() => hookline.on('tool.before', 'hookline guard --preset careless')).toThrow(/preset/);
  });
});

describe('settings', () => {
  const settings = (guard: object): Files => ({ '~/.config/hookline/settings.json': JSON.stringify({ guard }) });
  const override = { rule: 'uncertain', reason: 'ours', expires: '2999-12-31' };

  test("the user's are heeded: preset and overrides", async () => {
    const line = withLine('hooktoml', 'hookline guard');
    expect(await bash(await createWorkspace({ ...line, ...settings({ overrides: [override] }) }).open(), 7)).toMatchObject({
      decision: 'pass',
    });
    expect(
      await bash(await createWorkspace({ ...line, ...settings({ overrides: [{ ...override, expires: '2020-01-01' }] }) }).open(), 7),
    ).toMatchObject({
      decision: 'deny',
    });
  });

  test('no override reaches a locked rule', async () => {
    const hookline = await createWorkspace(withLine('hooktoml', 'hookline guard')).open();
    const rule = /Guard rule ([a-z-]+)/.exec((await bash(hookline, 'rm -rf /')).reason ?? '')?.[1] as string;
    const overrides = [{ ...override, rule }];
    const relaxed = await createWorkspace({ ...withLine('hooktoml', 'hookline guard'), ...settings({ overrides }) }).open();
    expect(await bash(relaxed, 'rm -rf /')).toMatchObject({ decision: 'deny' });
  });

  test('a project can not relax: a settings file in it is none', async () => {
    const overrides = { guard: { overrides: [override] } };
    const files = {
      ...withLine('hooktoml', 'hookline guard'),
      '.config/hookline/settings.json': JSON.stringify(overrides),
      'hookline/settings.json': JSON.stringify(overrides),
    };
    expect(await bash(await createWorkspace(files).open(), 7)).toMatchObject({ decision: 'deny' });
  });

  test("the caller's options add up with them", async () => {
    const workspace = createWorkspace({ ...withLine('skillkit', 'hookline guard'), ...settings({ preset: 'strict' }) });
    expect(await bash(await workspace.open({ guard: { preset: 'standard' } }), 7)).toMatchObject({ decision: 'deny' });
  });
});

test('a file is judged where the session works, and not where the hook lives', async () => {
  const workspace = createWorkspace(withLine('hooktoml', 'hookline guard'));
  const hookline = await workspace.open();
  const write = (file: string, cwd: string) => hookline.fire('tool.before', { tool: 'Write', input: { file_path: file } }, { cwd });
  expect(await write('.bashrc', workspace.home)).toMatchObject({ decision: 'deny' });
  expect(await write('src/index.ts', workspace.root)).toMatchObject({ decision: 'pass' });
});
