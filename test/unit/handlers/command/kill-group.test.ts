/** A hook that is out of time, or not wanted any more, is ended with everything it started. Survivors are looked for in /proc. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Call, DEFAULT_LIMITS, DEFAULT_PERMITS } from '../../../../src/core/contracts/handler.ts';
import { NOT_NESTED } from '../../../../src/core/contracts/nesting.ts';
import { handler } from './way.ts';

const folder = mkdtempSync(join(tmpdir(), 'hookline-kill-'));
afterAll(() => rmSync(folder, { recursive: true }));

function start(command: string, options: { timeoutMs?: number; signal?: AbortSignal } = {}) {
  const mark = randomUUID();
  const hook: Call['hook'] = {
    id: 'h',
    name: 'h',
    dialect: 'd',
    event: 'E',
    when: [],
    handler: { type: 'command', config: { command } },
    timeoutMs: 1000,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: '/f', scope: 'user' },
    env: { HOOKLINE_TEST_MARK: mark },
  };
  const answer = handler().handle({
    hook,
    payload: {},
    ask: {
      timeout: { unit: 'ms', fallbackMs: 1000 },
      command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: [] },
      http: { redirects: 0 },
      judge: null,
    },
    cwd: folder,
    timeoutMs: 1000,
    limits: DEFAULT_LIMITS,
    permits: DEFAULT_PERMITS,
    nesting: NOT_NESTED,
    ...options,
  });
  return { answer, survivors: () => survivors(mark) };
}

/** Processes that have the mark in their environment; one that is dead and not yet reaped has none. */
function survivors(mark: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark);
    } catch {
      return false;
    }
  });
}

test.each([
  ['a hook that sleeps', 'sleep 30'],
  ['a hook that ignores TERM', `trap '' TERM; sleep 30; sleep 30`],
  ['its children and their children', '(sh -c "sleep 30 & sleep 30; true" & sleep 30) & sleep 30'],
  ['grandchildren that ignore TERM when the hook itself does not', `sh -c "trap '' TERM; sleep 30; sleep 30" & sleep 30`],
  ['a hook that exits well on TERM', `trap 'exit 0' TERM; sleep 30 & wait`],
  ['a hook that has stopped itself', 'kill -STOP $$'],
  ['a flood', 'yes'],
  ['a flood on both streams from a child', 'yes >&2 & yes'],
])(
  'a timeout ends %s',
  async (_, command) => {
    const started = performance.now();
    const hook = start(command);
    await expect.poll(() => hook.survivors().length, { interval: 10 }).toBeGreaterThan(0);
    expect(await hook.answer).toEqual({ kind: 'fault', fault: 'timeout', detail: 'did not answer within 1000 ms' });
    expect(performance.now() - started).toBeGreaterThanOrEqual(995);
    expect(performance.now() - started).toBeLessThan(8000);
    expect(hook.survivors()).toEqual([]);
  },
  20_000,
);

test('a hook that ends itself on TERM is not made to wait for the grace, and may clean up', async () => {
  const mark = join(folder, 'cleaned');
  const hook = start(`trap 'touch ${mark}; exit 0' TERM; sleep 30 & wait`);
  expect(await hook.answer).toMatchObject({ fault: 'timeout' });
  expect(existsSync(mark)).toBe(true);
});

test('an abort ends the hook and is fault `cancelled`', async () => {
  const controller = new AbortController();
  const hook = start('sleep 30 & sleep 30', { timeoutMs: 20_000, signal: controller.signal });
  await expect.poll(() => hook.survivors().length, { interval: 10 }).toBeGreaterThan(0);
  controller.abort();
  expect(await hook.answer).toMatchObject({ kind: 'fault', fault: 'cancelled' });
  expect(hook.survivors()).toEqual([]);
});

test('a call that is aborted before it starts, starts nothing', async () => {
  const hook = start('sleep 5', { signal: AbortSignal.abort() });
  expect(hook.survivors()).toEqual([]);
  expect(await hook.answer).toMatchObject({ fault: 'cancelled' });
});

test('one signal for many hooks ends them all, without a warning', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  const controller = new AbortController();
  const hooks = Array.from({ length: 20 }, () => start('sleep 30', { timeoutMs: 20_000, signal: controller.signal }));
  controller.abort();
  for (const hook of hooks) {
    expect(await hook.answer).toMatchObject({ fault: 'cancelled' });
    expect(hook.survivors()).toEqual([]);
  }
  await new Promise(setImmediate);
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

test('after a normal exit nothing is killed', async () => {
  const hook = start('sleep 2 & exit 0', { timeoutMs: 400 });
  expect(await hook.answer).toMatchObject({ kind: 'process', exit: 0 });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(hook.survivors()).toHaveLength(1);
});

test('a hook that answered in time is heard although this process was too busy to listen', async () => {
  // From here the loop goes on to its timers, and only then to what its children have to say.
  await new Promise(setImmediate);
  const hook = start('echo in time', { timeoutMs: 400 });
  const until = performance.now() + 900;
  while (performance.now() < until);
  expect(await hook.answer).toMatchObject({ kind: 'process', stdout: 'in time\n' });
});
