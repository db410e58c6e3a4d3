/** The laws of notifying by command, on real processes. Survivors are looked for in /proc. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Notice } from '../../../../src/core/contracts/notifier.ts';
import { commandNotifier } from '../../../../src/people/notifiers/command.ts';

const folder = mkdtempSync(join(tmpdir(), 'hookline-tell-'));
afterAll(() => rmSync(folder, { recursive: true }));

const notice: Notice = {
  id: 't1:opened',
  type: 'ticket.opened',
  at: 1,
  ticket: {
    id: 't1',
    state: 'open',
    kind: 'tool.before',
    tool: 'Write',
    // More than a pipe would hold.
    input: { content: 'é'.repeat(200_000) },
    edit: null,
    masked: [],
    reason: 'why',
    heldBy: [],
    root: '/',
    session: 's',
    openedAt: 1,
    expiresAt: 2,
    by: null,
    note: null,
  },
};

const LONG = { timeout: 10_000 };
const never = new AbortController().signal;
const tell = (command: string, timeoutMs = 20_000, signal = never) =>
  commandNotifier({ type: 'command', command, timeoutMs }).notify(notice, signal);

/** Processes that have the mark in their environment; one that is dead and not yet reaped has none. */
function withMark(mark: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(mark);
    } catch {
      return false;
    }
  });
}

test('exit 0 means told; the notice is on stdin, whole, and ticket and state are in the environment', async () => {
  const file = join(folder, 'seen');
  expect(await tell(`cat > ${file}; printf '%s %s' "$HOOKLINE_TICKET" "$HOOKLINE_STATE" > ${file}.env`)).toBe('sent');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(notice);
  expect(readFileSync(`${file}.env`, 'utf8')).toBe('t1 open');
});

test('stdin can be opened by its name', async () => {
  const file = join(folder, 'by-name');
  expect(await tell(`cat /dev/stdin > ${file}`)).toBe('sent');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(notice);
});

test('a command that does not read the notice, or prints a lot, may well have told', async () => {
  expect(await tell('exec 0<&-; head -c 5000000 /dev/zero; echo x > /dev/stderr')).toBe('sent');
});

test.each([
  ['an exit code', 'exit 3', 'exited with 3'],
  ['a signal', 'kill -KILL $$', 'was killed by SIGKILL'],
  ['a command that does not exist', 'no-such-command-anywhere', 'exited with 127'],
])('%s is a failure that may be tried again', async (_, command, failed) => {
  expect(await tell(command)).toEqual({ failed, retry: true });
});

test('a command that cannot be started is a failure, not an exception', async () => {
  expect(await tell('x\0y')).toEqual({ failed: 'could not be started: ERR_INVALID_ARG_VALUE', retry: true });
});

test.each([
  ['a command that sleeps', 'sleep 60'],
  ['one that ignores TERM', `trap '' TERM; sleep 60; sleep 60`],
  ['all it started', '(sh -c "sleep 60 & sleep 60; true" & sleep 60) & sleep 60'],
])('the time limit ends %s, and no process is left', async (_, command) => {
  const mark = randomUUID();
  const answer = tell(`export MARK=${mark}; sh -c 'true; ${command.replaceAll("'", `'\\''`)}'; true`, 1000);
  await expect.poll(() => withMark(mark).length, LONG).toBeGreaterThan(0);
  expect(await answer).toEqual({ failed: 'did not exit within 1000 ms', retry: true });
  await expect.poll(() => withMark(mark), LONG).toEqual([]);
});

test('an abort ends the command and all it started', async () => {
  const mark = randomUUID();
  const controller = new AbortController();
  const answer = tell(`export MARK=${mark}; sh -c 'sleep 60 & sleep 60; true'; true`, 60_000, controller.signal);
  await expect.poll(() => withMark(mark).length, LONG).toBeGreaterThan(0);
  controller.abort();
  expect(await answer).toMatchObject({ retry: true });
  await expect.poll(() => withMark(mark), LONG).toEqual([]);
});

test('a notifier that is given up before it starts, starts nothing', async () => {
  const file = join(folder, 'never');
  expect(await tell(`touch ${file}`, 20_000, AbortSignal.abort())).toMatchObject({ retry: true });
  expect(readdirSync(folder)).not.toContain('never');
});

test('the file for stdin has no name: nothing is left to clean up', async () => {
  expect(await tell('true')).toBe('sent');
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`hookline-notice-${process.pid}-`))).toEqual([]);
});
