/** No hook can keep an agent going for ever. */
import { expect, test } from 'vitest';
import type { Hookline } from '../../../src/index.ts';
import { createWorkspace } from '../../support/workspace.ts';

async function neverContent(stopCap?: number): Promise<{ hookline: Hookline; seen: unknown[] }> {
  const hookline = await createWorkspace().open(stopCap === undefined ? {} : { stopCap });
  const seen: unknown[] = [];
  hookline.on('stop.before', ({ data }) => {
    seen.push(data.continuations);
    return { decision: 'deny', reason: 'Run the tests.' };
  });
  return { hookline, seen };
}

const stops = async (hookline: Hookline, times: number, session = 's1'): Promise<string[]> => {
  const decisions: string[] = [];
  for (let i = 0; i < times; i++) decisions.push((await hookline.fire('stop.before', {}, { session })).decision);
  return decisions;
};

test('a stop that is denied sends the agent back with the reason', async () => {
  const { hookline } = await neverContent();
  expect(await hookline.fire('stop.before', {})).toMatchObject({ decision: 'deny', continue: 'Run the tests.' });
});

test('after eight times in a row the agent may stop, with a warning; then the count begins anew', async () => {
  const { hookline, seen } = await neverContent();
  expect(await stops(hookline, 8)).toEqual(Array(8).fill('deny'));
  const outcome = await hookline.fire('stop.before', {}, { session: 's1' });
  expect(outcome).toMatchObject({ decision: 'pass', diagnostics: [{ severity: 'warning', code: 'stop-cap' }] });
  expect(outcome).not.toHaveProperty('continue');
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await stops(hookline, 1)).toEqual(['deny']);
});

test('the cap can be set, and each session has its own count', async () => {
  const { hookline } = await neverContent(2);
  expect(await stops(hookline, 2, 'a')).toEqual(['deny', 'deny']);
  expect(await stops(hookline, 3, 'b')).toEqual(['deny', 'deny', 'pass']);
  expect(await stops(hookline, 1, 'a')).toEqual(['pass']);
});

test("a caller's own count is believed where it is higher", async () => {
  const { hookline, seen } = await neverContent();
  expect((await hookline.fire('stop.before', { continuations: 8 })).decision).toBe('pass');
  expect((await hookline.fire('stop.before', { continuations: 3 })).decision).toBe('deny');
  expect((await hookline.fire('stop.before', { continuations: 0 })).decision).toBe('deny');
  expect(seen).toEqual([8, 3, 4]);
});

test('a new prompt begins the count anew', async () => {
  const { hookline, seen } = await neverContent(3);
  await stops(hookline, 2);
  await hookline.fire('prompt.submit', { prompt: 'go on' }, { session: 's1' });
  await stops(hookline, 1);
  expect(seen).toEqual([0, 1, 0]);
});

test('a stop that no hook objects to begins the count anew', async () => {
  const hookline = await createWorkspace().open({ stopCap: 3 });
  let isContent = false;
  hookline.on('stop.before', () => (isContent ? undefined : { decision: 'deny', reason: 'Run the tests.' }));
  expect(await stops(hookline, 2)).toEqual(['deny', 'deny']);
  isContent = true;
  expect(await stops(hookline, 1)).toEqual(['pass']);
  isContent = false;
  expect(await stops(hookline, 4)).toEqual(['deny', 'deny', 'deny', 'pass']);
});

test('the warning names the count and the last objection', async () => {
  const { hookline } = await neverContent(1);
  await stops(hookline, 1);
  const { diagnostics } = await hookline.fire('stop.before', {}, { session: 's1' });
  expect(diagnostics).toMatchObject([
    { message: 'The agent was sent back 1 times in a row, so it may stop now. The last objection: Run the tests.' },
  ]);
});
