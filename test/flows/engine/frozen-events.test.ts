/** Hooks in this process share the event they judge, so none of them can change it: only a returned `rewrite` does. */
import { describe, expect, test } from 'vitest';
import { type Hook, HookContext, HookInput, HookManager } from '../../../src/claude-agent.ts';
import type { Hookline, HooklineOptions, JsonObject } from '../../../src/index.ts';
import { createWorkspace } from '../../support/workspace.ts';

type Loose = Record<string, unknown> & { nested: { deep: unknown[] } };

const payload = () => ({ tool: 'Bash', input: { command: 'rm -rf /', nested: { deep: ['a', { b: 1 }] } } });
const seen = { command: 'rm -rf /', nested: { deep: ['a', { b: 1 }] } };

/** Each tries to make the command look harmless to the hook that judges it next. `key` is that of the tool's input in what it was shown. */
const ATTEMPTS: readonly [string, (shown: Loose, input: Loose, key: string) => unknown][] = [
  ['replaces the input', (shown, _, key) => assign(shown, key, { command: 'ls' })],
  ['deletes the input', (shown, _, key) => delete shown[key]],
  ['assigns to the input', (_, input) => assign(input, 'command', 'ls')],
  ['assigns below it', (_, { nested }) => assign(nested, 'deep', 'harmless')],
  ['pushes to a list', (_, { nested }) => nested.deep.push('c')],
  ['assigns in a list', (_, { nested }) => assign(nested.deep[1] as Loose, 'b', 2)],
  ['turns a list around', (_, { nested }) => nested.deep.reverse()],
  ['defines a getter', (_, input) => Object.defineProperty(input, 'command', { get: () => 'ls' })],
  ['defines a getter for the input', (shown, _, key) => Object.defineProperty(shown, key, { get: () => ({ command: 'ls' }) })],
  ['gives it another prototype', (_, input) => Object.setPrototypeOf(input, { extra: true })],
  ['adds a key', (_, input) => assign(input, 'extra', true)],
  ['deletes a key', (_, input) => delete input['command']],
];

function assign(target: object, key: string, value: unknown): void {
  (target as Record<string, unknown>)[key] = value;
}

async function open(options: HooklineOptions = {}): Promise<Hookline> {
  return createWorkspace().open(options);
}

/** A skill with hooks for both, because skillkit has events of its own. */
function skillOf(attempt: (context: JsonObject) => void, judge: (context: JsonObject) => void) {
  return {
    name: 'policy',
    hooks: [
      { event: 'PreToolUse' as const, handler: (context: JsonObject) => attempt(context) },
      { event: 'PreToolUse' as const, handler: (context: JsonObject) => judge(context) },
    ],
  };
}

/** Tries to change what a hook was shown, and returns whether the hook noticed that it cannot. */
function tried(attempt: (typeof ATTEMPTS)[number][1], given: unknown, key = 'input'): boolean {
  const shown = given as Loose;
  return fails(() => attempt(shown, shown[key] as Loose, key));
}

function fails(change: () => unknown): boolean {
  try {
    change();
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    return true;
  }
}

