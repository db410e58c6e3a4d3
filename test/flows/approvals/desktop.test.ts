/** Held actions on the desktop, through the whole program: one notification for each ticket, withdrawn by the process that settles it. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createGate } from '../cli/gate.ts';
import { hookline, type RunOptions } from '../cli/program.ts';

const SECRET = `ghp_${'a1B2'.repeat(9)}`;
const DESKTOP = { DISPLAY: ':99', WAYLAND_DISPLAY: '', DBUS_SESSION_BUS_ADDRESS: '' };

test.skipIf(process.platform !== 'linux')('each ticket is shown once, without secrets, and goes once it is settled', async () => {
  const { workspace } = createGate();
  const settings = { notify: [{ type: 'desktop' }], approvals: { unattended: true } };
  workspace.write({
    '~/.config/hookline/settings.json': JSON.stringify(settings),
    '~/bin/notify-send': '#!/bin/sh\nprintf "%s\\n" "$*" >> "$HOME/shown"\necho 7\n',
    '~/bin/gdbus': '#!/bin/sh\nprintf "%s\\n" "$*" >> "$HOME/closed"\n',
  });
  const env = { ...DESKTOP, PATH: [workspace.at('~/bin'), process.env['PATH']].join(path.delimiter) };
  const run = (argv: readonly string[], more: RunOptions = {}) => hookline(workspace, argv, { env, ...more });
  const fire = (command: string) =>
    run(['fire', 'tool.before', '--tool', 'Bash', '--input', JSON.stringify({ command }), '--trust-all', '--json']);
  const linesOf = (name: string): string[] => {
    const file = workspace.at(`~/${name}`);
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  };
  const { ticket } = JSON.parse((await fire(`deploy ${SECRET}`)).stdout);
  await fire(`deploy ${SECRET}`);
  expect(linesOf('shown').filter((line) => line.includes('An action waits for you'))).toHaveLength(1);
  expect(linesOf('shown').join('\n')).toContain('Bash: deploy [redacted]');
  expect(linesOf('closed')).toEqual([]);
  expect((await run(['approvals', 'deny', ticket.id])).exit).toBe(0);
  expect(linesOf('closed')).toEqual([expect.stringMatching(/CloseNotification 7$/)]);
});

test.skipIf(process.platform !== 'linux')('the doctor says that the desktop notifier is off, and why', async () => {
  const { workspace } = createGate();
  const found = async (env: Record<string, string>): Promise<string[]> => {
    const { findings } = JSON.parse((await hookline(workspace, ['doctor', '--json'], { env: { ...DESKTOP, ...env } })).stdout);
    return findings.filter(({ code }: { code: string }) => code === 'notifier-off').map(({ message }: { message: string }) => message);
  };
  expect(await found({ DISPLAY: '' })).toEqual([]);
  workspace.write({
    '~/.config/hookline/settings.json': JSON.stringify({ notify: [{ type: 'desktop' }] }),
    '~/bin/notify-send': '#!/bin/sh\n',
  });
  expect(await found({ DISPLAY: '' })).toEqual([expect.stringContaining('there is no desktop')]);
  expect(await found({ PATH: [workspace.at('~/bin'), process.env['PATH']].join(path.delimiter) })).toEqual([]);
});
