/** Compiled code is kept on the user's machine, and read only where it gives no process a way to change what runs. */
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { systemPolicyFile } from '../../../src/load/settings/policy-file.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline } from './program.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const { cacheFolder, POLICY } = createRequire(import.meta.url)('../../../bin/code-cache.js');
/** The start of a reason in the guard's chunk, and the same with other letters. */
const REASON = 'Denied by the guard';
const OTHER = 'DENIED by the GUARD';
const CACHE = '~/.local/state/hookline/code-cache';

/** A copy of the program that this user may write to, and a state folder as it is after the first recorded event. */
function programIn(workspace: Workspace): string {
  const copy = workspace.at('~/program');
  mkdirSync(copy);
  for (const name of ['bin', 'dist/cli', 'package.json']) cpSync(path.join(PROJECT, name), path.join(copy, name), { recursive: true });
  mkdirSync(workspace.at('~/.local/state/hookline'), { recursive: true });
  return path.join(copy, 'bin/hookline.js');
}

async function reasonOf(workspace: Workspace, bin: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stderr, exit } = await hookline(workspace, ['guard'], { bin, env, stdin: '{"tool":"Bash","input":{"command":"rm -rf /"}}' });
  expect(exit).toBe(2);
  return stderr.slice(0, REASON.length);
}

/** Changes the compiled code in the cache: what the program says then shows which code was run. */
function forge(workspace: Workspace): void {
  const forged = Buffer.from(OTHER);
  spoil(workspace, (content) => {
    let found = 0;
    for (let at = content.indexOf(REASON); at !== -1; at = content.indexOf(REASON, at + 1)) {
      forged.copy(content, at);
      found++;
    }
    expect(found).toBeGreaterThan(0);
    return content;
  });
}

function entries(workspace: Workspace): string[] {
  return existsSync(workspace.at(CACHE)) ? readdirSync(workspace.at(CACHE), { recursive: true }).map(String) : [];
}

test('an event fills the cache, in a folder that is its owner’s alone', async () => {
  const workspace = createWorkspace();
  const bin = programIn(workspace);
  expect(await reasonOf(workspace, bin)).toBe(REASON);
  expect(statSync(workspace.at(CACHE)).mode & 0o777).toBe(0o700);
  expect(entries(workspace).length).toBeGreaterThan(3);
  expect(await reasonOf(workspace, bin)).toBe(REASON);
});

test('without a state folder nothing is created', async () => {
  const workspace = createWorkspace();
  await hookline(workspace, ['guard'], { stdin: '{"tool":"Bash","input":{"command":"ls"}}' });
  expect(existsSync(workspace.at('~/.local'))).toBe(false);
});

test('code from the cache is run, and `NODE_DISABLE_COMPILE_CACHE` is respected', async () => {
  const workspace = createWorkspace();
  const bin = programIn(workspace);
  await reasonOf(workspace, bin);
  forge(workspace);
  expect(await reasonOf(workspace, bin)).toBe(OTHER);
  expect(await reasonOf(workspace, bin, { NODE_DISABLE_COMPILE_CACHE: '1' })).toBe(REASON);
});

test('a cache that others may write to, or that lies elsewhere, is not read', async () => {
  const workspace = createWorkspace();
  const bin = programIn(workspace);
  await reasonOf(workspace, bin);
  forge(workspace);
  chmodSync(workspace.at(CACHE), 0o770);
  expect(await reasonOf(workspace, bin)).toBe(REASON);
  chmodSync(workspace.at(CACHE), 0o700);
  cpSync(workspace.at(CACHE), workspace.at('~/elsewhere'), { recursive: true });
  chmodSync(workspace.at('~/elsewhere'), 0o700);
  mkdirSync(workspace.at('~/linked/hookline'), { recursive: true });
  symlinkSync(workspace.at('~/elsewhere'), workspace.at('~/linked/hookline/code-cache'));
  expect(await reasonOf(workspace, bin, { HOOKLINE_HOME: '', XDG_STATE_HOME: workspace.at('~/linked') })).toBe(REASON);
  expect(await reasonOf(workspace, bin)).toBe(OTHER);
});

test.each([
  ['the time of a chunk', (workspace: Workspace) => utimesSync(workspace.at('~/program/dist/cli/guard.js'), 1, 1)],
  ['a byte of the entry', (workspace: Workspace) => spoil(workspace, (content) => content.fill(content[5000] === 1 ? 2 : 1, 5000, 5001))],
  ['the length of the entry', (workspace: Workspace) => spoil(workspace, (content) => content.subarray(0, content.length / 2))],
  ['all of the entry', (workspace: Workspace) => spoil(workspace, () => Buffer.from('no code'))],
])('an entry is ignored and replaced once it does not fit: %s', async (_, change) => {
  const workspace = createWorkspace();
  const bin = programIn(workspace);
  await reasonOf(workspace, bin);
  forge(workspace);
  change(workspace);
  expect(await reasonOf(workspace, bin)).toBe(REASON);
  const replaced = readFileSync(entryOf(workspace));
  expect(await reasonOf(workspace, bin)).toBe(REASON);
  expect(readFileSync(entryOf(workspace)).equals(replaced)).toBe(true);
  expect(entries(workspace).filter((name) => /\.\d+$/.test(name))).toEqual([]);
});

test('a file of the program that is loaded on demand shares the others, and is cached too', async () => {
  const workspace = createWorkspace();
  const bin = programIn(workspace);
  const command = `python3 -c "import shutil; shutil.rmtree('/')"`;
  const judge = () => hookline(workspace, ['guard'], { bin, stdin: JSON.stringify({ tool: 'Bash', input: { command } }) });
  const cold = await judge();
  expect(cold).toMatchObject({ exit: 2, stderr: expect.stringContaining(REASON) });
  expect(entries(workspace).some((name) => name.startsWith('guard/guard-code.js-'))).toBe(true);
  expect(await judge()).toEqual(cold);
});

