/** Each difference between systems has a fallback, which is used where the usual way is hidden. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { groupTarget, shellOf } from '../../../../src/core/values/platform.ts';
import { hasLiving } from '../../../../src/handlers/command/kill-group.ts';

test('without process groups the process itself is signalled', () => {
  expect([groupTarget('linux', 12), groupTarget('darwin', 12), groupTarget('win32', 12)]).toEqual([-12, -12, 12]);
});

test('without a shell at its usual place the one on the PATH is used', () => {
  expect([shellOf('linux'), shellOf('darwin'), shellOf('win32')]).toEqual(['/bin/sh', '/bin/sh', 'sh']);
});

test('without /proc a group counts as living until no process of it can be signalled', async () => {
  const empty = mkdtempSync(path.join(tmpdir(), 'hookline-proc-'));
  onTestFinished(() => rmSync(empty, { recursive: true }));
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
  const pid = child.pid as number;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  expect(hasLiving(pid)).toBe(true);
  expect(hasLiving(pid, path.join(empty, 'absent'))).toBe(true);
  // A /proc that lists no process is read, not guessed about.
  expect(hasLiving(pid, empty)).toBe(false);
  process.kill(-pid, 'SIGKILL');
  await ended;
  expect(hasLiving(pid, path.join(empty, 'absent'))).toBe(false);
});
