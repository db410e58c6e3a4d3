/** Who acts is found out by the processes above a command. These are chains that cannot be made on every machine. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { AGENT_MARKERS, AGENT_PROGRAMS } from '../../../src/cli/input/started-by.ts';
import type { Actor } from '../../../src/core/record/who.ts';
import { findActor } from '../../../src/people/actor.ts';
import { baseOf, type Process } from '../../../src/people/processes.ts';

const stateFolder = mkdtempSync(path.join(tmpdir(), 'hookline-actor-'));
afterAll(() => rmSync(stateFolder, { recursive: true, force: true }));

const STARTED = Date.parse('2026-01-01T00:00:00Z');

type Row = { readonly words: string; readonly env?: Record<string, string>; readonly terminal?: boolean };

/** The command first, then the processes above it; the first process of the system is added. Others stand beside them, each with a parent. */
function find(
  rows: readonly Row[],
  others: readonly (Row & { parent: number })[] = [],
  more: { hasTerminal?: boolean; isWhole?: boolean } = {},
): Actor {
  const make = ({ words, env = {}, terminal = true }: Row, pid: number, parent: number): Process => ({
    ...{ pid, parent, words: words.split(' '), name: baseOf(words.split(' ')[0]), hasTerminal: terminal, startedAt: STARTED },
    isTerminal: () => terminal,
    file: () => undefined,
    environment: () => env,
  });
  const chain = rows.map((row, i) => make(row, 100 - i, i === rows.length - 1 ? 1 : 99 - i));
  const all = [...chain, make({ words: '/sbin/init', terminal: false }, 1, 0), ...others.map((row, i) => make(row, 200 + i, row.parent))];
  const processes = { find: (pid: number) => all.find((one) => one.pid === pid), all: () => all, isWhole: more.isWhole ?? true };
  const facts = {
    env: {},
    stateFolder,
    products: AGENT_PROGRAMS,
    markers: AGENT_MARKERS,
    via: 'cli',
    addresses: ['127.0.0.1', '::1', '10.0.0.5'],
  };
  return findActor({ ...facts, hasTerminal: more.hasTerminal ?? true, pid: 100, processes });
}

const COMMAND: Row = { words: 'node /x/hookline.js approvals approve t' };
const SHELL: Row = { words: '-bash' };
const SSH: Row = { words: 'sshd: ann@pts/0', terminal: false };
const AWAY: Row = { ...SHELL, env: { SSH_CONNECTION: '192.0.2.7 5000 10.0.0.5 22' } };

describe('a person', () => {
  test.each<[string, readonly Row[]]>([
    ['at a window', [COMMAND, SHELL, { words: '/usr/libexec/gnome-terminal-server' }, { words: '/usr/lib/systemd/systemd --user' }]],
    ['at a console', [COMMAND, SHELL, { words: '/bin/login -p --' }]],
    ['who came by ssh', [COMMAND, AWAY, SSH, { words: 'sshd: /usr/sbin/sshd -D' }]],
    ['in a folder that is named like an agent', [COMMAND, { words: 'bash -c cd /home/ann/codex' }, SHELL, { words: 'xterm' }]],
    ['who runs a script there', [COMMAND, { words: 'bash /home/ann/codex/deploy.sh' }, SHELL, { words: 'xterm' }]],
  ])('%s', (_, rows) => {
    expect(find(rows)).toMatchObject({ finding: 'person' });
  });
  test('in a terminal multiplexer to which a person is attached', () => {
    const client = [
      { words: 'tmux attach', parent: 201 },
      { words: '-bash', parent: 202 },
      { words: 'xterm', parent: 1 },
    ];
    expect(find([COMMAND, SHELL, { words: 'tmux new -s work', terminal: false }], client)).toMatchObject({ finding: 'person' });
  });
});

