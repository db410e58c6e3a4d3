/**
 * Nobody approves, trusts or erases for himself. Real processes try every act from below an agent, in every way that hides one: other
 * variables, another terminal, another session, a terminal multiplexer. None of them may, and the log shows each attempt.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { sha256 } from '../../../src/api/clock.ts';
import { HOSTS } from '../../../src/builtins.ts';
import { openPins, pinnedServer } from '../../../src/mcp/proxy/pins.ts';
import { createWorkspace, permitScripts, type Workspace } from '../../support/workspace.ts';
import { type Ended, hookline, WITHOUT_PERSON } from '../cli/program.ts';

const BIN = fileURLToPath(new URL('../../../bin/hookline.js', import.meta.url));
const EVENT = '{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","tool_name":"Bash","tool_input":{"command":"ls"}}';
const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

interface Scene {
  readonly workspace: Workspace;
  readonly ticket: string;
}

/** A project with a hook to trust and a held action, and settings that permit scripts: an agent is refused even so. */
async function openScene(): Promise<Scene> {
  const workspace = permitScripts(
    createWorkspace({
      '.agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\n---\n',
      '.agents/hooks/gate/scripts/run.sh': `#!/bin/sh\necho '{"decision": "ask", "reason": "sure?"}'\n`,
    }),
  );
  const server = pinnedServer(workspace.root, ['server'], 'server', sha256);
  openPins(workspace.at('~/.local/state')).first(server, new Map(), '2026-01-01T00:00:00.000Z');
  const fire = ['fire', 'tool.before', '--tool', 'Deploy', '--input', '{}', '--trust-all', '--json'];
  const { ticket } = JSON.parse((await hookline(workspace, fire)).stdout);
  return { workspace, ticket: ticket.id };
}

/** Every act that needs a person, with the kind of its entry. Those that only change what can be undone are told apart. */
const ACTS: readonly { readonly kind: string; readonly argv: (ticket: string) => string[]; readonly isLight?: true }[] = [
  { kind: 'ticket.approved', argv: (id) => ['approvals', 'approve', id, '--by', 'the boss'] },
  { kind: 'ticket.denied', argv: (id) => ['approvals', 'deny', id] },
  { kind: 'ticket.withdrawn', argv: (id) => ['approvals', 'withdraw', id] },
  { kind: 'trust.added', argv: () => ['trust', 'add', '--yes'] },
  { kind: 'trust.removed', argv: () => ['trust', 'remove'] },
  { kind: 'pins.accepted', argv: () => ['mcp', 'pins', 'accept', '--yes'] },
  { kind: 'pins.removed', argv: () => ['mcp', 'pins', 'remove'] },
  { kind: 'log.pruned', argv: () => ['log', 'prune', '--before', '0s', '--yes'] },
  { kind: 'pause.started', argv: () => ['pause'] },
  { kind: 'approvals.protected', argv: () => ['approvals', 'protect'] },
  { kind: 'approvals.unprotected', argv: () => ['approvals', 'unprotect'] },
  { kind: 'hooks.installed', argv: () => ['install', 'codex', '--no-serve'], isLight: true },
  { kind: 'hooks.uninstalled', argv: () => ['uninstall', 'codex'], isLight: true },
  { kind: 'settings.changed', argv: () => ['serve', 'auto'], isLight: true },
];

const quoted = (words: readonly string[]): string => words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

interface Way {
  readonly name: string;
  readonly needs: readonly string[];
  /** Whether the agent can no longer be seen from the command, so that it is only unclear who acts. */
  readonly leaves?: true;
  line(command: string, socket: string): string;
}

const CLEAN = 'env -i PATH="$PATH" HOME="$HOME" HOOKLINE_HOME="$HOOKLINE_HOME"';
const WAYS: readonly Way[] = [
  { name: 'as it is', needs: [], line: (command) => command },
  { name: 'env -u', needs: [], line: (command) => `env -u CLAUDECODE ${command}` },
  { name: 'env -i', needs: [], line: (command) => `${CLEAN} ${command}` },
  { name: 'a second shell', needs: [], line: (command) => `sh -c ${quoted([command])}; exit $?` },
  { name: 'setsid', needs: ['setsid'], line: (command) => `setsid --wait ${command}` },
  { name: 'script', needs: ['script'], line: (command) => `${CLEAN} script -qec ${quoted([command])} /dev/null` },
  { name: 'a double fork', needs: ['setsid'], leaves: true, line: (command) => `( ${CLEAN} setsid -f ${command} & )` },
  {
    ...{ name: 'a double fork with a terminal', needs: ['setsid', 'script'], leaves: true },
    line: (command) => `( ${CLEAN} setsid -f script -qec ${quoted([command])} /dev/null & )`,
  },
  { name: 'tmux', needs: ['tmux'], leaves: true, line: (command, socket) => `${CLEAN} tmux -S ${socket} new -d ${quoted([command])}` },
];

