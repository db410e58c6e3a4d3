/** The laws of notifications on the desktop, with programs of the test in the place of `notify-send` and `gdbus`. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Notice, NoticeType } from '../../../../src/core/contracts/notifier.ts';
import type { TicketState } from '../../../../src/core/contracts/store.ts';
import { desktopNotifier, desktopProblem } from '../../../../src/people/notifiers/desktop.ts';
import { DESKTOPS } from '../../../../src/people/notifiers/desktops.ts';

const linux = test.skipIf(process.platform !== 'linux');
const never = new AbortController().signal;
let [folder, bin, state] = ['', '', ''];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'hookline desktop-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  [bin, state] = [path.join(folder, 'bin'), path.join(folder, 'state')];
  mkdirSync(bin);
  vi.stubEnv('PATH', `${bin}:/usr/bin:/bin`);
  vi.stubEnv('DISPLAY', ':99');
  onTestFinished(() => void vi.unstubAllEnvs());
});

/** A program that writes each of its arguments on a line of its own, and then does this. */
function program(name: string, does = ''): void {
  const file = path.join(bin, name);
  writeFileSync(
    file,
    `#!/bin/sh\nprintf '%s\\036' "$@" >> '${folder}/${name}.calls'; printf '\\035' >> '${folder}/${name}.calls'\n${does}\n`,
  );
  chmodSync(file, 0o755);
}

function callsOf(name: string): string[][] {
  const file = path.join(folder, `${name}.calls`);
  if (!existsSync(file)) return [];
  const calls = readFileSync(file, 'utf8').split('\x1d').slice(0, -1);
  return calls.map((call) => call.split('\x1e').slice(0, -1));
}

function notice(type: NoticeType, ticketState: TicketState, input: object = { command: 'deploy now' }, id = 't-1'): Notice {
  return {
    ...{ id: `${id}:${type}`, type, at: 1 },
    ticket: {
      ...{ id, state: ticketState, kind: 'tool.before', tool: 'Bash', input: input as never, edit: null, masked: [], heldBy: [] },
      ...{ reason: 'a <b>second</b> pair\u001b[31m of eyes', root: '/', session: 's', openedAt: 1, expiresAt: 2 },
      ...{ by: ticketState === 'open' ? null : 'ann', note: null },
    },
  };
}

const tell = (type: NoticeType, ticketState: TicketState, input?: object, id?: string) =>
  desktopNotifier({ type: 'desktop' }, { stateFolder: state }).notify(notice(type, ticketState, input, id), never);

linux('a notification is shown with texts as arguments, and closed by another process once the ticket is settled', async () => {
  program('notify-send', 'echo 42');
  program('gdbus');
  const hostile = { command: `--x; touch ${folder}/ran $(touch ${folder}/ran)\n\u202e\u001b]0;t\u0007${'long '.repeat(200)}` };
  expect(await tell('ticket.opened', 'open', hostile)).toBe('sent');
  const [[first, ...words] = []] = callsOf('notify-send');
  const [title, body] = words.slice(words.indexOf('--') + 1);
  expect([first, title]).toEqual(['--print-id', 'Hookline: An action waits for you']);
  expect(body).toContain('Bash: --x; touch');
  expect(body).toContain('a &lt;b&gt;second&lt;/b&gt; pair [31m of eyes');
  expect(body?.replace('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  expect(body?.length).toBeLessThan(500);
  expect(existsSync(path.join(folder, 'ran'))).toBe(false);
  expect(await tell('ticket.settled', 'approved')).toBe('sent');
  expect(callsOf('gdbus')).toEqual([expect.arrayContaining(['org.freedesktop.Notifications.CloseNotification', '42'])]);
  expect(callsOf('notify-send')).toHaveLength(1);
  expect(readdirSync(path.join(state, 'hookline/notices'))).toEqual([]);
});

linux('a notification that cannot be closed is replaced by one that says who settled it', async () => {
  program('notify-send', 'echo 42');
  program('gdbus', 'exit 1');
  await tell('ticket.opened', 'open');
  expect(await tell('ticket.settled', 'denied')).toBe('sent');
  expect(callsOf('notify-send')[1]).toEqual(expect.arrayContaining(['--replace-id=42', 'Hookline: The action is denied by ann']));
});

linux('an old notify-send without ids shows it, and it is not withdrawn', async () => {
  program('notify-send', '[ "$1" != --print-id ] || exit 1');
  program('gdbus');
  expect(await tell('ticket.opened', 'open')).toBe('sent');
  expect(callsOf('notify-send')).toHaveLength(2);
  expect(await tell('ticket.settled', 'approved')).toBe('sent');
  expect([callsOf('notify-send').length, callsOf('gdbus')]).toEqual([2, []]);
});

linux('a ticket that nothing was shown for is settled in silence', async () => {
  program('notify-send', 'echo 42');
  for (const id of ['t-1', '../../t', 'a/b']) expect(await tell('ticket.settled', 'approved', {}, id)).toBe('sent');
  expect(callsOf('notify-send')).toEqual([]);
});

linux('a program that fails is a failure that may be tried again', async () => {
  program('notify-send', 'exit 3');
  expect(await tell('ticket.opened', 'open')).toEqual({ failed: 'exited with 3', retry: true });
  expect(existsSync(path.join(state, 'hookline/notices'))).toBe(false);
});

linux('without a desktop, or without the program, it is off and says why', async () => {
  vi.stubEnv('PATH', bin);
  expect(await tell('ticket.opened', 'open')).toEqual({ failed: '`notify-send` is not installed', retry: false });
  program('notify-send', 'echo 42');
  for (const name of ['DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS']) vi.stubEnv(name, '');
  expect(await tell('ticket.opened', 'open')).toMatchObject({ failed: expect.stringContaining('there is no desktop'), retry: false });
  expect(callsOf('notify-send')).toEqual([]);
  expect(desktopProblem({}, 'aix')).toContain('aix');
});

linux('a program in a relative folder of the PATH is not run, because the project could have put it there', async () => {
  program('notify-send', 'echo 42');
  vi.stubEnv('PATH', path.relative(process.cwd(), bin));
  expect(await tell('ticket.opened', 'open')).toMatchObject({ retry: false });
  expect(callsOf('notify-send')).toEqual([]);
});

test('no text of a notice is part of a script', () => {
  const texts = { ticket: 't-1', title: 'TITLE', body: 'BODY', handle: '' };
  const [mac] = DESKTOPS['darwin']?.show(texts) ?? [];
  expect(mac?.words.slice(-2)).toEqual(['Hookline: TITLE', 'BODY']);
  expect(mac?.words.slice(0, -2).join('\n')).not.toMatch(/TITLE|BODY/);
  for (const call of [...(DESKTOPS['win32']?.show(texts) ?? []), ...(DESKTOPS['win32']?.withdraw(texts) ?? [])]) {
    expect(call.words.join('\n')).not.toMatch(/"|TITLE\b(?!\))|BODY\b(?!\))|t-1/);
    expect(call.env).toMatchObject({ HOOKLINE_BODY: 'BODY', HOOKLINE_TAG: 't-1' });
  }
});
