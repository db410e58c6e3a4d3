/** Whatever an agent sends: an event of every dialect is answered with an outcome, never with a rejection. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DIALECTS } from '../../../src/builtins.ts';
import { EVENT_KINDS } from '../../../src/core/event/event.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { json, jsonObject } from './arbitraries.ts';

const DECISIONS = ['pass', 'allow', 'ask', 'hold', 'deny'];

/** Objects with the keys that payloads have, and anything under them. */
const keyed = fc.dictionary(
  fc.constantFrom(
    'tool',
    'tool_name',
    'input',
    'tool_input',
    'params',
    'args',
    'prompt',
    'session_id',
    'cwd',
    'work_dir',
    'metadata',
    'context',
    'timestamp',
    'name',
    'skill',
    'model',
    'result',
    'error',
    'message',
    'continuations',
    'agent',
    '__proto__',
  ),
  json,
  { maxKeys: 8 },
) as typeof jsonObject;

describe.each(DIALECTS)('$id', ({ id, profile }) => {
  test.each(Object.keys(profile.events))('%s takes any payload', async (event) => {
    const hookline = await createWorkspace().open();
    for (const kind of EVENT_KINDS) hookline.on(kind, () => ({ context: 'seen' }), { priority: 1 });
    hookline.registerSkill({ name: 'watching', hooks: [{ event: 'PreToolUse', matcher: 'x', handler: () => ({ deny: 'x' }) }] });
    await fc.assert(
      fc.asyncProperty(fc.oneof(jsonObject, keyed), async (payload) => {
        const outcome = await hookline.fire({ as: id, event, payload });
        expect(DECISIONS).toContain(outcome.decision);
        expect(outcome.diagnostics.filter(({ code }) => code === 'internal')).toEqual([]);
        expect(outcome.hooks.length).toBeGreaterThan(0);
        JSON.stringify(outcome);
      }),
      { numRuns: 30 },
    );
  });
});

test('canonical events take any payload too', async () => {
  const hookline = await createWorkspace().open();
  for (const kind of EVENT_KINDS) hookline.on(kind, ({ data }) => ({ rewrite: data as never, context: 'seen' }));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...EVENT_KINDS), fc.oneof(jsonObject, keyed), async (kind, payload) => {
      const outcome = await hookline.fire(kind, payload as never);
      expect(DECISIONS).toContain(outcome.decision);
      expect(outcome.diagnostics.filter(({ code }) => code === 'internal')).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('a payload that is no object is refused as misuse', async () => {
  const hookline = await createWorkspace().open();
  for (const payload of [null, 1, 'text', [], undefined]) {
    await expect(hookline.fire('tool.before', payload as never)).rejects.toMatchObject({ code: 'bad-payload' });
  }
});

test('a payload nested as deep as its sender likes is answered', async () => {
  const hookline = await createWorkspace().open();
  hookline.on('tool.before', () => undefined);
  let input: Record<string, unknown> = {};
  for (let depth = 0; depth < 20_000; depth++) input = { input };
  const outcome = await hookline.fire('tool.before', { tool: 'Bash', input: input as never });
  expect(DECISIONS).toContain(outcome.decision);
});
