/**
 * A call that concerns no hook is answered from memory, without the engine. The memory is read only where it gives no process a way to
 * change what runs, and only as long as everything that decided looks the same.
 */
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { until } from '../../support/patience.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { type Ended, hookline, type RunOptions } from './program.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const STATE = '~/.local/state/hookline';
const SILENT: Ended = { exit: 0, stdout: '', stderr: '' };
const WITHOUT_ENGINE = ['main', 'rolldown-runtime'];

const gate = (tool: string): string => `---\nname: gate\ndescription: A gate.\ntrigger: before_tool\nmatcher:\n  tool: ${tool}\n---\n`;
const SCRIPT = '#!/bin/sh\nprintf \'{"decision":"deny","reason":"Not today."}\'\n';
const GATE = '~/.config/agents/hooks/gate';

const call = (more: object = {}): string =>
  JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 's1',
    tool_use_id: 'u',
    tool_name: 'Glob',
    tool_input: { pattern: '*' },
    ...more,
  });

interface Answered extends Ended {
  /** The chunks of the program that were loaded. */
  readonly loaded: readonly string[];
}

async function hook(
  workspace: Workspace,
  stdin = call(),
  options: RunOptions & { readonly argv?: readonly string[] } = {},
): Promise<Answered> {
  workspace.write({
    '~/bin.cjs': `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(workspace.at('~/loaded.json'))}, JSON.stringify(Object.keys(require.cache))));
      require(${JSON.stringify(path.join(PROJECT, 'bin/hookline.js'))});`,
  });
  const ended = await hookline(workspace, ['hook', 'claude-code', ...(options.argv ?? [])], {
    stdin,
    bin: workspace.at('~/bin.cjs'),
    ...options,
  });
  const files: string[] = JSON.parse(readFileSync(workspace.at('~/loaded.json'), 'utf8'));
  const loaded = files.filter((file) => path.dirname(file) === path.join(PROJECT, 'dist/cli')).map((file) => path.basename(file, '.js'));
  return { ...ended, loaded: loaded.sort() };
}

/** A project whose user has a gate on shell commands, and in which calls of these kinds are remembered. */
async function remembering(...calls: readonly string[]): Promise<Workspace> {
  const workspace = createWorkspace({ [`${GATE}/HOOK.md`]: gate('Bash'), [`${GATE}/scripts/run.sh`]: SCRIPT });
  for (const stdin of calls.length === 0 ? [call()] : calls) {
    // A file that was changed just now proves nothing, so the first calls are judged.
    await until(async () => (await hook(workspace, stdin)).loaded.join() === WITHOUT_ENGINE.join());
  }
  return workspace;
}

function entryIn(workspace: Workspace): string {
  const [name = ''] = readdirSync(workspace.at(`${STATE}/memory`)).filter((one) => one.startsWith('silence-'));
  return workspace.at(`${STATE}/memory/${name}`);
}

const isJudged = ({ loaded }: Answered): boolean => loaded.includes('hot');

test('a call that concerns no hook is answered without the engine, and another call is judged', async () => {
  const workspace = await remembering();
  expect(await hook(workspace)).toEqual({ ...SILENT, loaded: WITHOUT_ENGINE });
  expect(await hook(workspace, call({ tool_input: { pattern: '**' }, session_id: 's2' }))).toEqual({ ...SILENT, loaded: WITHOUT_ENGINE });
  const denied = await hook(workspace, call({ tool_name: 'Bash' }));
  expect(denied.stdout).toContain('Not today.');
  expect(isJudged(await hook(workspace, call({ hook_event_name: 'Stop' })))).toBe(true);
  expect(isJudged(await hook(workspace, call({ cursor_version: '1' })))).toBe(true);
  expect(isJudged(await hook(workspace, call(), { argv: ['--strict'] }))).toBe(true);
  expect(isJudged(await hook(workspace, call(), { env: { CLAUDE_PROJECT_DIR: workspace.root } }))).toBe(true);
});

const CHANGES: Readonly<Record<string, (workspace: Workspace) => void>> = {
  'a new hook of the user': ({ write }) =>
    write({ '~/.config/agents/hooks/new/HOOK.md': gate('Glob'), '~/.config/agents/hooks/new/scripts/run.sh': SCRIPT }),
  'another matcher': ({ write }) => write({ [`${GATE}/HOOK.md`]: gate('Glob') }),
  'a hook of another format': ({ write, at }) => {
    write({ '~/deny.sh': '#!/bin/sh\necho no >&2\nexit 2\n' });
    write({
      '~/.codex/hooks.json': JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: at('~/deny.sh') }] }] } }),
    });
  },
  'a required hook that is missing': ({ write }) => write({ '~/.config/hookline/settings.json': '{"required":["absent"]}' }),
  'a folder with a hook, by a link': ({ write, at }) => {
    write({ '~/away/HOOK.md': gate('Glob'), '~/away/scripts/run.sh': SCRIPT });
    symlinkSync(at('~/away'), at('~/.config/agents/hooks/linked'));
  },
};

