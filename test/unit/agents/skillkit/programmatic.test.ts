import { expect, test } from 'vitest';
import { EVENT_NAMES } from '../../../../src/agents/skillkit/profile.ts';
import { type SkillHook, skillHooks } from '../../../../src/agents/skillkit/programmatic.ts';
import type { JsonObject } from '../../../../src/core/values/json.ts';

const usable = () => undefined;
const signal = new AbortController().signal;

test('a skill value becomes hooks that call its functions with the context', async () => {
  const seen: JsonObject[] = [];
  const { hooks, problems } = skillHooks(
    {
      name: 'policy:enforcer',
      hooks: [
        {
          event: 'PreToolUse',
          matcher: /shell/i,
          handler: (context) => {
            seen.push(context);
            return { deny: 'no' };
          },
        },
        { event: 'PostTurn', handler: async () => {}, timeoutMs: 5 },
      ],
    },
    usable,
  );
  expect(problems).toEqual([]);
  expect(hooks).toMatchObject([
    {
      id: 'skillkit:runtime/policy:enforcer#PreToolUse[0]',
      event: 'PreToolUse',
      when: [{ facet: 'toolTail', test: { source: 'shell', flags: 'i', anchor: 'search' } }],
      handler: { type: 'function', config: {} },
      timeoutMs: 60_000,
      owner: 'policy:enforcer',
      source: { scope: 'skill' },
    },
    { id: 'skillkit:runtime/policy:enforcer#PostTurn[1]', when: [], timeoutMs: 5 },
  ]);
  const [first] = hooks;
  if (!first?.run) throw new Error('a function was expected');
  expect(await first.run({ tool: 'Shell' }, { signal, hook: first })).toEqual({ deny: 'no' });
  expect(seen).toEqual([{ tool: 'Shell' }]);
});

test('quirk snake-case-in-code: an event may be named as the document names it in code', () => {
  const hook: SkillHook = { event: 'pre_tool_use', handler: () => 'ok' };
  expect(skillHooks({ name: 's', hooks: [hook] }, usable).hooks).toMatchObject([{ event: 'PreToolUse' }]);
});

const ok = () => 'ok' as const;

test.each([
  ['an unknown event', { event: 'PreTolUse', handler: ok }, 'PreToolUse'],
  ['an event that is no text', { event: null, handler: ok }, 'null'],
  ['no function', { event: 'PreTurn', handler: './x.sh' }, 'function'],
  ['a timeout of nothing', { event: 'PreTurn', handler: ok, timeoutMs: 0 }, '0 ms'],
  ['a matcher that can not be used', { event: 'PreTurn', handler: ok, matcher: '(' }, 'not closed'],
])('%s is a problem of that hook alone', (_, bad, says) => {
  const good: SkillHook = { event: 'PreTurn', handler: () => 'ok', matcher: 'a' };
  const { hooks, problems } = skillHooks({ name: 's', hooks: [bad as unknown as SkillHook, good] }, (source) =>
    source === '(' ? 'not closed' : undefined,
  );
  expect(hooks).toHaveLength(1);
  expect(problems).toEqual([expect.stringContaining(says)]);
  expect(problems[0]).toContain('Hook 1 of skill `s`');
});

test('a string matcher is searched for as it stands, and an empty one matches everything', () => {
  const hooks = [
    { event: 'PreTurn', handler: () => 'ok', matcher: 'boss' },
    { event: 'PreTurn', handler: () => 'ok', matcher: '' },
  ] as const satisfies SkillHook[];
  expect(skillHooks({ name: 's', hooks }, usable).hooks.map(({ when }) => when)).toEqual([
    [{ facet: 'agent', test: { kind: 'pattern', source: 'boss', anchor: 'search' }, missing: 'fails' }],
    [],
  ]);
});

test('every event has its name in code', () => {
  for (const event of EVENT_NAMES) {
    const inCode = event.replace(/(?!^)[A-Z]/g, '_$&').toLowerCase() as SkillHook['event'];
    expect(skillHooks({ name: 's', hooks: [{ event: inCode, handler: ok }] }, usable).hooks).toMatchObject([{ event }]);
  }
});

class Limits {
  readonly most = 3;
  execute(config: JsonObject, context: JsonObject) {
    return { deny: `${config['channel']} ${context['tool']} ${this.most}` };
  }
  check(context: JsonObject, ...rest: unknown[]) {
    return { deny: [context['tool'], ...rest, this.most].join(' ') };
  }
  static execute(_: JsonObject, context: JsonObject) {
    return { deny: `static ${context['tool']}` };
  }
}

test.each<[string, SkillHook, string]>([
  ['an object with `execute`', { event: 'PreTurn', handler: new Limits(), config: { channel: '#ops' } }, '#ops Shell 3'],
  ['a class with a static `execute`', { event: 'PreTurn', handler: Limits }, 'static Shell'],
  ['an object, a method and arguments', { event: 'PreTurn', handler: [new Limits(), 'check', ['a', 1]] }, 'Shell a 1 3'],
  ['an object and a method', { event: 'PreTurn', handler: [new Limits(), 'check'] }, 'Shell 3'],
])('%s is a handler', async (_, hook, reason) => {
  const [made] = skillHooks({ name: 's', hooks: [hook] }, usable).hooks;
  if (!made?.run) throw new Error('a function was expected');
  expect(await made.run({ tool: 'Shell' }, { signal, hook: made })).toEqual({ deny: reason });
});

test.each([[[{}, 'check']], [[new Limits(), 'chek', []]], [[new Limits(), 'check', 'a']], [[]], [{ run: ok }], [null]])(
  'a handler that cannot be called is a problem: %j',
  (handler) => {
    const { hooks, problems } = skillHooks({ name: 's', hooks: [{ event: 'PreTurn', handler } as unknown as SkillHook] }, usable);
    expect(hooks).toEqual([]);
    expect(problems).toEqual([expect.stringContaining('`execute`')]);
  },
);
