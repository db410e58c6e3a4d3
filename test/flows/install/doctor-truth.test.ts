/** Exit code 0 of the doctor means: every agent on this machine asks Hookline, and every hook that should act does. It never crashes. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { HOSTS } from '../../../src/builtins.ts';
import type { DoctorReport } from '../../../src/cli/doctor/report.ts';
import { carryOut, planInstall } from '../../../src/install/install.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline, skill } from '../cli/program.ts';

const CLAUDE = '~/.claude/settings.json';

describe('a file that its agent drops', () => {
  test.each([
    ['claude-code', CLAUDE, '{\n  // mine\n  "model": "x"\n}\n', ':2:3'],
    ['codex', '~/.codex/hooks.json', '{\n  "hooks": {},\n}\n', ':2:14'],
    ['cursor', '~/.cursor/hooks.json', '{\n  "version": 1, "hooks": {"stop": [{"command": "curl https://a.example/"}]}\n}\n', ':2:'],
  ])('is not written by an installation into %s, which ends with 1', async (id, file, text, place) => {
    const space = createWorkspace({ [file]: text });
    const { exit, stderr } = await hookline(space, ['install', id]);
    expect(exit).toBe(1);
    expect(stderr).toContain('dropped-file');
    expect(stderr).toContain(place);
    expect(readFileSync(space.at(file), 'utf8')).toBe(text);
  });

  test('protects nothing, whatever its line would answer', async () => {
    const space = createWorkspace({ [CLAUDE]: '{\n  "model": "x"\n}\n' });
    await hookline(space, ['install', 'claude-code', '--no-serve']);
    expect(await doctor(space, ['--canary'])).toMatchObject({
      exit: 0,
      report: { hosts: [{ files: [{ canary: { denies: true } }, {}] }] },
    });
    writeFileSync(space.at(CLAUDE), readFileSync(space.at(CLAUDE), 'utf8').replace('{', '{ // mine'));
    const { exit, report } = await doctor(space, ['--canary']);
    expect(exit).toBe(1);
    expect(codes(report)).toEqual(expect.arrayContaining(['dropped-file', 'canary-failed']));
    expect(report.hosts[0]?.files[0]).toMatchObject({ state: 'ignored', canary: { arrived: false, notSent: expect.any(String) } });
  });
});

describe('an entry that the agent would not start for every call', () => {
  test.each([
    ['with a matcher', '"PreToolUse": [\n      {"hooks"', '"PreToolUse": [\n      {"matcher": "Write", "hooks"', 'changed-entry'],
    ['in the background', '"onFailure": "block"', '"async": true', 'changed-entry'],
    ['of another type', '{"type": "command"', '{"type": "prompt"', 'changed-entry'],
    ['at another event', '"PreToolUse": [', '"PostToolUses": [', 'changed-entry'],
    ['of an agent whose hooks are off', '"hooks": {', '"disableAllHooks": true, "hooks": {', 'hooks-switched-off'],
  ])('%s does not count for the canary', async (_, from, to, code) => {
    const space = createWorkspace();
    await hookline(space, ['install', 'claude-code', '--no-serve']);
    const before = readFileSync(space.at(CLAUDE), 'utf8');
    const after = before.replace(from, to);
    expect(after).not.toBe(before);
    writeFileSync(space.at(CLAUDE), after);
    const { exit, report } = await doctor(space, ['--canary']);
    expect(exit).toBe(1);
    expect(codes(report)).toEqual(expect.arrayContaining([code, 'canary-failed']));
  });

  test('because its program is gone is found, in every agent', async () => {
    const space = createWorkspace();
    for (const host of HOSTS) {
      const scope = host.entry.files.user === undefined ? 'project' : 'user';
      const change = planInstall({ host, scope, folders: space, reach: { via: 'command', program: ['/gone/bin/hookline-hook'] } });
      expect('files' in change && carryOut(change.files)).toBe(true);
    }
    const { exit, report } = await doctor(space);
    expect(exit).toBe(1);
    const dead = new Set(report.findings.filter(({ code }) => code === 'dead-entry').map(({ message }) => message.split(' runs no')[0]));
    expect([...dead].sort()).toEqual(HOSTS.map(({ title }) => title).sort());
  });
});

describe('an agent that does not ask', () => {
  test('is a problem in every agent, unless it is left out on purpose', async () => {
    const space = createWorkspace(Object.fromEntries(HOSTS.map(({ entry }) => [`~/${entry.traces[0]}/history`, ''])));
    await hookline(space, ['install', 'qwen', '--no-serve']);
    const others = HOSTS.filter(({ id }) => id !== 'qwen');
    const asked = await doctor(space);
    expect(asked.exit).toBe(1);
    const said = others.map(({ title }) => ({ severity: 'error', code: 'not-installed', message: expect.stringContaining(title) }));
    expect(asked.report.findings).toMatchObject(said);
    space.write({ '~/.config/hookline/settings.json': JSON.stringify({ doctor: { ignore: others.map(({ id }) => id) } }) });
    expect(await doctor(space)).toMatchObject({ exit: 0, report: { findings: [] } });
    space.write({ '~/.config/hookline/settings.json': JSON.stringify({ doctor: { ignore: others.slice(1).map(({ id }) => id) } }) });
    expect(await doctor(space)).toMatchObject({ exit: 1, report: { findings: said.slice(0, 1) } });
  });

  test('is no problem if only the project has files of it, or an uninstallation left folders behind', async () => {
    const space = createWorkspace({ '.cursor/rules/a.md': '' });
    await hookline(space, ['install', 'qwen', '--no-serve']);
    await hookline(space, ['install', 'cline', '--no-serve']);
    await hookline(space, ['uninstall', 'cline']);
    const { exit, report } = await doctor(space);
    expect(report.findings).toMatchObject([{ severity: 'info', code: 'not-installed', message: expect.stringContaining('Cursor') }]);
    expect(exit).toBe(0);
  });

  test('a name in `doctor.ignore` that no agent has is said', async () => {
    const space = createWorkspace({ '~/.config/hookline/settings.json': '{"doctor": {"ignore": ["cusror"]}}' });
    const { report } = await doctor(space);
    expect(report.findings).toContainEqual(expect.objectContaining({ code: 'unknown-agent', hint: 'Did you mean `cursor`?' }));
  });
});

test('hooks that are all untrusted are not called protection', async () => {
  const space = createWorkspace(skill('exit 2'));
  await hookline(space, ['install', 'qwen', '--no-serve']);
  const { exit, stdout } = await hookline(space, ['doctor']);
  expect(exit).toBe(1);
  expect(stdout).toContain('not in force, so nothing is judged');
});

test('the same file reached by two ways is one entry', async () => {
  const space = createWorkspace();
  const home = { ...space, root: space.home };
  expect((await hookline(home, ['install', 'claude-code', '--no-serve'])).stdout).not.toContain('duplicate-entry');
  await hookline(home, ['install', 'cursor', '--no-serve']);
  const { exit, report } = await doctor(home);
  expect(report.findings.filter(({ severity }) => severity !== 'info')).toEqual([]);
  expect(exit).toBe(0);
  expect(report.hosts.flatMap(({ files }) => files.map(({ file }) => file))).toHaveLength(2);
  // A project whose folder is a link to the user's own.
  symlinkSync(space.at('~/.claude'), space.at('.claude'));
  const linked = await doctor(space);
  expect(codes(linked.report).filter((code) => code !== 'duplicate-entry')).toEqual([]);
  expect(linked.exit).toBe(0);
});

/** What may stand in the place of a file or folder. */
const ODD: Readonly<Record<string, (place: string) => void>> = {
  'a file': (place) => writeFileSync(place, 'text'),
  'a folder': (place) => mkdirSync(place),
  'a link that leads nowhere': (place) => symlinkSync('/nowhere/at/all', place),
  'a link to itself': (place) => symlinkSync(path.basename(place), place),
  'a huge file': (place) => writeFileSync(place, '[1,'.repeat(1_000_000)),
  'bytes that are no text': (place) => writeFileSync(place, new Uint8Array([0xff, 0, 0xfe, 0x7b])),
  'a pipe': (place) => void execFileSync('mkfifo', [place]),
  'a file of very deep lists': (place) => writeFileSync(place, '['.repeat(200_000)),
  'a file without rights': (place) => writeFileSync(place, '{}', { mode: 0 }),
};

