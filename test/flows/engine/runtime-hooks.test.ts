/** Hooks given in code: `on` and `registerSkill`. They fire from the moment they are registered until they are undone. */
import { describe, expect, test } from 'vitest';
import { registerHandler } from '../../../src/index.ts';
import { NATIVE } from '../../support/native-hooks.ts';
import { createWorkspace } from '../../support/workspace.ts';

const tool = { tool: 'Bash', input: { command: 'ls' } };

describe('on', () => {
  test('fires until it is undone, and undoing twice is harmless', async () => {
    const hookline = await createWorkspace().open();
    const off = hookline.on('tool.before', () => ({ decision: 'deny', reason: 'no' }));
    expect((await hookline.fire('tool.before', tool)).decision).toBe('deny');
    off();
    off();
    expect(await hookline.fire('tool.before', tool)).toMatchObject({ decision: 'pass', hooks: [] });
  });

  test('is undone by `using` as well', async () => {
    const hookline = await createWorkspace().open();
    const off = hookline.on('tool.before', () => ({ decision: 'deny' }));
    off[Symbol.dispose]();
    expect((await hookline.fire('tool.before', tool)).decision).toBe('pass');
  });

  test.each([
    { match: 'Bash|Write', tool: 'Bash', fires: true },
    { match: 'Bash|Write', tool: 'Read', fires: false },
    { match: 'ash', tool: 'Bash', fires: true },
    { match: '^ash', tool: 'Bash', fires: false },
    { match: /^bash$/, tool: 'Bash', fires: false },
    { match: /^bash$/i, tool: 'Bash', fires: true },
  ])('$match on $tool fires: $fires', async ({ match, tool: name, fires }) => {
    const hookline = await createWorkspace().open();
    hookline.on('tool.before', () => ({ decision: 'deny' }), { match });
    expect((await hookline.fire('tool.before', { tool: name, input: {} })).decision).toBe(fires ? 'deny' : 'pass');
  });

  test('a higher priority is asked first; equals are asked in the order of registration', async () => {
    const hookline = await createWorkspace().open();
    const calls: string[] = [];
    for (const [name, priority] of [
      ['a', 0],
      ['b', 10],
      ['c', 10],
      ['d', -1],
    ] as const) {
      hookline.on('tool.before', () => void calls.push(name), { name, priority });
    }
    await hookline.fire('tool.before', tool);
    expect(calls).toEqual(['b', 'c', 'a', 'd']);
  });

  test('comes before hooks that were found in files', async () => {
    const workspace = createWorkspace(NATIVE['skillkit']?.({ event: 'PreToolUse', command: 'exit 0' }));
    const hookline = await workspace.open();
    hookline.on('tool.before', () => undefined, { name: 'mine' });
    const { hooks } = await hookline.fire('tool.before', tool);
    expect(hooks.map(({ dialect }) => dialect)).toEqual(['hookline', 'skillkit']);
    expect(hooks[0]).toMatchObject({ name: 'mine', source: { scope: 'runtime' } });
  });

  test('a throw denies where something can be denied, and is a fault where not', async () => {
    const hookline = await createWorkspace().open();
    const throws = (): never => {
      throw new Error('oops');
    };
    hookline.on('tool.before', throws);
    hookline.on('tool.after', throws);
    expect(await hookline.fire('tool.before', tool)).toMatchObject({ decision: 'deny', hooks: [{ fault: { kind: 'threw' } }] });
    expect(await hookline.fire('tool.after', tool)).toMatchObject({ decision: 'pass', hooks: [{ fault: { kind: 'threw' } }] });
  });

  test('an answer that makes no sense denies, and never counts as consent', async () => {
    const hookline = await createWorkspace().open();
    hookline.on('tool.before', () => ({ decision: 'alow' }) as never);
    expect(await hookline.fire('tool.before', tool)).toMatchObject({ decision: 'deny', hooks: [{ fault: { kind: 'malformed' } }] });
  });

  test('a function that does not answer in time is a fault', async () => {
    const hookline = await createWorkspace().open();
    hookline.on('tool.before', () => new Promise(() => {}), { timeoutMs: 30 });
    expect(await hookline.fire('tool.before', tool)).toMatchObject({ decision: 'deny', hooks: [{ fault: { kind: 'timeout' } }] });
  });

  test('can rewrite, and the next function sees it', async () => {
    const hookline = await createWorkspace().open();
    const seen: unknown[] = [];
    hookline.on('prompt.submit', ({ data }) => ({ rewrite: `${data.prompt}!` }), { priority: 1 });
    hookline.on('prompt.submit', ({ data }) => void seen.push(data.prompt));
    expect((await hookline.fire('prompt.submit', { prompt: 'hi' })).rewrite).toBe('hi!');
    expect(seen).toEqual(['hi!']);
  });

  test('what can not be registered is refused at once', async () => {
    const hookline = await createWorkspace().open();
    expect(() => hookline.on('tool.befor' as 'tool.before', () => undefined)).toThrow(expect.objectContaining({ code: 'unknown-event' }));
    expect(() => hookline.on('tool.before', 'deny' as never)).toThrow(expect.objectContaining({ code: 'bad-option' }));
    expect(() => hookline.on('tool.before', () => undefined, { match: '(' })).toThrow(expect.objectContaining({ code: 'bad-option' }));
  });

  test('registering from within a hook does not disturb the firing under way', async () => {
    const hookline = await createWorkspace().open();
    hookline.on('tool.before', () => {
      hookline.on('tool.before', () => ({ decision: 'deny' }), { name: 'late' });
    });
    expect((await hookline.fire('tool.before', tool)).hooks).toHaveLength(1);
    expect((await hookline.fire('tool.before', tool)).decision).toBe('deny');
  });
});