describe('an agent', () => {
  test.each<[string, readonly Row[]]>([
    ['by the package that Node runs', [COMMAND, { words: 'node /usr/lib/node_modules/@openai/codex/bin/x.js' }, SHELL, { words: 'xterm' }]],
    ['by the script that Python runs', [COMMAND, { words: 'python3 /home/ann/.local/bin/aider' }, SHELL, { words: 'xterm' }]],
    ['as the first process of a chain', [COMMAND, SHELL, { words: '/opt/claude --resume' }]],
    ['by a variable above', [COMMAND, { words: 'script -qc x', env: { CLAUDECODE: '1' } }, SHELL, { words: 'xterm' }]],
  ])('%s', (_, rows) => {
    expect(find(rows)).toMatchObject({ finding: 'agent' });
  });
  test('to whose client a multiplexer is attached', () => {
    const client = [
      { words: 'tmux attach', parent: 201 },
      { words: 'claude', parent: 1 },
    ];
    expect(find([COMMAND, SHELL, { words: 'tmux new', terminal: false }], client)).toMatchObject({ finding: 'agent' });
  });
  test('that asked a hook, and not a later process with its id', () => {
    const folder = path.join(stateFolder, 'hookline/askers');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, '99'), '');
    const rows = [COMMAND, { words: 'homemade' }, SHELL, { words: 'xterm' }];
    utimesSync(path.join(folder, '99'), STARTED / 1000 + 60, STARTED / 1000 + 60);
    expect(find(rows)).toMatchObject({ finding: 'agent' });
    utimesSync(path.join(folder, '99'), STARTED / 1000 - 60, STARTED / 1000 - 60);
    expect(find(rows)).toMatchObject({ finding: 'person' });
  });
  test('is named without the words of its command line', () => {
    const { evidence } = find([COMMAND, { words: 'claude --api-key sk-secret' }, SHELL]);
    expect(evidence.join()).toContain('Claude Code (process 99, `claude`)');
    expect(evidence.join()).not.toContain('secret');
  });
});

describe('unclear', () => {
  const editors = AGENT_PROGRAMS.flatMap(({ editors: names }) => names);
  test.each(editors)('below the editor %s', (name) => {
    const words = /^\.|\.app$/.test(name) ? `/x/${name}/Contents/main` : `/opt/${name}`;
    expect(find([COMMAND, SHELL, { words: words }, { words: 'gnome-shell' }])).toMatchObject({
      finding: 'unclear',
    });
  });
  test.each<[string, readonly Row[], Parameters<typeof find>[1]?, Parameters<typeof find>[2]?]>([
    ['without a terminal', [COMMAND, SHELL, { words: 'xterm' }], [], { hasTerminal: false }],
    ['in a namespace of its own', [COMMAND, SHELL, { words: 'xterm' }], [], { isWhole: false }],
    ['left behind with a terminal of its own', [COMMAND, { words: 'script -qc x' }]],
    ['started by the manager of services', [COMMAND, { words: 'systemd --user' }]],
    ['by a scheduler', [COMMAND, { words: 'script -qc x' }, { words: '/usr/sbin/cron -f' }]],
    ['in a window without a shell', [COMMAND, { words: 'xterm -e hookline' }]],
    ['by a login from this machine', [COMMAND, { ...SHELL, env: { SSH_CONNECTION: '127.0.0.1 5000 127.0.0.1 22' } }, SSH]],
    [
      'by a login from an address of this machine',
      [COMMAND, { ...SHELL, env: { SSH_CONNECTION: '::ffff:10.0.0.5 5000 10.0.0.5 22' } }, SSH],
    ],
    ['by a login that shows no address', [COMMAND, SHELL, SSH]],
    ['in a multiplexer without a client', [COMMAND, SHELL, { words: 'SCREEN -dm x', terminal: false }]],
    [
      'in a multiplexer in which an agent runs',
      [COMMAND, SHELL, { words: 'tmux new', terminal: false }],
      [
        { words: 'tmux attach', parent: 201 },
        { words: '-bash', parent: 202 },
        { words: 'xterm', parent: 1 },
        { words: 'claude', parent: 98 },
      ],
    ],
  ])('%s', (_, rows, others, more) => {
    expect(find(rows, others, more)).toMatchObject({ finding: 'unclear' });
  });
});
