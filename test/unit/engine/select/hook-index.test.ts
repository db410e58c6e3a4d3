import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Condition, Hook } from '../../../../src/core/contracts/hook.ts';
import type { EventKind, HookEvent } from '../../../../src/core/event/event.ts';
import type { Facet } from '../../../../src/core/event/facet.ts';
import { mismatch, type Placed } from '../../../../src/core/event/match.ts';
import type { JsonObject } from '../../../../src/core/values/json.ts';
import { compilePattern } from '../../../../src/engine/select/compile.ts';
import { buildIndex } from '../../../../src/engine/select/hook-index.ts';

function placed(
  order: number,
  when: readonly Condition[],
  more: { dialect?: string; event?: string; kinds?: readonly EventKind[] } = {},
): Placed {
  const { dialect = 'one', event = 'Before', kinds = ['tool.before'] } = more;
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
  return { hook, rule: { kinds, run: 'sequence', grants: ['deny'], facet: null }, order };
}

function event(kind: EventKind, data: JsonObject, native?: HookEvent['native']): HookEvent {
  return { id: 'e', kind, at: '2025-01-01T00:00:00Z', session: { id: 's', cwd: '/' }, data, ...(native && { native }) };
}

const byLaw = (hooks: readonly Placed[], fired: HookEvent) =>
  [...hooks].sort((a, b) => a.order - b.order).filter((hook) => mismatch(hook, fired, compilePattern) === undefined);
const orders = (hooks: readonly Placed[]) => hooks.map(({ order }) => order);
const names = fc.constantFrom('a', 'ab', 'b', 'x.ab', 'x.y.b', 'AB', 'abc', 'a\nb', '', '\u212a');
const sources = fc.constantFrom(
  'a',
  '^ab$',
  'a|b',
  '^a',
  'b$',
  'a.*b',
  '.*',
  '',
  'a+b',
  '[ab]',
  '(a|b)c?',
  '\\w\\w',
  '(?i)ab',
  'k',
  'abc|x',
  '\\d',
  'zz',
  '(',
  '^(ab|abc)$',
  'a\\b',
  'x\\.',
);
const conditions: fc.Arbitrary<Condition> = fc.record({
  facet: fc.constantFrom<Facet>(
    'tool',
    'tool',
    'toolTail',
    'input',
    'input',
    'agent',
    'subagent',
    'skill',
    'model',
    'channel',
    'user',
    'text',
  ),
  missing: fc.constantFrom('holds', 'fails'),
  test: fc.oneof(
    fc.record({ kind: fc.constant('oneOf' as const), values: fc.array(names, { maxLength: 3 }) }),
    fc.record(
      {
        kind: fc.constant('pattern' as const),
        source: sources,
        anchor: fc.constantFrom('search', 'whole'),
        flags: fc.constantFrom('i', 'm', 's', 'y'),
      },
      { requiredKeys: ['kind', 'source', 'anchor'] },
    ),
  ),
});
const kinds = fc.constantFrom<EventKind>(
  'tool.before',
  'tool.before',
  'tool.after',
  'prompt.submit',
  'subagent.before',
  'skill.before',
  'heartbeat',
);
const dialects = fc.constantFrom('one', 'two');
const natives = fc.constantFrom('Before', 'After');
const hookSets = fc
  .array(
    fc.record({
      when: fc.oneof(
        { weight: 1, arbitrary: fc.constant([]) },
        { weight: 6, arbitrary: fc.array(conditions, { minLength: 1, maxLength: 3 }) },
      ),
      dialect: dialects,
      event: natives,
      kinds: fc.array(kinds, { minLength: 1, maxLength: 3 }),
    }),
    { maxLength: 60 },
  )
  .chain((hooks) =>
    fc
      .shuffledSubarray(
        hooks.map((_, i) => i),
        { minLength: hooks.length },
      )
      .map((order) => hooks.map((hook, i) => placed(order[i] ?? i, hook.when, hook))),
  );
const inputs = fc.oneof(
  names,
  fc.dictionary(names, names, { maxKeys: 3 }),
  fc.array(names, { maxLength: 3 }),
  fc.constantFrom(null, 7, { a: { b: ['abc'] } }),
);
const payloads = fc.record(
  {
    tool: fc.oneof(names, fc.constant(7)),
    input: inputs,
    agent: names,
    name: names,
    skill: names,
    model: names,
    channel: names,
    user: names,
    prompt: names,
    content: names,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;
const events = fc
  .tuple(kinds, payloads, fc.option(fc.record({ dialect: dialects, name: natives }), { nil: undefined }))
  .map(([kind, data, native]) => event(kind, data, native));

describe('the index agrees with the law', () => {
  test('for any hooks and any events, seen before or not', () => {
    let hits = 0;
    fc.assert(
      fc.property(hookSets, fc.array(events, { minLength: 1, maxLength: 6 }), (hooks, fired) => {
        const index = buildIndex(hooks);
        for (const one of [...fired, ...fired]) {
          const found = index.select(one);
          hits += found.length;
          expect(orders(found)).toEqual(orders(byLaw(hooks, one)));
        }
      }),
      { numRuns: 500 },
    );
    expect(hits).toBeGreaterThan(500);
  });

  test('for many hooks on content, of which literals rule most out', () => {
    const words = Array.from({ length: 200 }, (_, i) => `w${i}_`);
    const hooks = words.flatMap((source, i) => [
      placed(2 * i, [
        { facet: 'input', missing: 'fails', test: { kind: 'pattern', source: i % 3 === 0 ? `${source}\\d` : source, anchor: 'search' } },
      ]),
      placed(2 * i + 1, [
        { facet: 'tool', missing: 'fails', test: { kind: 'pattern', source: 'Bash|Write', anchor: 'search' } },
        { facet: 'input', missing: 'holds', test: { kind: 'pattern', source: `(?i)x.*${source}`, anchor: 'search' } },
      ]),
    ]);
    const index = buildIndex(hooks);
    fc.assert(
      fc.property(
        fc.constantFrom('Bash', 'Write', 'Read'),
        fc.option(fc.array(fc.constantFrom('x', 'X', '7', ' ', '\n', ...words))),
        (tool, parts) => {
          const fired = event('tool.before', { tool, input: parts && { command: parts.join(''), more: ['x'] } });
          expect(orders(index.select(fired))).toEqual(orders(byLaw(hooks, fired)));
        },
      ),
    );
  });

  test('for more tools than are remembered, and for names of any length', () => {
    const hooks = Array.from({ length: 50 }, (_, i) =>
      placed(i, [{ facet: 'tool', missing: 'fails', test: { kind: 'pattern', source: `t${i}.*`, anchor: i % 2 ? 'whole' : 'search' } }]),
    );
    const index = buildIndex(hooks);
    for (let i = 0; i < 2500; i++) {
      const fired = event('tool.before', { tool: i % 100 === 0 ? `t${i % 50}${'x'.repeat(1000)}` : `t${i}` });
      expect(orders(index.select(fired))).toEqual(orders(byLaw(hooks, fired)));
    }
  });
});
