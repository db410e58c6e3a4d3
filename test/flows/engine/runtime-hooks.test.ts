/** Hooks given in code: `on` and `registerSkill`. They fire from the moment they are registered until they are undone. */
import { describe, expect, test } from 'vitest';
import { registerHandler, type Skill } from '../../../src/index.ts';
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
    const off = hookline.on('tool.before', () => ({ decision: 'deny', reason: 'no' }));
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
    hookline.on('tool.before', () => ({ decision: 'deny', reason: 'no' }), { match });
    expect((await hookline.fire('tool.before', { tool: name, input: {} })).decision).toBe(fires ? 'deny' : 'pass');
  });

  test('a lone function is asked once, and its outcome is the same whether it answers at once, later or with no opinion', async () => {
    const outcomes = [];
    for (const answer of [() => undefined, async () => undefined, () => ({ decision: 'pass' as const })]) {
      const hookline = await createWorkspace().open();
      let calls = 0;
      const counted = () => {
        calls++;
        return answer();
      };
      hookline.on('tool.before', counted, { name: 'lone' });
      const { id: _, hooks, ...outcome } = await hookline.fire('tool.before', tool);
      outcomes.push({ calls, outcome, hooks: hooks.map(({ id: __, ms, ...report }) => ({ ...report, timed: typeof ms })) });
    }
    expect(outcomes[0]).toMatchObject({ calls: 1, hooks: [{ name: 'lone', status: 'answered', decision: 'pass', timed: 'number' }] });
    expect([outcomes[1], outcomes[2]]).toEqual([outcomes[0], outcomes[0]]);
  });

  test.each([{ deny: 'No.' }, { block: true }, { decision: 'deny' }, 'deny', true, 1, new Error('No.')])(
    'a return that is no answer is a fault, which denies where something can be denied: %j',
    async (value) => {
      const hookline = await createWorkspace().open();
      for (const kind of ['tool.before', 'notification'] as const) hookline.on(kind, () => value as never, { name: 'gate' });
      const fault = { kind: 'malformed' };
      const denied = await hookline.fire('tool.before', tool);
      expect(denied).toMatchObject({ decision: 'deny', hooks: [{ status: 'faulted', decision: 'deny', fault }] });
      expect(denied.reason).toMatch(/^Hook 'gate' gave an answer that cannot be read: /);
      const observed = await hookline.fire('notification', { message: 'hi' });
      expect(observed).toMatchObject({ decision: 'pass', hooks: [{ status: 'faulted', fault }] });
    },
  );

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
    hookline.on('tool.error', throws);
    expect(await hookline.fire('tool.before', tool)).toMatchObject({ decision: 'deny', hooks: [{ fault: { kind: 'threw' } }] });
    expect(await hookline.fire('tool.error', tool)).toMatchObject({ decision: 'pass', hooks: [{ fault: { kind: 'threw' } }] });
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
      hookline.on('tool.before', () => ({ decision: 'deny', reason: 'no' }), { name: 'late' });
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

test.each([[{ name: '', hooks: [] }], [{ hooks: [] }], [{ name: 'x' }], [{ name: 'x', hooks: {} }], [null]])(
  'registerSkill refuses %j, which could not be unregistered or has no hooks',
  async (skill) => {
    const hookline = await createWorkspace().open();
    expect(() => hookline.registerSkill(skill as unknown as Skill)).toThrow(expect.objectContaining({ code: 'bad-option' }));
  },
);

describe('unregisterSkill', () => {
  const file = (name: string): Record<string, string> => ({
    [`skills/${name}/SKILL.md`]: `---\nname: ${name}\ndescription: s\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: "echo ${name}; exit 2"\n---\n`,
  });

  test('stops the hooks of a file at once, after a reload too, and those of no other skill', async () => {
    const hookline = await createWorkspace({ ...file('one'), ...file('two') }).open();
    expect((await hookline.fire('tool.before', tool)).reason).toBe('one');
    expect(hookline.unregisterSkill('one')).toBe(true);
    expect((await hookline.fire('tool.before', tool)).reason).toBe('two');
    await hookline.reload();
    expect((await hookline.fire('tool.before', tool)).reason).toBe('two');
    expect(hookline.unregisterSkill('one')).toBe(false);
    expect(hookline.unregisterSkill('nobody')).toBe(false);
  });

  test('keeps a hook that the settings require', async () => {
    const workspace = createWorkspace({ ...file('one') });
    const [hook] = (await (await workspace.open()).list()).hooks;
    workspace.write({ '~/.config/hookline/settings.json': JSON.stringify({ required: [hook?.name] }) });
    const hookline = await workspace.open();
    expect(hookline.unregisterSkill('one')).toBe(false);
    expect((await hookline.fire('tool.before', tool)).decision).toBe('deny');
  });

  test('stops the hooks of code, and a skill that is registered twice replaces itself', async () => {
    const hookline = await createWorkspace().open();
    const calls: string[] = [];
    const register = (mark: string) =>
      hookline.registerSkill({ name: 'policy', hooks: [{ event: 'pre_tool_use', handler: () => void calls.push(mark) }] });
    const first = register('a');
    register('b');
    await hookline.fire('tool.before', tool);
    // The first registration is over, so undoing it must not end the second.
    first();
    await hookline.fire('tool.before', tool);
    expect(hookline.unregisterSkill('policy')).toBe(true);
    await hookline.fire('tool.before', tool);
    expect(calls).toEqual(['b', 'b']);
  });
});

