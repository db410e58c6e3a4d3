/** `install`, `uninstall` and `doctor` as a person types them, on real files, with the built program. */
import { once } from 'node:events';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { HOSTS } from '../../../src/builtins.ts';
import type { DoctorReport } from '../../../src/cli/doctor/report.ts';
import { createWorkspace, permitScripts, type Workspace } from '../../support/workspace.ts';
import { hookline, type RunOptions, skill } from '../cli/program.ts';
import { trustInCodex } from './codex-trust.ts';

const FILE = '~/.codex/hooks.json';
const MINE = '{\n\t"hooks": {\n\t\t"PreToolUse": [\n\t\t\t{"hooks": [{"type": "command", "command": "true"}]}\n\t\t]\n\t}\n}';

describe('install', () => {
  test('adds entries, keeps a backup, and uninstall gives the bytes back', async () => {
    const space = createWorkspace({ [FILE]: MINE });
    const added = await hookline(space, ['install', 'codex', '--no-serve', '--json']);
    expect(added).toMatchObject({ exit: 0, stderr: '' });
    expect(JSON.parse(added.stdout)).toMatchObject({ host: 'codex', scope: 'user', files: [{ state: 'changed' }] });
    // What Codex itself wants done before it runs an entry.
    expect(JSON.parse(added.stdout).diagnostics).toMatchObject([{ severity: 'warning', code: 'not-trusted-there' }]);
    expect(readFileSync(space.at(FILE), 'utf8')).toContain('codex PreToolUse');
    const again = await hookline(space, ['install', 'codex', '--no-serve', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ files: [{ state: 'unchanged' }] });
    expect(await hookline(space, ['uninstall', 'codex'])).toMatchObject({ exit: 0, stderr: '' });
    expect(readFileSync(space.at(FILE), 'utf8')).toBe(MINE);
    expect(await hookline(space, ['uninstall', 'codex'])).toMatchObject({ exit: 1 });
  });

  test('--dry-run prints a diff and writes nothing', async () => {
    const space = createWorkspace({ [FILE]: MINE });
    const { exit, stdout } = await hookline(space, ['install', 'codex', '--no-serve', '--dry-run']);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^--- .*hooks\.json\n\+\+\+ .*hooks\.json\n@@ /);
    expect(stdout).toMatch(/^\+.*codex Stop/m);
    // A line that was the last of its list gets a comma, and nothing else is removed.
    const removed = stdout.match(/^-(?!-- ).*$/gm) ?? [];
    expect(removed.filter((line) => !stdout.includes(`\n+${line.slice(1)},\n`))).toEqual([]);
    expect(readFileSync(space.at(FILE), 'utf8')).toBe(MINE);
  });

  test('never overwrites a broken file, and says where it is broken', async () => {
    const space = createWorkspace({ [FILE]: '{"hooks": [}' });
    const { exit, stderr } = await hookline(space, ['install', 'codex', '--no-serve']);
    expect(exit).toBe(1);
    expect(stderr).toContain('hooks.json:1:12');
    expect(readFileSync(space.at(FILE), 'utf8')).toBe('{"hooks": [}');
  });

  test.each([
    [['install', 'codexx', '--no-serve'], 'Did you mean `codex`?'],
    [['install', 'codex', '--no-serve', '--scope', 'world'], 'user or project'],
    [['install', 'codex', '--no-serve', '--via', 'http'], 'cannot send requests itself'],
    [['install', 'copilot', '--no-serve', '--via', 'http', '--port', '4680', '--fail-open'], 'COPILOT_HOOK_ALLOW_LOCALHOST'],
    [['install', 'qwen', '--no-serve', '--via', 'http', '--port', '4680'], '--fail-open'],
    [['install', 'claude-code', '--no-serve', '--via', 'http', '--port', '4680', '--scope', 'project'], 'token'],
    [['install', 'claude-code', '--no-serve', '--via', 'http', '--port', '70000'], 'no port'],
    [['install', 'claude-code', '--no-serve', '--fail-open'], 'needs `--via http`'],
    [['install', 'codex', '--no-serve', '--via', 'pigeon'], 'command or http'],
  ])('%j is wrong usage', async (argv, words) => {
    const { exit, stderr } = await hookline(createWorkspace(), argv);
    expect(exit).toBe(64);
    expect(stderr).toContain(words);
  });

  test('an agent can not uninstall what judges it', async () => {
    const space = createWorkspace();
    await hookline(space, ['install', 'codex', '--no-serve']);
    const { exit, stderr } = await hookline(space, ['uninstall', 'codex'], { env: { CODEX_SANDBOX: '1' } });
    expect(exit).toBe(1);
    expect(stderr).toContain('An agent may not uninstall Hookline. Codex (CODEX_SANDBOX)');
    expect(readFileSync(space.at(FILE), 'utf8')).toContain('codex PreToolUse');
  });
});

