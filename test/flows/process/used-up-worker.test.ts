/** A worker is replaced when it is used up: by memory, by the number of its events, and by idleness. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { POLL } from '../../support/patience.ts';
import { isAlive } from '../../support/processes.ts';
import { createWorkspace } from '../../support/workspace.ts';

const BASH = { tool: 'Bash', input: { command: 'ls' } } as const;
const hook = (run: string, head = ''): string =>
  `import { defineHook, deny } from 'hookline/hook';\n${head}\nexport default defineHook({ on: 'tool.before', ${run} });\n`;
const PID = hook("run() { return deny('pid ' + process.pid); }");
const pidIn = ({ reason }: { readonly reason: string | null }): number => Number(reason?.slice('pid '.length));
/** A worker says how much memory it has after so many events. */
const LOOK_EVERY = 64;

test('one that leaks', async () => {
  const leaking = hook(
    "run() { leaked.push(Buffer.alloc(16 * 1024 * 1024, 1)); return deny('pid ' + process.pid); }",
    'const leaked: Buffer[] = [];',
  );
  const hookline = await createWorkspace({ '.hookline/hooks/gate.ts': leaking }).open();
  const first = pidIn(await hookline.fire('tool.before', BASH));
  for (let i = 1; i < LOOK_EVERY; i++) expect(pidIn(await hookline.fire('tool.before', BASH))).toBe(first);
  const next = pidIn(await hookline.fire('tool.before', BASH));
  expect(next).not.toBe(first);
  await expect.poll(() => isAlive(first), POLL).toBe(false);
});

test('one that has answered 10,000 events', async () => {
  const hookline = await createWorkspace({ '.hookline/hooks/gate.ts': PID }).open({ store: 'memory:' });
  const first = pidIn(await hookline.fire('tool.before', BASH));
  for (let i = 1; i < 10_000; i++) if (pidIn(await hookline.fire('tool.before', BASH)) !== first) throw new Error(`replaced after ${i}`);
  expect(pidIn(await hookline.fire('tool.before', BASH))).not.toBe(first);
  await expect.poll(() => isAlive(first), POLL).toBe(false);
});

test('one that nobody needed for five minutes', async () => {
  const hookline = await createWorkspace({ '.hookline/hooks/gate.ts': PID }).open();
  // The process is real; only the clock of the pool is not waited for.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const first = pidIn(await hookline.fire('tool.before', BASH));
  vi.advanceTimersByTime(299_000);
  expect(pidIn(await hookline.fire('tool.before', BASH))).toBe(first);
  vi.advanceTimersByTime(301_000);
  vi.useRealTimers();
  await expect.poll(() => isAlive(first), POLL).toBe(false);
  expect(pidIn(await hookline.fire('tool.before', BASH))).not.toBe(first);
});