test.each(Object.entries(CHANGES))('after %s the call is denied', async (_, change) => {
  const workspace = await remembering();
  change(workspace);
  const { stdout, exit } = await hook(workspace);
  expect({ exit, decision: JSON.parse(stdout).hookSpecificOutput.permissionDecision }).toEqual({ exit: 0, decision: 'deny' });
});

test('errors in hook files, a pause and untrusted hooks are reported as without the memory', async () => {
  const workspace = await remembering();
  workspace.write({ '~/.config/agents/hooks/broken/HOOK.md': '---\nname: [\n---\n' });
  const { stdout, stderr } = await hook(workspace);
  expect(`${stdout}${stderr}`).toContain('Not all hooks are in force');
  workspace.remove('~/.config/agents/hooks/broken');
  const now = Date.now();
  workspace.write({ [`${STATE}/pause.json`]: JSON.stringify({ at: now - 1000, until: now + 600_000, by: 'me', reason: '' }) });
  expect((await hook(workspace)).stderr).toContain('Hookline is paused');
  workspace.remove(`${STATE}/pause.json`);
  workspace.write({ '.agents/hooks/own/HOOK.md': gate('Glob'), '.agents/hooks/own/scripts/run.sh': SCRIPT });
  expect((await hook(workspace)).stderr).toContain('is not trusted yet');
});

test('a run that was denied before is found, although no hook concerns the report of it', async () => {
  const report = (session: string): string =>
    call({ hook_event_name: 'PostToolUse', session_id: session, tool_name: 'Bash', tool_response: '' });
  const workspace = await remembering(report('s2'));
  expect(isJudged(await hook(workspace, report('s1')))).toBe(false);
  expect((await hook(workspace, call({ tool_name: 'Bash' }))).stdout).toContain('Not today.');
  const ran = await hook(workspace, report('s1'));
  expect(isJudged(ran)).toBe(true);
  expect(isJudged(await hook(workspace, report('s2')))).toBe(false);
});

const SPOILT: Readonly<Record<string, (file: string, workspace: Workspace) => void>> = {
  'cut short': (file) => writeFileSync(file, readFileSync(file).subarray(0, 100)),
  'of other content': (file) => writeFileSync(file, '{"of":1}'),
  'without its parts': (file) => writeFileSync(file, JSON.stringify({ of: JSON.parse(readFileSync(file, 'utf8')).of })),
  'that others may write': (file) => chmodSync(file, 0o666),
  'in a folder that others may enter': (file) => chmodSync(path.dirname(file), 0o755),
  'in a state folder that others may write': (_, { at }) => chmodSync(at(STATE), 0o777),
};

test.each(Object.entries(SPOILT))('an entry %s is not used', async (_, spoil) => {
  const workspace = await remembering();
  spoil(entryIn(workspace), workspace);
  expect(await hook(workspace)).toMatchObject({ ...SILENT, loaded: expect.arrayContaining(['hot']) });
});

test.skipIf(process.getuid?.() !== 0)('an entry of another user is not used', async () => {
  const workspace = await remembering();
  chownSync(entryIn(workspace), 12_345, 12_345);
  expect(isJudged(await hook(workspace))).toBe(true);
});

test('an entry of another build of the program is not used', async () => {
  const workspace = await remembering();
  const file = entryIn(workspace);
  const renamed = file.replace(/-[0-9a-f]{32}\.json$/, `-${'0'.repeat(32)}.json`);
  expect(renamed).not.toBe(file);
  writeFileSync(renamed, readFileSync(file), { mode: 0o600 });
  rmSync(file);
  expect(isJudged(await hook(workspace))).toBe(true);
});

test('another working directory has an entry of its own', async () => {
  const workspace = await remembering();
  mkdirSync(workspace.at('below'));
  expect(isJudged(await hook({ ...workspace, root: workspace.at('below') }))).toBe(true);
  mkdirSync(workspace.at('.git'));
  expect(isJudged(await hook(workspace))).toBe(true);
});

test('the process that asks is noted as by a judgement', async () => {
  const workspace = await remembering();
  rmSync(workspace.at(`${STATE}/askers`), { recursive: true });
  expect(isJudged(await hook(workspace))).toBe(false);
  expect(readdirSync(workspace.at(`${STATE}/askers`)).length).toBe(1);
  expect(existsSync(workspace.at(`${STATE}/hookline.db`))).toBe(false);
  expect(statSync(entryIn(workspace)).mode & 0o777).toBe(0o600);
});
