import { expect, test } from 'vitest';
import type { Condition, Hook } from '../../../../src/core/contracts/hook.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import type { Placed } from '../../../../src/core/event/match.ts';
import type { JsonObject } from '../../../../src/core/values/json.ts';
import { buildIndex } from '../../../../src/engine/select/hook-index.ts';

function placed(order: number, when: readonly Condition[], { dialect = 'one', event = 'Before' } = {}): Placed {
  const source = { file: 'hooks.json', scope: 'user' } as const;
  const limits = { timeoutMs: 1000, priority: 0, detach: false, enabled: true };
  const hook: Hook = {
    id: `${order}`,
    name: `${order}`,
    dialect,
    event,
    when,
    handler: { type: 'command', config: {} },
    source,
    ...limits,
  };
  return { hook, rule: { kinds: ['tool.before'], run: 'sequence', grants: ['deny'], facet: null }, order };
}

function event(kind: HookEvent['kind'], data: JsonObject, native?: HookEvent['native']): HookEvent {
  return { id: 'e', kind, at: '2025-01-01T00:00:00Z', session: { id: 's', cwd: '/' }, data, ...(native && { native }) };
}

const orders = (hooks: readonly Placed[]) => hooks.map(({ order }) => order);

test('when nothing matches the answer is one shared, frozen, empty list', () => {
  const index = buildIndex([
    placed(1, [{ facet: 'tool', missing: 'fails', test: { kind: 'pattern', source: 'Bash', anchor: 'search' } }]),
    placed(2, [{ facet: 'input', missing: 'fails', test: { kind: 'pattern', source: 'rm', anchor: 'search' } }]),
  ]);
  const none = index.select(event('heartbeat', {}));
  expect(index.select(event('tool.before', { tool: 'Read', input: { path: 'x' } }))).toBe(none);
  expect(index.select(event('tool.before', { tool: 'Write' }))).toBe(none);
  expect(Object.isFrozen(none)).toBe(true);
});

test('what is remembered for one native event is not given for another', () => {
  const index = buildIndex([placed(1, [], { event: 'Before' }), placed(2, [], { event: 'After' }), placed(3, [], { dialect: 'two' })]);
  const select = (native?: HookEvent['native']) => orders(index.select(event('tool.before', { tool: 'Bash' }, native)));
  expect(select({ dialect: 'one', name: 'Before' })).toEqual([1, 3]);
  expect(select({ dialect: 'one', name: 'After' })).toEqual([2, 3]);
  expect(select({ dialect: 'two', name: 'After' })).toEqual([1, 2]);
  expect(select()).toEqual([1, 2, 3]);
});

test('content is taken from an event once, and not at all if no hook looks at it', () => {
  let taken = 0;
  const data = (tool: string): JsonObject => {
    const json = {
      toJSON: () => {
        taken++;
        return { command: 'ls' };
      },
    };
    return { tool, input: json as unknown as JsonObject };
  };
  const onInput = (order: number, source: string) =>
    placed(order, [
      { facet: 'tool', missing: 'fails', test: { kind: 'pattern', source: 'Bash', anchor: 'whole' } },
      { facet: 'input', missing: 'fails', test: { kind: 'pattern', source, anchor: 'search' } },
    ]);
  const index = buildIndex(Array.from({ length: 30 }, (_, i) => onInput(i, i % 2 ? `word${i}` : `\\d{${i + 1}}`)));
  index.select(event('tool.before', data('Read')));
  expect(taken).toBe(0);
  index.select(event('tool.before', data('Bash')));
  expect(taken).toBe(1);
});

test('hostile text is searched in linear time, whatever the hooks ask of it', () => {
  const sources = [
    '(a+)+$',
    '(a|a)*b',
    'a.*b.*c',
    '\\s+$',
    '(x+x+)+y',
    ...Array.from({ length: 200 }, (_, i) => `${'a'.repeat(i + 1)}b${i}`),
  ];
  const hooks = sources.map((source, i) =>
    placed(i, [{ facet: 'input', missing: 'fails', test: { kind: 'pattern', source, anchor: 'search' } }]),
  );
  const index = buildIndex(hooks);
  const began = performance.now();
  expect(orders(index.select(event('tool.before', { tool: 'Bash', input: { command: `${'a'.repeat(100_000)}!` } })))).toEqual([]);
  expect(performance.now() - began).toBeLessThan(5_000);
});