/** Runs a command line below a program of this name, and waits until the command has ended, wherever it went. */
function below(agent: string, { workspace }: Scene, way: Way, argv: readonly string[], env: Readonly<Record<string, string>>): string {
  const folder = path.join(workspace.home, 'bin');
  mkdirSync(folder, { recursive: true });
  const [program, run, out, socket] = [agent, 'run', 'out', 'socket'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  writeFileSync(out, '');
  writeFileSync(run, `#!/bin/sh\n${quoted([process.execPath, BIN, ...argv])} > ${out} 2>&1 < /dev/null\necho "exit $?" >> ${out}\n`);
  writeFileSync(
    program,
    `#!/bin/sh\n[ ! -e ${folder}/event ] || ${quoted([process.execPath, BIN])} hook claude-code < ${folder}/event > /dev/null\n${way.line(run, socket)}\n:\n`,
  );
  for (const file of [run, program]) chmodSync(file, 0o755);
  const { PATH } = process.env;
  spawnSync(program, [], {
    cwd: workspace.root,
    env: { PATH, TERM: 'xterm', HOME: workspace.home, HOOKLINE_HOME: workspace.home, ...env },
  });
  for (const end = Date.now() + 60_000; Date.now() < end && !/^exit \d+$/m.test(readFileSync(out, 'utf8')); ) {
    spawnSync('sleep', ['0.05']);
  }
  return readFileSync(out, 'utf8');
}

async function refusals({ workspace }: Scene, kind: string): Promise<{ actor: { finding: string } }[]> {
  const { entries } = JSON.parse((await hookline(workspace, ['log', '--json'])).stdout);
  return entries.filter((entry: { kind: string; decision: string }) => entry.kind === kind && entry.decision === 'deny');
}

for (const way of WAYS) {
  test.skipIf(process.platform !== 'linux' || !way.needs.every(has))(`no act is done below a known agent: ${way.name}`, async () => {
    const scene = await openScene();
    for (const { kind, argv, isLight } of ACTS) {
      if (way.leaves && isLight) continue;
      const words = argv(scene.ticket);
      // The setting permits scripts where it is unclear who acts, so it is not there for a way that leaves the agent.
      if (way.leaves) scene.workspace.remove('~/.config/hookline/settings.json');
      const said = below('claude', scene, way, words, { CLAUDECODE: '1' });
      expect([words, said]).toEqual([words, expect.stringMatching(/exit 1$/m)]);
      const found = await refusals(scene, kind);
      expect([words, found.map(({ actor }) => actor.finding)]).toEqual([words, [way.leaves ? 'unclear' : 'agent']]);
    }
    const { state } = JSON.parse((await hookline(scene.workspace, ['approvals', 'show', scene.ticket, '--json'])).stdout);
    expect(state).toBe('open');
    expect(existsSync(scene.workspace.at('~/.codex'))).toBe(false);
  });
}

test.skipIf(process.platform !== 'linux')('every program of every known agent is recognised by its name alone', async () => {
  const scene = await openScene();
  const [plain] = WAYS as [Way];
  const names = HOSTS.flatMap(({ signs }) => signs.programs).filter((name) => !name.includes('/'));
  for (const name of names) {
    const said = below(name, scene, plain, ['approvals', 'approve', scene.ticket], {});
    expect([name, said]).toEqual([name, expect.stringContaining(`\`${name.slice(0, 15)}\`) is above this command`)]);
  }
});

test.skipIf(process.platform !== 'linux' || !has('script'))(
  'an agent that nobody knows is recognised because it asked a hook',
  async () => {
    const scene = await openScene();
    for (const way of WAYS.filter(({ needs, leaves }) => !leaves && needs.every(has))) {
      const approve = ['approvals', 'approve', scene.ticket];
      scene.workspace.write({ '~/bin/event': EVENT });
      expect([way.name, below('homemade', scene, way, approve, {})]).toEqual([
        way.name,
        expect.stringContaining('asked a hook of Hookline'),
      ]);
    }
    const { state } = JSON.parse((await hookline(scene.workspace, ['approvals', 'show', scene.ticket, '--json'])).stdout);
    expect(state).toBe('open');
  },
);

test.skipIf(process.platform !== 'linux')('a marker in a process above counts, although the command lost it', async () => {
  const scene = await openScene();
  const [, , clean] = WAYS as unknown as [Way, Way, Way];
  const said = below('plain', scene, clean, ['approvals', 'approve', scene.ticket], { CODEX_SANDBOX: '1' });
  expect(said).toContain('Codex (CODEX_SANDBOX) has started process');
});

test('where it is unclear who acts, weighty acts are refused and the others are logged', async () => {
  const { workspace, ticket } = await openScene();
  const permitted = readFileSync(workspace.at('~/.config/hookline/settings.json'), 'utf8');
  workspace.remove('~/.config/hookline/settings.json');
  const refused = await hookline(workspace, ['approvals', 'approve', ticket]);
  expect(refused).toMatchObject({ exit: 1, stderr: expect.stringContaining('There is no terminal') });
  expect(refused.stderr).toContain('unattended');
  // A project cannot permit it.
  workspace.write({ '.config/hookline/settings.json': permitted, '.hookline/settings.json': permitted });
  expect((await hookline(workspace, ['approvals', 'approve', ticket])).exit).toBe(1);
  expect((await hookline(workspace, ['install', 'codex', '--no-serve'])).exit).toBe(0);
  expect((await hookline(workspace, ['uninstall', 'codex'])).exit).toBe(0);
  const { entries } = JSON.parse((await hookline(workspace, ['log', '--json'])).stdout);
  const acts = entries.flatMap(({ kind, decision, actor }: Record<string, { finding: string }>) =>
    actor ? [[kind, decision, actor.finding]] : [],
  );
  expect(acts).toEqual([
    ['ticket.approved', 'deny', 'unclear'],
    ['ticket.approved', 'deny', 'unclear'],
    ['hooks.installed', 'allow', 'unclear'],
    ['hooks.uninstalled', 'allow', 'unclear'],
  ]);
  // Another home with that setting does not open the store of this one.
  const elsewhere = permitScripts(createWorkspace());
  const store = `sqlite:${workspace.at('~/.local/state/hookline/hookline.db')}`;
  expect((await hookline(elsewhere, ['approvals', 'approve', ticket, '--store', store])).exit).toBe(1);
  workspace.write({ '~/.config/hookline/settings.json': permitted });
  expect((await hookline(workspace, ['approvals', 'approve', ticket])).exit).toBe(0);
});

test.skipIf(WITHOUT_PERSON || !has('script'))('a person at a terminal may, and the name that is given is a note', async () => {
  const { workspace, ticket } = await openScene();
  workspace.remove('~/.config/hookline/settings.json');
  const typed = (argv: readonly string[], stdin = ''): Promise<Ended> => hookline(workspace, argv, { terminal: true, stdin });
  expect(await typed(['approvals', 'approve', ticket, '--by', 'the boss'])).toMatchObject({
    exit: 0,
    stdout: expect.stringMatching(/by the boss \(account .+\)/),
  });
  expect((await typed(['trust', 'add', '--yes'])).exit).toBe(0);
  expect((await typed(['log', 'prune', '--before', '30d', '--yes'])).exit).toBe(0);
});

test.skipIf(WITHOUT_PERSON || !has('script'))('a passphrase protects, and a verifier that disappears locks', async () => {
  const { workspace, ticket } = await openScene();
  const typed = (argv: readonly string[], stdin = ''): Promise<Ended> => hookline(workspace, argv, { terminal: true, stdin });
  expect((await typed(['approvals', 'protect'], 'short\nshort\n')).exit).toBe(1);
  expect((await typed(['approvals', 'protect'], 'correct horse\nanother horse\n')).exit).toBe(1);
  const set = await typed(['approvals', 'protect'], 'correct horse\ncorrect horse\n');
  expect(set).toMatchObject({ exit: 0 });
  // It was typed ahead, which the terminal shows. From the question on nothing is shown.
  expect(set.stdout.slice(set.stdout.indexOf('New passphrase'))).not.toContain('correct');
  const file = workspace.at('~/.local/state/hookline/approver');
  const verifier = readFileSync(file, 'utf8');
  expect(verifier).not.toContain('correct');
  // Neither the setting for scripts nor a person replaces it.
  expect((await hookline(workspace, ['approvals', 'approve', ticket])).exit).toBe(1);
  expect(await typed(['approvals', 'approve', ticket], 'wrong horse\n')).toMatchObject({
    exit: 1,
    stdout: expect.stringContaining('is wrong'),
  });
  workspace.remove('~/.local/state/hookline/approver');
  workspace.remove('~/.local/state/hookline/origin');
  for (const argv of [
    ['approvals', 'approve', ticket],
    ['trust', 'add', '--yes'],
    ['log', 'prune', '--before', '1d', '--yes'],
    ['approvals', 'protect'],
  ])
    expect(await typed(argv, 'correct horse\ncorrect horse\n')).toMatchObject({ exit: 1, stdout: expect.stringContaining('is missing') });
  writeFileSync(file, verifier);
  expect((await typed(['approvals', 'review'], 'correct horse\na\n')).stdout).toContain('1 action settled');
  expect((await typed(['approvals', 'unprotect'], 'correct horse\n')).exit).toBe(0);
  expect((await typed(['trust', 'add', '--yes'])).exit).toBe(0);
  const log = (await hookline(workspace, ['log', '--json'])).stdout;
  expect(log).not.toContain('horse');
  expect(log).toContain('"by": "secret"');
});