describe.each(ATTEMPTS)('a hook that %s changes nothing', (_, attempt) => {
  test('for the next function, and it throws in the hook itself', async () => {
    const hookline = await open();
    const given = payload();
    const noticed: boolean[] = [];
    const judged: unknown[] = [];
    hookline.on('tool.before', ({ data }) => void noticed.push(tried(attempt, data)), { priority: 2 });
    hookline.on('tool.before', ({ data }) => void judged.push(structuredClone(data)), { priority: 1 });
    expect((await hookline.fire('tool.before', given)).decision).toBe('pass');
    expect({ judged, noticed, given }).toEqual({ judged: [{ tool: 'Bash', input: seen }], noticed: [true], given: payload() });
  });

  test('for the caller, if it is the only hook', async () => {
    const hookline = await open();
    const given = payload();
    const noticed: boolean[] = [];
    hookline.on('tool.before', ({ data }) => void noticed.push(tried(attempt, data)));
    await hookline.fire('tool.before', given);
    expect({ given, noticed }).toEqual({ given: payload(), noticed: [true] });
    expect(Object.isFrozen(given) || Object.isFrozen(given.input)).toBe(false);
  });

  test('for the guard', async () => {
    const hookline = await open();
    hookline.on('tool.before', ({ data }) => void tried(attempt, data), { priority: 2 });
    hookline.on('tool.before', 'hookline guard', { priority: 1 });
    expect(await hookline.fire('tool.before', payload())).toMatchObject({ decision: 'deny' });
  });

  test('for the next hook of a skill, nor for a function', async () => {
    const hookline = await open();
    const judged: unknown[] = [];
    const noticed: boolean[] = [];
    hookline.registerSkill(
      skillOf(
        (context) => void noticed.push(tried(attempt, context)),
        (context) => void judged.push(structuredClone(context['input'])),
      ),
    );
    hookline.on('tool.before', ({ data }) => void judged.push(structuredClone(data.input)));
    await hookline.fire('tool.before', payload());
    expect({ judged, noticed }).toEqual({ judged: [seen, seen], noticed: [true] });
  });

  test('for the next hook of claude-agent, in the engine and in a manager', async () => {
    const judged: unknown[] = [];
    const hooks: readonly Hook<'PreToolUse'>[] = [
      {
        name: 'first',
        events: ['PreToolUse'],
        priority: 2,
        execute: ({ data }) => void tried(attempt, { input: data.toolInput() }),
      },
      { name: 'next', events: ['PreToolUse'], priority: 1, execute: ({ data }) => void judged.push(data.toolInput()) },
    ];
    const hookline = await open();
    const manager = new HookManager();
    for (const hook of hooks) {
      hookline.on(hook);
      manager.register(hook);
    }
    await hookline.fire('tool.before', payload());
    const given = payload();
    await manager.execute('PreToolUse', HookInput.preToolUse('s', 'Bash', given.input), new HookContext('s'));
    expect({ judged, given }).toEqual({ judged: [seen, seen], given: payload() });
  });

  test('for the next custom handler, nor for the model', async () => {
    const skill = '---\nname: s\ndescription: s\nhooks:\n  PreToolUse:\n    - hooks:\n        - type: change\n        - type: judge\n---\n';
    const prompt = { hooks: { PreToolUse: [{ hooks: [{ type: 'prompt', prompt: 'Is it safe?' }] }] } };
    const files = { 'skills/s/SKILL.md': skill, '.claude/settings.json': JSON.stringify(prompt) };
    const judged: unknown[] = [];
    const noticed: boolean[] = [];
    const change = (shown: JsonObject, key: string): void => void noticed.push(tried(attempt, shown, key));
    const hookline = await createWorkspace(files).open({
      handlers: {
        change: (_config, context) => change(context, 'input'),
        judge: (_config, context) => void judged.push(structuredClone(context['input'])),
      },
      model: {
        judge: async ({ payload: shown }) => {
          change(shown, 'tool_input');
          return { ok: true };
        },
      },
    });
    hookline.on('tool.before', ({ data }) => void judged.push(structuredClone(data.input)));
    await hookline.fire('tool.before', payload());
    expect({ judged, noticed }).toEqual({ judged: [seen, seen], noticed: [true, true] });
  });
});