describe.each(HOSTS)('$title', (host) => {
  test('is installed into, passes the canary, and is left as it was', async () => {
    const space = createWorkspace();
    const scope = host.entry.files.user === undefined ? ['--scope', 'project'] : [];
    expect(await hookline(space, ['install', host.id, '--no-serve', ...scope])).toMatchObject({ exit: 0, stderr: '' });
    if (host.id === 'codex') trustInCodex(space);
    const { exit, report } = await doctor(space, ['--canary']);
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(exit).toBe(0);
    const found = report.hosts.find(({ id }) => id === host.id);
    expect(found?.files.flatMap(({ canary }) => canary ?? [])).toMatchObject([{ arrived: true, denies: true }]);
    expect(await hookline(space, ['uninstall', host.id, ...scope])).toMatchObject({ exit: 0, stderr: '' });
    space.remove('~/.codex/config.toml');
    expect(filesBelow(space)).toEqual([]);
  });
});

describe('doctor', () => {
  test('does not say that anything protects where nothing is installed', async () => {
    const { exit, report } = await doctor(createWorkspace());
    expect(exit).toBe(1);
    expect(report).toMatchObject({ healthy: false, hosts: [], findings: [{ severity: 'error', code: 'nothing-installed' }] });
  });

  test('proves by a canary that what is installed works', async () => {
    const space = createWorkspace();
    await hookline(space, ['install', 'codex', '--no-serve']);
    trustInCodex(space);
    const { exit, report } = await doctor(space, ['--canary']);
    expect(report.findings).toEqual([]);
    expect(exit).toBe(0);
    const [file] = report.hosts[0]?.files ?? [];
    expect(file).toMatchObject({ state: 'installed', via: 'command', canary: { arrived: true, shownBy: 'log', denies: true } });
  });

  test('proves the same over http, and says so when the server is gone', async () => {
    const space = createWorkspace();
    const port = String(await freePort());
    const started = await hookline(space, ['serve', '--port', port, '--background']);
    expect(started.exit).toBe(0);
    try {
      const installed = await hookline(space, ['install', 'claude-code', '--no-serve', '--via', 'http']);
      expect(installed).toMatchObject({ exit: 0, stdout: expect.stringContaining('blocks what can be denied') });
      expect(await hookline(space, ['install', 'qwen', '--no-serve', '--via', 'http', '--fail-open'])).toMatchObject({
        exit: 0,
        stdout: expect.stringContaining('runs PreToolUse'),
      });
      const { exit, report } = await doctor(space, ['--canary']);
      expect(report.hosts[0]?.files[0]).toMatchObject({ via: 'http', canary: { arrived: true, denies: true } });
      expect(exit).toBe(0);
    } finally {
      await hookline(space, ['serve', 'stop']);
    }
    const { exit, report } = await doctor(space, ['--canary']);
    expect(exit).toBe(1);
    expect(codes(report)).toEqual(expect.arrayContaining(['dead-entry', 'canary-failed']));
    const said = report.findings.filter(({ code }) => code === 'dead-entry').map(({ message }) => message);
    expect(said).toEqual([expect.stringContaining('blocks its actions'), expect.stringContaining('without a check: PreToolUse')]);
    // The next one is where the entries say.
    try {
      expect((await hookline(space, ['serve', '--background'])).stdout).toContain(`port ${port}`);
      expect(codes((await doctor(space)).report)).not.toContain('dead-entry');
      // A token that is no longer the server's protects nobody either.
      const file = space.at('~/.claude/settings.json');
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/[0-9a-f]{64}/g, '0'.repeat(64)));
      expect(codes((await doctor(space)).report)).toContain('dead-entry');
    } finally {
      await hookline(space, ['serve', 'stop']);
    }
  });

  test('says that an entry is dead, and the canary that it is silent', async () => {
    const space = createWorkspace();
    await hookline(space, ['install', 'codex', '--no-serve']);
    const text = readFileSync(space.at(FILE), 'utf8');
    writeFileSync(space.at(FILE), text.replaceAll(/"command": "[^"]*hookline-hook'? /g, '"command": "/gone/hookline-hook '));
    const { exit, report } = await doctor(space, ['--canary']);
    expect(exit).toBe(1);
    expect(codes(report)).toEqual(expect.arrayContaining(['dead-entry', 'canary-failed']));
    expect(report.hosts[0]?.files[0]?.state).toBe('dead');
  });

  test('says what is missing of an installation, and that hooks are switched off', async () => {
    const space = createWorkspace();
    await hookline(space, ['install', 'claude-code', '--no-serve']);
    const file = space.at('~/.claude/settings.json');
    const parsed = JSON.parse(readFileSync(file, 'utf8')) as { hooks: Record<string, unknown> };
    delete parsed.hooks['PreToolUse'];
    writeFileSync(file, JSON.stringify({ ...parsed, disableAllHooks: true }));
    const { exit, report } = await doctor(space);
    expect(exit).toBe(1);
    expect(codes(report)).toEqual(expect.arrayContaining(['missing-entry', 'hooks-switched-off']));
  });

  test('says which hooks are not in force: untrusted is a warning, none in force or changed since trusted an error', async () => {
    const space = createWorkspace(skill('exit 0'));
    await hookline(space, ['install', 'qwen', '--no-serve']);
    const before = await doctor(space);
    expect(before.exit).toBe(1);
    expect(before.report.findings).toMatchObject([
      { severity: 'error', code: 'no-hook-in-force' },
      { severity: 'warning', code: 'hook-not-in-force' },
    ]);
    space.write({ '~/.copilot/hooks/own.json': '{"hooks": {"preToolUse": [{"type": "command", "bash": "true"}]}}' });
    space.write({ '~/.config/hookline/settings.json': '{"doctor": {"ignore": ["copilot"]}}' });
    const mixed = await doctor(space);
    expect(mixed.exit).toBe(0);
    expect(mixed.report.findings).toMatchObject([{ severity: 'warning', code: 'hook-not-in-force' }]);
    space.remove('~/.copilot');
    await hookline(permitScripts(space), ['trust', 'add', '--yes']);
    space.remove('~/.config/hookline');
    expect((await doctor(space)).report).toMatchObject({ healthy: true, findings: [], hooks: { total: 1, active: 1 } });
    space.write(skill('exit 2'));
    const after = await doctor(space);
    expect(after.exit).toBe(1);
    expect(after.report.findings).toContainEqual(expect.objectContaining({ severity: 'error', code: 'hook-not-in-force' }));
  });

  test('says that a script is gone, a hook there twice, and a file open to all', async () => {
    const hook = (command: string) => JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command }] }] } });
    const space = createWorkspace({ [FILE]: hook('/nowhere/gate.sh') });
    const lost = await doctor(space);
    expect(codes(lost.report)).toContain('hook-can-not-run');
    space.write({
      [FILE]: JSON.stringify({
        hooks: { PreToolUse: [JSON.parse(hook('true')).hooks.PreToolUse[0], JSON.parse(hook('true')).hooks.PreToolUse[0]] },
      }),
    });
    chmodSync(space.at(FILE), 0o666);
    const { exit, report } = await doctor(space);
    expect(exit).toBe(1);
    expect(codes(report)).toEqual(expect.arrayContaining(['duplicate-hook', 'open-to-all']));
  });

  test('names broken settings, trust and policy, and an unusable store', async () => {
    const space = createWorkspace({
      '~/.config/hookline/settings.json': '{"strict": maybe}',
      '~/.local/state/hookline/trust.json': 'no',
      'policy.json': '{"oops": 1}',
    });
    rmSync(space.at('~/.local/state/hookline/hookline.db'), { force: true });
    space.write({ '~/.local/state/hookline/hookline.db/is-a-folder': '' });
    const { exit, report } = await doctor(space, ['--policy', space.at('policy.json')]);
    expect(exit).toBe(1);
    expect(codes(report)).toEqual(
      expect.arrayContaining(['invalid-json', 'broken-trust', 'broken-policy', 'all-denied', 'store-unavailable']),
    );
  });

  test('is a page to be read', async () => {
    const space = createWorkspace(skill('exit 0'));
    await hookline(space, ['install', 'codex', '--no-serve']);
    trustInCodex(space);
    const { stdout } = await hookline(space, ['doctor', '--canary']);
    expect(stdout).toContain('Agents\n  ✓ Codex');
    expect(stdout).toContain('and a deny comes back');
    expect(stdout).toContain('✗ 1 problem: protection is not in force.');
    await hookline(permitScripts(space), ['trust', 'add', '--yes']);
    space.remove('~/.config/hookline');
    expect((await hookline(space, ['doctor'])).stdout).toContain('✓ 1 agent, 1 hook: no problems found.');
  });
});

async function doctor(
  space: Workspace,
  argv: readonly string[] = [],
  options: RunOptions = {},
): Promise<{ exit: number | null; report: DoctorReport }> {
  const { exit, stdout } = await hookline(space, ['doctor', '--json', ...argv], options);
  return { exit, report: JSON.parse(stdout) as DoctorReport };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** But for what Hookline itself keeps. */
function filesBelow({ home, root }: Workspace): string[] {
  return [home, root].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.parentPath.includes('.local/state'))
      .map((entry) => `${entry.parentPath}/${entry.name}`),
  );
}

function codes({ findings }: DoctorReport): string[] {
  return findings.map(({ code }) => code);
}