describe('the doctor never crashes', () => {
  test.each(Object.entries(ODD))('with %s at every place of every agent', async (_, put) => {
    for (const depth of ['file', 'folder'] as const) {
      const space = createWorkspace();
      await hookline(space, ['install', 'droid', '--no-serve']);
      for (const place of placesOf(space, depth)) {
        rmSync(place, { recursive: true, force: true });
        mkdirSync(path.dirname(place), { recursive: true });
        put(place);
      }
      const { exit, stdout, stderr } = await hookline(space, ['doctor', '--json', '--canary']);
      expect({ exit, stderr }).toEqual({ exit: 1, stderr: '' });
      expect(JSON.parse(stdout)).toMatchObject({ healthy: false });
    }
  });
});

/** The files of all agents, or the first folder of each that is its own. */
function placesOf({ home, root }: Workspace, depth: 'file' | 'folder'): readonly string[] {
  const all = HOSTS.flatMap(({ entry: { files, traces } }) => {
    if (depth === 'folder')
      return [path.join(home, traces[0] as string), ...(files.project ? [path.join(root, topOf(files.project))] : [])];
    return [...(files.user ? [path.join(home, files.user)] : []), ...(files.project ? [path.join(root, files.project)] : [])];
  });
  return [...new Set(all)];
}

function topOf(place: string): string {
  return place.split('/')[0] as string;
}

async function doctor(space: Workspace, argv: readonly string[] = []): Promise<{ exit: number | null; report: DoctorReport }> {
  const { exit, stdout } = await hookline(space, ['doctor', '--json', ...argv]);
  return { exit, report: JSON.parse(stdout) as DoctorReport };
}

function codes({ findings }: DoctorReport): string[] {
  return findings.map(({ code }) => code);
}