describe('the event is what the caller passed at the time', () => {
  const later = (work: () => unknown) => new Promise<undefined>((resolve) => setImmediate(() => resolve(void work())));

  test('a caller that changes its payload while hooks run changes neither a later hook nor the ticket nor the log', async () => {
    const hookline = await open({ log: { record: 'all' } });
    const given = payload();
    const judged: unknown[] = [];
    hookline.on('tool.before', () => later(() => {}), { priority: 2 });
    hookline.on(
      'tool.before',
      ({ data }) => {
        judged.push(structuredClone(data.input));
        return { decision: 'hold', reason: 'wait' };
      },
      { priority: 1 },
    );
    const fired = hookline.fire('tool.before', given);
    given.input.command = 'ls';
    given.input.nested.deep.length = 0;
    const { ticket } = await fired;
    expect(judged).toEqual([seen]);
    expect((await hookline.approvals.get(ticket?.id ?? ''))?.action.event.data).toEqual({ tool: 'Bash', input: seen });
    expect((await hookline.log.list({})).find(({ kind }) => kind === 'tool.before')?.data).toMatchObject({ input: seen });
  });

  test('a hook that keeps what it returned cannot change it afterwards', async () => {
    const hookline = await open();
    const rewrite = { command: 'ls', list: [1] };
    const judged: unknown[] = [];
    hookline.on('tool.before', () => ({ rewrite }), { priority: 2 });
    hookline.on('tool.before', () => later(() => Object.assign(rewrite, { command: 'rm -rf /', list: rewrite.list.push(2) })), {
      priority: 1,
    });
    hookline.on('tool.before', ({ data }) => void judged.push(data.input));
    const outcome = await hookline.fire('tool.before', payload());
    expect([...judged, outcome.rewrite]).toEqual([
      { command: 'ls', list: [1] },
      { command: 'ls', list: [1] },
    ]);
    expect(Object.isFrozen(rewrite)).toBe(false);
  });

  test('the rewrite that the caller gets is its own', async () => {
    const hookline = await open();
    hookline.on('tool.before', () => ({ rewrite: { list: [1] } }));
    const { rewrite } = await hookline.fire('tool.before', payload());
    (rewrite as { list: number[] }).list.push(2);
    expect(rewrite).toEqual({ list: [1, 2] });
  });

  test('a function that is asked after an approval cannot change the event either', async () => {
    const workspace = createWorkspace();
    // This store keeps text, so it gives back objects that are not frozen.
    const hookline = await workspace.open({ store: `sqlite:${workspace.at('hookline.db')}` });
    const noticed: boolean[] = [];
    hookline.on('tool.before', () => ({ decision: 'hold', reason: 'wait', state: { step: 1 } }), { priority: 2 });
    hookline.on('tool.before', ({ data, pending }) => {
      if (pending) noticed.push(...[data.input, pending, pending[0]?.state].map((part) => fails(() => assign(part as object, 'extra', 1))));
    });
    const { ticket } = await hookline.fire('tool.before', payload());
    await hookline.resume(ticket?.id ?? '', { approve: true, input: { command: 'ls' } });
    expect(noticed).toEqual([true, true, true]);
  });

  test('what JSON cannot hold is shown as JSON would hold it, and a payload that contains itself is refused', async () => {
    const hookline = await open();
    const judged: unknown[] = [];
    hookline.on('tool.before', ({ data }) => void judged.push(data.input));
    const at = new Date(0);
    await hookline.fire('tool.before', { tool: 'Bash', input: { at, run: () => 1, list: [() => 1, at] } as never });
    expect(judged.pop()).toEqual({ at: at.toJSON(), list: [undefined, at.toJSON()] });
    await hookline.fire('tool.before', { tool: 'Bash', input: JSON.parse('{"__proto__": {"polluted": true}}') });
    const [shown] = judged as [Loose];
    expect([Object.keys(shown), shown['polluted']]).toEqual([['__proto__'], undefined]);
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    await expect(hookline.fire('tool.before', { tool: 'Bash', input: loop as never })).rejects.toMatchObject({ code: 'bad-payload' });
  });

  test('a payload of any depth is judged', async () => {
    const hookline = await open();
    const deep = JSON.parse(`${'{"a":'.repeat(50_000)}"rm"${'}'.repeat(50_000)}`);
    let depth = 0;
    hookline.on('tool.before', ({ data }): undefined => {
      for (let at: unknown = data.input; typeof at === 'object' && at !== null; at = (at as Loose)['a'])
        depth += Object.isFrozen(at) ? 1 : 0;
    });
    await hookline.fire('tool.before', { tool: 'Bash', input: deep });
    expect(depth).toBe(50_000);
  });
});
