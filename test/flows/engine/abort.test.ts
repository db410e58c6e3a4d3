/** A caller that gives up has not been told to go on, and leaves nothing running. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { NATIVE, TOOL_EVENTS } from '../../support/native-hooks.ts';
import { livingOf } from '../../support/processes.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { callLog, event, hook, smallEngine } from './small-engine.ts';

test.each(Object.keys(TOOL_EVENTS))('aborting a command of %s denies, and ends the command with all it started', async (dialect) => {
  const workspace = createWorkspace();
  const pids = workspace.at('pids');
  const command = `sleep 300 & echo $! >> '${pids}'; echo $$ >> '${pids}'; sleep 300`;
  workspace.write(NATIVE[dialect]?.({ event: TOOL_EVENTS[dialect]?.before ?? '', command }) ?? {});
  const hookline = await workspace.open({ only: [dialect] });
  const caller = new AbortController();
  const firing = hookline.fire('tool.before', { tool: 'Bash', input: {} }, { signal: caller.signal });
  await vi.waitFor(() => expect(existsSync(pids) && pidsIn(pids).length).toBe(2), { timeout: 15_000 });
  caller.abort();
  const outcome = await firing;
  expect(outcome).toMatchObject({ decision: 'deny', hooks: [{ status: 'faulted', fault: { kind: 'cancelled' } }] });
  await vi.waitFor(() => expect(livingOf(pids)).toEqual([]), { timeout: 15_000 });
});

test('a caller that gave up before is denied, and nobody is asked', async () => {
  const { calls, says } = callLog();
  const outcome = await smallEngine([hook('a/h', says('h'))]).fire(event('tool.before'), { signal: AbortSignal.abort() });
  expect(outcome).toMatchObject({ decision: 'deny', hooks: [{ fault: { kind: 'cancelled' } }] });
  expect(calls).toEqual([]);
});

test('where nothing can be denied, giving up denies nothing', async () => {
  const outcome = await smallEngine([hook('a/h', () => undefined, { event: 'watch' })]).fire(event('tool.after'), {
    signal: AbortSignal.abort(),
  });
  expect(outcome.decision).toBe('pass');
});

test('a function is told by its signal that nobody waits any more', async () => {
  let told: unknown;
  const waits = hook(
    'a/h',
    (_, { signal }) =>
      new Promise(() =>
        signal.addEventListener('abort', () => {
          told = signal.reason;
        }),
      ),
  );
  const caller = new AbortController();
  const firing = smallEngine([waits]).fire(event('tool.before'), { signal: caller.signal });
  caller.abort();
  expect((await firing).decision).toBe('deny');
  expect(told).toBeInstanceOf(Error);
});

function pidsIn(file: string): string[] {
  return readFileSync(file, 'utf8').split('\n').filter(Boolean);
}