describe('the agent of an engine', () => {
  test('is matched on events that name none, in every form of a call, and is in the context', async () => {
    const hookline = await createWorkspace().open({ agent: 'my-agent' });
    const seen: unknown[] = [];
    hookline.registerSkill({
      name: 'policy',
      hooks: [
        { event: 'pre_turn', matcher: '^my-agent$', handler: ({ agent_name }) => void seen.push(agent_name) },
        { event: 'pre_tool_use', handler: ({ agent_name }) => void seen.push(agent_name) },
      ],
    });
    await hookline.fire('turn.before', { messageCount: 1 });
    await hookline.fire('turn.before', { messageCount: 1, agent: 'other' });
    await hookline.fire({ as: 'skillkit', event: 'PreTurn', payload: { message_count: 1 } });
    await hookline.fire('tool.before', { ...tool, agent: 'other' });
    expect(seen).toEqual(['my-agent', 'my-agent', 'other']);
  });

  test('must have a name', async () => {
    await expect(createWorkspace().open({ agent: '' })).rejects.toMatchObject({ code: 'bad-option' });
  });
});

describe('a function of a skill that does not answer in time', () => {
  const never = () => new Promise<never>(() => {});

  test('denies as one that throws does, before an action and not after it', async () => {
    const hookline = await createWorkspace().open();
    const hooks = (['PreToolUse', 'PostToolUse'] as const).map((event) => ({ event, handler: never, timeoutMs: 20 }));
    hookline.registerSkill({ name: 'slow', hooks });
    expect(await hookline.fire('tool.before', tool)).toMatchObject({ decision: 'deny', hooks: [{ fault: { kind: 'timeout' } }] });
    expect(await hookline.fire('tool.after', { ...tool, result: 1 })).toMatchObject({ decision: 'pass' });
  });

  test('and a command that does not still proceeds', async () => {
    const slow =
      '---\nname: s\ndescription: s\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: command\n          command: sleep 5\n          timeout: 0.05\n---\n';
    const hookline = await createWorkspace({ 'skills/s/SKILL.md': slow }).open();
    expect(await hookline.fire('tool.before', tool)).toMatchObject({ decision: 'pass', hooks: [{ fault: { kind: 'timeout' } }] });
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

  test('may be objects with `execute`, for one engine and for all', async () => {
    class Slack {
      readonly answer = 'no';
      execute(config: { readonly channel?: unknown }): { deny: string } {
        return { deny: `${config.channel}: ${this.answer}` };
      }
    }
    const undo = registerHandler('slack-object', new Slack());
    const workspace = createWorkspace(skill('slack-object'));
    const everywhere = await workspace.open();
    undo();
    const own = await workspace.open({ handlers: { 'slack-object': new Slack() } });
    for (const hookline of [everywhere, own]) expect((await hookline.fire('tool.before', tool)).reason).toBe('ops: no');
    await expect(workspace.open({ handlers: { 'slack-object': {} as never } })).rejects.toThrow(/execute/);
    expect(() => registerHandler('x', { run: () => 'ok' } as never)).toThrow(/execute/);
  });

  test('that nobody registered are a warning, and the hook does not block', async () => {
    const hookline = await createWorkspace(skill('nobody')).open();
    expect(hookline.diagnostics).toMatchObject([{ severity: 'warning', code: 'unknown-handler', line: expect.any(Number) }]);
    expect((await hookline.fire('tool.before', tool)).decision).toBe('pass');
  });
});
