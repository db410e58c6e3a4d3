/** Hooks that would run at once, and one of them that wants its lane to be asked one after another. */
import { expect, test } from 'vitest';
import type { Dialect } from '../../../src/core/contracts/dialect.ts';
import type { JsonObject } from '../../../src/core/values/json.ts';
import { event, hook, rewrite, smallDialect, smallEngine } from './small-engine.ts';

const slow = (log: string[], name: string, ms: number) => async () => {
  log.push(`${name} begins`);
  await new Promise((resolve) => setTimeout(resolve, ms));
  log.push(`${name} ends`);
  return undefined;
};

test('one hook that wants it makes its whole lane run one after another', async () => {
  const log: string[] = [];
  const together = { event: 'together' };
  const engine = smallEngine([
    hook('a/first', slow(log, 'first', 20), together),
    hook('a/last', slow(log, 'last', 1), { ...together, sequence: true }),
  ]);
  await engine.fire(event('tool.error'));
  expect(log).toEqual(['first begins', 'first ends', 'last begins', 'last ends']);
});

test('without it, and in other lanes, they begin at once', async () => {
  const log: string[] = [];
  const together = { event: 'together' };
  const engine = smallEngine([
    hook('a/first', slow(log, 'first', 20), together),
    hook('a/last', slow(log, 'last', 1), together),
    hook('b/other', slow(log, 'other', 1), { ...together, sequence: true }),
  ]);
  await engine.fire(event('tool.error'));
  expect(log.slice(0, 2)).toEqual(['first begins', 'last begins']);
});

/** All it has before a tool runs is asked at once, unless a hook wants it otherwise. */
function atOnce(): Dialect {
  const dialect = smallDialect('a');
  const gate = { kinds: ['tool.before'], run: 'parallel', grants: ['rewrite'], facet: 'tool' } as const;
  return { ...dialect, profile: { ...dialect.profile, events: { gate } } };
}

const noting = (seen: unknown[], command: string) => async (payload: JsonObject) => {
  seen.push(payload['input']);
  return rewrite(command);
};

test('hooks that are asked at once all see the same, and none is asked again because another changed it', async () => {
  const seen: unknown[] = [];
  const engine = smallEngine([hook('a/first', noting(seen, '1')), hook('a/last', noting(seen, '2'))], { dialects: [atOnce()] });
  const outcome = await engine.fire(event('tool.before'));
  expect(seen).toEqual([{ command: 'ls' }, { command: 'ls' }]);
  expect(outcome.rewrite).toEqual({ command: '2' });
});

test('in sequence each sees what the one before left, after the one that wanted it too', async () => {
  const seen: unknown[] = [];
  const hooks = [
    hook('a/first', noting(seen, '1'), { sequence: true }),
    hook('a/second', noting(seen, '2')),
    hook('a/third', noting(seen, '3')),
  ];
  await smallEngine(hooks, { dialects: [atOnce()] }).fire(event('tool.before'));
  expect(seen).toEqual([{ command: 'ls' }, { command: '1' }, { command: '2' }]);
});
