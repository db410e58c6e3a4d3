/** Trust is in bytes, and the bytes are looked at again right before they run. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Hookline } from '../../../src/index.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { eventually } from '../cli/program.ts';
import { BASH, gate, SCRIPT, trustAll, trustedProject, trustOf } from './trusted-project.ts';

const ASK = { trust: 'ask' } as const;
const MODIFIED = { status: 'skipped', skip: 'modified since it was trusted' };

async function fired(hookline: Hookline, cwd?: string) {
  const { decision, reason, hooks, diagnostics } = await hookline.fire('tool.before', BASH, cwd === undefined ? {} : { cwd });
  return { decision, reason, hooks, diagnostics };
}

async function stateIn(workspace: Workspace, root = workspace.root): Promise<unknown[]> {
  const hookline = await workspace.open({ ...ASK, root });
  return (await hookline.list()).hooks.map(({ trust, trusted }) => [trust, trusted]);
}

test('a script that is swapped between two firings of one engine does not run the second time, and runs again once it is back', async () => {
  const workspace = await trustedProject(gate('closed'));
  const hookline = await workspace.open(ASK);
  expect(await fired(hookline)).toMatchObject({ decision: 'deny', reason: 'closed' });
  workspace.write({ [SCRIPT]: `#!/bin/sh\ntouch ${workspace.at('~/ran')}\n` });
  expect(await fired(hookline)).toMatchObject({ decision: 'deny', hooks: [MODIFIED] });
  expect(existsSync(workspace.at('~/ran'))).toBe(false);
  workspace.write(gate('closed'));
  expect(await fired(hookline)).toMatchObject({ decision: 'deny', reason: 'closed' });
});

test('a script that another hook swaps while the event is fired does not run', async () => {
  const files = { ...gate('closed'), ...gate('x', 'first', 'priority: 900\n') };
  const workspace = createWorkspace(files);
  workspace.write({
    '.agents/hooks/first/scripts/run.sh': `#!/bin/sh\necho 'touch ${workspace.at('~/ran')}' >> ${workspace.at(SCRIPT)}\n`,
  });
  await trustAll(workspace);
  const outcome = await fired(await workspace.open(ASK));
  expect(outcome).toMatchObject({
    decision: 'deny',
    hooks: [
      { name: 'first', status: 'answered' },
      { name: 'gate', ...MODIFIED },
    ],
  });
  expect(existsSync(workspace.at('~/ran'))).toBe(false);
});

test('a background hook that was swapped before its start does not run', async () => {
  const workspace = createWorkspace({ ...gate('x', 'first', 'priority: 900\n'), ...gate('x', 'later', 'async: true\npriority: 950\n') });
  const later = '.agents/hooks/later/scripts/run.sh';
  workspace.write({
    [later]: `#!/bin/sh\ntouch ${workspace.at('~/good')}\n`,
    '.agents/hooks/first/scripts/run.sh': `#!/bin/sh\n[ -e ${workspace.at('~/swap')} ] && echo 'touch ${workspace.at('~/bad')}' >> ${workspace.at(later)}\nexit 0\n`,
  });
  await trustAll(workspace);
  const hookline = await workspace.open(ASK);
  expect((await fired(hookline)).hooks).toMatchObject([{ name: 'first' }, { name: 'later', status: 'detached' }]);
  expect(await eventually(() => existsSync(workspace.at('~/good')))).toBe(true);
  workspace.write({ '~/swap': '' });
  expect((await fired(hookline)).hooks).toMatchObject([{ name: 'first' }, { name: 'later', ...MODIFIED }]);
  await hookline.close(5000);
  expect(existsSync(workspace.at('~/bad'))).toBe(false);
});

test('a link in the place of the script is what it leads to', async () => {
  const workspace = await trustedProject(gate('closed'));
  const hookline = await workspace.open(ASK);
  const folder = path.dirname(workspace.at(SCRIPT));
  workspace.write({ '.agents/hooks/gate/scripts/other.sh': `#!/bin/sh\ntouch ${workspace.at('~/ran')}\n` });
  renameSync(workspace.at(SCRIPT), path.join(folder, 'kept.sh'));
  symlinkSync('kept.sh', workspace.at(SCRIPT));
  expect(await fired(hookline)).toMatchObject({ decision: 'deny', reason: 'closed' });
  rmSync(workspace.at(SCRIPT));
  symlinkSync('other.sh', workspace.at(SCRIPT));
  expect(await fired(hookline)).toMatchObject({ decision: 'deny', hooks: [MODIFIED] });
  expect(existsSync(workspace.at('~/ran'))).toBe(false);
});

describe('an agent does not get past a trusted gate by changing its folder', () => {
  const grouped = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'sh check.sh' }] }] };
  const toml = '[hook]\nname = "gate"\nevent = "before_tool_call"\n[hook.action.shell]\ncommand = "sh check.sh"\n';
  const frontmatter = 'hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: sh check.sh\n';
  const formats: [string, string, string][] = [
    ['claude-agent', '.claude/settings.json', JSON.stringify({ hooks: { PreToolUse: { gate: { command: 'sh check.sh' } } } })],
    ['claude-code', '.claude/settings.json', JSON.stringify({ hooks: grouped })],
    ['qwen', '.qwen/settings.json', JSON.stringify({ hooks: grouped })],
    ['gemini-cli', '.gemini/settings.json', JSON.stringify({ hooks: { BeforeTool: [{ hooks: grouped.PreToolUse[0]?.hooks }] } })],
    ['windsurf', '.windsurf/hooks.json', JSON.stringify({ hooks: { pre_run_command: [{ command: 'sh check.sh' }] } })],
    ['cursor', '.cursor/hooks.json', JSON.stringify({ version: 1, hooks: { beforeShellExecution: [{ command: 'sh check.sh' }] } })],
    ['copilot', '.github/hooks/a.json', JSON.stringify({ version: 1, hooks: { preToolUse: [{ type: 'command', bash: 'sh check.sh' }] } })],
    ['skillkit', 'skills/a/SKILL.md', `---\nname: a\n${frontmatter}---\n`],
    ['hooktoml', 'hooks/gate/HOOK.toml', toml],
  ];
  test.each(formats)('%s: the trusted script runs, and no other', async (_format, file, text) => {
    const workspace = await trustedProject({ [file]: text, 'check.sh': 'echo closed >&2\nexit 2\n', 'hooks/gate/check.sh': 'exit 2\n' });
    const hookline = await workspace.open(ASK);
    expect((await fired(hookline)).decision).toBe('deny');
    workspace.write({ 'sub/check.sh': `touch ${workspace.at('~/ran')}\n`, 'empty/.keep': '' });
    for (const folder of ['sub', 'empty', '~/']) {
      const outcome = await fired(hookline, workspace.at(folder));
      expect(outcome).toMatchObject({ decision: 'deny', hooks: [{ status: 'answered', decision: 'deny' }] });
    }
    expect(existsSync(workspace.at('~/ran'))).toBe(false);
    expect((await fired(hookline)).diagnostics).toEqual([]);
  });

  test('the hook may let the action pass there, and where it ran is reported once in a session', async () => {
    const workspace = await trustedProject({ '.claude/settings.json': JSON.stringify({ hooks: grouped }), 'check.sh': 'exit 0\n' });
    const hookline = await workspace.open(ASK);
    workspace.write({ 'sub/check.sh': 'exit 2\n' });
    const first = await fired(hookline, workspace.at('sub'));
    expect(first).toMatchObject({ decision: 'pass', hooks: [{ status: 'answered' }], diagnostics: [{ code: 'trusted-folder' }] });
    expect(first.diagnostics[0]?.message).toContain(workspace.root);
    expect((await fired(hookline, workspace.at('sub'))).diagnostics).toEqual([]);
  });
});

test('a renamed hook is another hook', async () => {
  const workspace = await trustedProject(gate('closed'));
  renameSync(workspace.at('.agents/hooks/gate'), workspace.at('.agents/hooks/wall'));
  workspace.write({ '.agents/hooks/wall/HOOK.md': gate('', 'wall')['.agents/hooks/wall/HOOK.md'] as string });
  expect(await stateIn(workspace)).toEqual([['untrusted', false]]);
});

test('a hook that moves within the project with all it runs stays trusted, and one that was changed on the way does not', async () => {
  const toml = '[hook]\nname = "gate"\nevent = "before_tool_call"\n[hook.action.shell]\ncommand = "./gate.sh"\n';
  const workspace = await trustedProject({ 'hooks/a/HOOK.toml': toml, 'hooks/a/gate.sh': '#!/bin/sh\nexit 1\n' });
  renameSync(workspace.at('hooks/a'), workspace.at('hooks/b'));
  expect(await stateIn(workspace)).toEqual([['trusted', true]]);
  workspace.write({ 'hooks/b/gate.sh': '#!/bin/sh\nexit 0\n' });
  expect(await stateIn(workspace)).toEqual([['untrusted', false]]);
});

test('a change of the definition is a modification; other spelling of the same is not', async () => {
  const workspace = await trustedProject(gate('closed'));
  const file = '.agents/hooks/gate/HOOK.md';
  workspace.write({ [file]: `---\n# The gate.\ntrigger: "before_tool"\ndescription: Keeps the gate.\nname: gate\n---\nMore words.\n` });
  expect(await stateIn(workspace)).toEqual([['trusted', true]]);
  workspace.write({ [file]: (gate('')[file] as string).replace('before_tool', 'before_stop') });
  expect(await stateIn(workspace)).toEqual([['modified', false]]);
});

test('a missing execute bit is a change, because it changes what runs the script', async () => {
  const workspace = await trustedProject(gate('closed'));
  chmodSync(workspace.at(SCRIPT), 0o644);
  expect(await stateIn(workspace)).toEqual([['modified', false]]);
});

test('trust in a project does not count in a repository below it, nor the other way round', async () => {
  const workspace = createWorkspace(gate('outer'));
  const inner = workspace.at('vendor/inner');
  for (const root of [workspace.root, inner]) {
    mkdirSync(path.join(root, '.git'), { recursive: true });
  }
  cpSync(workspace.at('.agents'), path.join(inner, '.agents'), { recursive: true });
  await trustAll(workspace);
  expect([await stateIn(workspace), await stateIn(workspace, inner)]).toEqual([[['trusted', true]], [['untrusted', false]]]);
  trustOf(workspace).remove(() => true);
  await trustAll({ root: inner, home: workspace.home });
  expect([await stateIn(workspace), await stateIn(workspace, inner)]).toEqual([[['untrusted', false]], [['trusted', true]]]);
});

test('a worktree, and a moved clone, do not inherit trust', async () => {
  const workspace = createWorkspace(gate('closed'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...args], {
      cwd: workspace.root,
      stdio: 'ignore',
    });
  git('init');
  git('add', '.');
  git('commit', '-m', 'hooks');
  await trustAll(workspace);
  const tree = path.join(workspace.root, '../tree');
  git('worktree', 'add', tree);
  expect(await stateIn(workspace, tree)).toEqual([['untrusted', false]]);
  renameSync(workspace.root, `${workspace.root}-moved`);
  expect(await stateIn(workspace, `${workspace.root}-moved`)).toEqual([['untrusted', false]]);
});

test('trust that is given or taken back while an engine runs counts at once', async () => {
  const workspace = createWorkspace(gate('closed'));
  const hookline = await workspace.open(ASK);
  expect(await fired(hookline)).toMatchObject({ decision: 'pass', hooks: [{ skip: 'untrusted' }] });
  await trustAll(workspace);
  expect((await fired(hookline)).decision).toBe('deny');
  trustOf(workspace).remove(() => true);
  expect(await fired(hookline)).toMatchObject({ decision: 'pass', hooks: [{ skip: 'untrusted' }] });
});

test("the user's own hooks, and those in named places, are not pinned to their bytes", async () => {
  const files = gate('closed');
  const user = Object.fromEntries(Object.entries(files).map(([name, text]) => [name.replace('.agents', '~/.config/agents'), text]));
  const workspace = createWorkspace(user);
  const hookline = await workspace.open(ASK);
  expect((await fired(hookline)).reason).toBe('closed');
  workspace.write({ '~/.config/agents/hooks/gate/scripts/run.sh': '#!/bin/sh\necho other >&2\nexit 2\n' });
  expect((await fired(hookline)).reason).toBe('other');
  expect((await hookline.list()).hooks[0]).not.toHaveProperty('trust');
});

test('a place that needs no trust is audited all the same', async () => {
  const workspace = createWorkspace({ '~/own/gate/HOOK.md': gate('')['.agents/hooks/gate/HOOK.md'] as string });
  workspace.write({ '~/own/gate/scripts/run.sh': '#!/bin/sh\nrm -rf /\n' });
  const hookline = await workspace.open({ ...ASK, hooks: [workspace.at('~/own')] });
  expect(await fired(hookline)).toMatchObject({ decision: 'pass', hooks: [{ skip: 'kept out by the security audit' }] });
});