describe('registerSkill', () => {
  test('its hooks fire until the skill is unregistered', async () => {
    const hookline = await createWorkspace().open();
    const gone = hookline.registerSkill({
      name: 'policy',
      hooks: [{ event: 'PreToolUse', matcher: /Shell/, handler: () => ({ deny: 'no shells' }) }],
    });
    const shell = { tool: 'SkillKit.Tools.Shell', input: {} };
    expect(await hookline.fire('tool.before', shell)).toMatchObject({ decision: 'deny', reason: 'no shells' });
    expect((await hookline.fire('tool.before', tool)).decision).toBe('pass');
    gone();
    expect((await hookline.fire('tool.before', shell)).hooks).toEqual([]);
  });

  test('several skills live and die on their own', async () => {
    const hookline = await createWorkspace().open();
    const calls: string[] = [];
    const skill = (name: string) =>
      hookline.registerSkill({ name, hooks: [{ event: 'PreToolUse', handler: () => void calls.push(name) }] });
    const gone = skill('one');
    skill('two');
    await hookline.fire('tool.before', tool);
    gone();
    await hookline.fire('tool.before', tool);
    expect(calls).toEqual(['one', 'two', 'two']);
  });

  test('a skill with a hook that can not be is refused as a whole', async () => {
    const hookline = await createWorkspace().open();
    const hooks = [
      { event: 'PreToolUse' as const, handler: () => ({ deny: 'no' }) },
      { event: 'PreToolUs' as 'PreToolUse', handler: () => undefined },
    ];
    expect(() => hookline.registerSkill({ name: 'odd', hooks })).toThrow(/PreToolUse/);
    expect((await hookline.fire('tool.before', tool)).hooks).toEqual([]);
  });
});

describe('handler types of the caller', () => {
  const skill = (type: string): Record<string, string> => ({
    'skills/s/SKILL.md': `---\nname: s\ndescription: s\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: ${type}\n          channel: ops\n---\n`,
  });

  test('get the settings of the hook and the event, and answer for it', async () => {
    const seen: unknown[] = [];
    const slack = (config: unknown, context: unknown) => {
      seen.push(config, context);
      return { deny: 'ops said no' };
    };
    const hookline = await createWorkspace(skill('slack')).open({ handlers: { slack } });
    expect(await hookline.fire('tool.before', tool)).toMatchObject({ decision: 'deny', reason: 'ops said no' });
    expect(seen).toMatchObject([{ channel: 'ops' }, { tool: 'Bash', input: { command: 'ls' } }]);
  });

  test('given to one engine win over those registered for all', async () => {
    const undo = registerHandler('slack-test', () => ({ deny: 'global' }));
    const workspace = createWorkspace(skill('slack-test'));
    const everywhere = await workspace.open();
    const own = await workspace.open({ handlers: { 'slack-test': () => 'ok' } });
    undo();
    expect((await everywhere.fire('tool.before', tool)).reason).toBe('global');
    expect((await own.fire('tool.before', tool)).decision).toBe('pass');
  });

  test('that nobody registered are a warning, and the hook does not block', async () => {
    const hookline = await createWorkspace(skill('nobody')).open();
    expect(hookline.diagnostics).toMatchObject([{ severity: 'warning', code: 'unknown-handler', line: expect.any(Number) }]);
    expect((await hookline.fire('tool.before', tool)).decision).toBe('pass');
  });
});
