/** A host that waits only so long is answered while it still listens, and no timer is left behind. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClock, createIds } from '../../../../src/api/clock.ts';
import { DIALECTS, HOSTS } from '../../../../src/builtins.ts';
import type { Host } from '../../../../src/core/contracts/host.ts';
import type { Outcome } from '../../../../src/core/decision/outcome.ts';
import { createHostAnswerer, type FiringEngine } from '../../../../src/engine/answer-host.ts';
import { createEventFactory } from '../../../../src/engine/receive/events.ts';
import { HostDeadline } from '../../../../src/engine/receive/host-deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const TIMEOUT_MS = 10_000;
const codex = HOSTS.find(({ id }) => id === 'codex') as Host;
const impatient: Host = { ...codex, timeoutMs: () => TIMEOUT_MS };

test('the signal comes before the timeout of the host, with time left for the way back', () => {
  const { signal } = new HostDeadline([{ host: impatient, answeredOn: 'PreToolUse' }]);
  vi.advanceTimersByTime(TIMEOUT_MS / 2);
  expect(signal?.aborted).toBe(false);
  vi.advanceTimersByTime(TIMEOUT_MS * 0.4);
  expect(signal?.aborted).toBe(true);
});

test('a host without a timeout is waited for', () => {
  const patient: Host = { ...codex, timeoutMs: null };
  expect(new HostDeadline([{ host: patient, answeredOn: 'PreToolUse' }]).signal).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});

test('of several hosts that may be calling, the most impatient one counts', () => {
  const callers = [codex, impatient].map((host) => ({ host, answeredOn: 'PreToolUse' }));
  const { signal } = new HostDeadline(callers);
  vi.advanceTimersByTime(TIMEOUT_MS * 0.9);
  expect(signal?.aborted).toBe(true);
});

test('the end of a deadline clears its timer', () => {
  const deadline = new HostDeadline([{ host: impatient, answeredOn: 'PreToolUse' }]);
  expect(vi.getTimerCount()).toBe(1);
  deadline.end();
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['answered', 0, async () => PASSED],
  ['that Hookline failed to judge', 2, () => Promise.reject(new Error('boom'))],
] as const)('a call %s leaves no timer behind', async (_, exit, judge) => {
  const { ofHost } = createEventFactory(DIALECTS, '/project', createClock(), createIds());
  let running = 0;
  const engine: FiringEngine = {
    receive: ofHost,
    judge: () => {
      running = vi.getTimerCount();
      return judge();
    },
    record: (_event, outcome) => outcome,
    diagnostics: [],
  };
  const answer = await createHostAnswerer(engine, { hosts: [impatient] })('codex', { hook_event_name: 'PreToolUse', tool_name: 'Bash' });
  expect({ running, exit: answer.exit, left: vi.getTimerCount() }).toEqual({ running: 1, exit, left: 0 });
});

const PASSED: Outcome = {
  id: 'o1',
  kind: 'tool.before',
  decision: 'pass',
  reason: null,
  context: [],
  contextSources: [],
  notices: [],
  quiet: false,
  unmatched: 0,
  hooks: [],
  diagnostics: [],
};
