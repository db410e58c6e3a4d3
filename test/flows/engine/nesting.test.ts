/** The laws of nesting in the engine: a hook that is above is not asked again, and says so. */
import { expect, test } from 'vitest';
import type { Handler } from '../../../src/core/contracts/handler.ts';
import { DEFAULT_LIMITS } from '../../../src/core/contracts/handler.ts';
import type { Hook } from '../../../src/core/contracts/hook.ts';
import type { Nesting } from '../../../src/core/contracts/nesting.ts';
import { createCommandHandler } from '../../../src/handlers/command/index.ts';
import { event, hook, smallEngine } from './small-engine.ts';

const mark = (id: string): string => Buffer.from(id).toString('hex');

/** Hooks of a type of their own, which notes what it is told. */
function engine(hooks: readonly Partial<Hook>[], nesting: Nesting) {
  const told: Nesting[] = [];
  const noting: Handler = {
    type: 'noting',
    inFiles: false,
    describe: () => ({ does: 'judge' }),
    handle(call) {
      told.push(call.nesting);
      return { kind: 'value', value: undefined };
    },
  };
  const all = hooks.map((part) => {
    const { run: _, ...rest } = hook(part.id ?? 'a/one', () => undefined);
    return { ...rest, handler: { type: 'noting', config: {} }, ...part };
  });
  const handlers = new Map([noting, createCommandHandler()].map((handler) => [handler.type, handler]));
  return { told, engine: smallEngine(all, { ports: { handlers, ancestorMark: mark }, settings: { nesting, limits: DEFAULT_LIMITS } }) };
}

test('a hook is told of those above it and of itself', async () => {
  const { told, engine: own } = engine([{ id: 'a/one' }], { depth: 1, hooks: [mark('a/above')] });
  await own.fire(event('tool.before'));
  expect(told).toEqual([{ depth: 2, hooks: [mark('a/above'), mark('a/one')] }]);
});

test.each([
  ['in a row', 'tool.before', 'gate'],
  ['in parallel', 'tool.error', 'together'],
  ['in the background', 'heartbeat', 'later'],
] as const)('a hook that is above is not asked %s, the others are', async (_, kind, name) => {
  const hooks = ['a/one', 'a/two', 'a/three'].map((id) => ({ id, event: name }));
  const { told, engine: own } = engine(hooks, { depth: 1, hooks: [mark('a/two')] });
  const { hooks: reports } = await own.fire(event(kind));
  await own.close(1000);
  expect(told).toHaveLength(2);
  expect(reports.filter(({ status }) => status === 'skipped')).toMatchObject([
    { id: 'a/two', skip: expect.stringContaining('already running above') },
  ]);
});

test('a plan says so too', async () => {
  const { engine: own } = engine([{ id: 'a/one' }], { depth: 1, hooks: [mark('a/one')] });
  expect((await own.plan(event('tool.before'))).hooks).toMatchObject([
    { runs: false, why: expect.stringContaining('already running above') },
  ]);
});

test('a command beyond the depth is a fault that denies what can be denied, though the format lets faults pass', async () => {
  const command = { id: 'a/one', handler: { type: 'command', config: { command: 'true' } } };
  const deep = engine([command, { ...command, id: 'a/watch', event: 'watch' }], { depth: 5, hooks: [] }).engine;
  expect(await deep.fire(event('tool.before'))).toMatchObject({
    decision: 'deny',
    reason: expect.stringContaining('nested too deep'),
    hooks: [{ status: 'faulted', fault: { kind: 'depth' } }],
  });
  expect(await deep.fire(event('tool.after'))).toMatchObject({ decision: 'pass', hooks: [{ fault: { kind: 'depth' } }] });
});