test('an event that needs more of the program adds its functions to the entries of an earlier event', async () => {
  const workspace = createWorkspace();
  const bin = programIn(workspace);
  const stdin = '{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":{"command":"git status"}}';
  const codeOf = async (): Promise<Buffer> => {
    expect((await hookline(workspace, ['hook', 'claude-code'], { bin, stdin })).exit).toBe(0);
    return readFileSync(entryOf(workspace, 'hook/hot.js-'));
  };
  const early = await codeOf();
  workspace.write({
    '~/.config/agents/hooks/guard/HOOK.md':
      '---\nname: guard\ndescription: The guard.\ntrigger: before_tool\nmetadata:\n  command: hookline guard\n---\n',
  });
  const late = await codeOf();
  expect(late.length).toBeGreaterThan(early.length);
  expect((await codeOf()).equals(late)).toBe(true);
});

test('a cache that cannot be written fails nothing', async () => {
  const workspace = createWorkspace();
  const bin = programIn(workspace);
  mkdirSync(workspace.at(CACHE), { mode: 0o700 });
  writeFileSync(workspace.at(`${CACHE}/guard`), 'a file in the place of the folder');
  expect(await reasonOf(workspace, bin)).toBe(REASON);
});

test('no cache where a policy is in force, where the program belongs to others, and for commands that read no code', () => {
  const workspace = createWorkspace();
  programIn(workspace);
  const env = { HOME: workspace.home };
  const places = { program: workspace.at('~/program/dist/cli'), policy: workspace.at('~/policy.json') };
  const folder = (argv: readonly string[], other = places): unknown => cacheFolder(argv, env, other);
  expect(folder(['hook', 'codex'])).toBe(workspace.at(`${CACHE}/hook`));
  expect(folder(['hook', 'codex'], { ...places, program: workspace.at('~/nowhere') })).toBeUndefined();
  for (const command of ['check', 'audit', 'trust']) expect(folder([command])).toBe(workspace.at(`${CACHE}/${command}`));
  for (const argv of [['list'], ['version'], [], ['fire', '--policy', 'x'], ['fire', '--policy=x']]) expect(folder(argv)).toBeUndefined();
  workspace.write({ '~/policy.json': 'not even JSON' });
  expect(folder(['hook', 'codex'])).toBeUndefined();
  expect(POLICY).toBe(systemPolicyFile(process.platform, {}));
});

test('the folder is the one that the program keeps its state in', () => {
  const workspace = createWorkspace();
  programIn(workspace);
  mkdirSync(workspace.at('~/state/hookline'), { recursive: true });
  const places = { program: workspace.at('~/program/dist/cli'), policy: workspace.at('~/policy.json') };
  const own = workspace.at(`${CACHE}/hook`);
  const moved = workspace.at('~/state/hookline/code-cache/hook');
  expect(cacheFolder(['hook'], { HOME: '/x', XDG_STATE_HOME: workspace.at('~/state') }, places)).toBe(moved);
  expect(cacheFolder(['hook'], { HOME: workspace.home, XDG_STATE_HOME: 'state' }, places)).toBe(own);
  expect(cacheFolder(['hook'], { HOOKLINE_HOME: workspace.home, XDG_STATE_HOME: workspace.at('~/state') }, places)).toBe(own);
  expect(cacheFolder(['hook', `--home=${workspace.home}`], { HOOKLINE_HOME: '/x' }, places)).toBe(own);
});

test('nothing is created next to a record that does not exist', () => {
  const workspace = createWorkspace();
  programIn(workspace);
  const places = { program: workspace.at('~/program/dist/cli'), policy: workspace.at('~/policy.json') };
  const folder = (): unknown => cacheFolder(['hook', '--installed', workspace.at('~/elsewhere/installed')], {}, places);
  mkdirSync(workspace.at('~/elsewhere'));
  expect(folder()).toBeUndefined();
  expect(readdirSync(workspace.at('~/elsewhere'))).toEqual([]);
  workspace.write({ '~/elsewhere/installed': '' });
  expect(folder()).toBe(workspace.at('~/elsewhere/code-cache/hook'));
});

test('`hookline install` leaves the cache warm, and runs none of the user’s hooks', async () => {
  const workspace = createWorkspace({
    '~/.config/agents/hooks/all/HOOK.md': '---\nname: all\ndescription: All.\ntrigger: before_tool\n---\n',
  });
  workspace.write({ '~/.config/agents/hooks/all/scripts/run.sh': `#!/bin/sh\ntouch ${workspace.at('~/ran')}\n` });
  chmodSync(workspace.at('~/.config/agents/hooks/all/scripts/run.sh'), 0o755);
  const bin = programIn(workspace);
  expect((await hookline(workspace, ['install', 'claude-code'], { bin })).exit).toBe(0);
  expect(readdirSync(workspace.at(CACHE)).sort()).toEqual(['guard', 'hook']);
  expect(existsSync(workspace.at('~/ran'))).toBe(false);
  expect(readdirSync(workspace.at('~/.local/state/hookline'))).toEqual([
    'askers',
    'code-cache',
    'hookline.db',
    'installed',
    'origin',
    'serve',
  ]);
});

function entryOf(workspace: Workspace, start = 'guard/guard.js-'): string {
  const [name] = entries(workspace).filter((entry) => entry.startsWith(start));
  return workspace.at(`${CACHE}/${name}`);
}

function spoil(workspace: Workspace, change: (content: Buffer) => Buffer): void {
  const file = entryOf(workspace);
  writeFileSync(file, change(readFileSync(file)));
}
