/** Our own failure never reads as consent: it blocks what can be denied, and names Hookline as the cause. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline } from './program.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const HOOK = { '.agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\n---\n' };

/** The program with this in the place of one of its parts, by default the one that reads frontmatter. */
function brokenProgram(workspace: Workspace, part: string, file = 'load-formats-frontmatter.js'): string {
  const copy = workspace.at('~/program');
  mkdirSync(copy);
  for (const item of ['bin', 'dist/cli', 'package.json']) cpSync(path.join(PROJECT, item), path.join(copy, item), { recursive: true });
  writeFileSync(path.join(copy, 'dist/cli', file), part);
  return path.join(copy, 'bin/hookline.js');
}

const FAILURES: readonly (readonly [what: string, part: string])[] = [
  ['an exception while loading', 'throw new Error("boom");'],
  [
    'an exception outside of every promise',
    'setTimeout(() => { throw new Error("boom"); }); exports.parseFrontmatter = () => new Promise(() => {});',
  ],
  ['an answer that never comes', 'exports.parseFrontmatter = () => new Promise(() => {});'],
];

test.each(FAILURES)('%s denies an event that can be denied', async (_, part) => {
  const workspace = createWorkspace(HOOK);
  const bin = brokenProgram(workspace, part);
  const ended = await hookline(workspace, ['fire', 'tool.before', '--tool', 'Bash', '--json'], { bin });
  expect(ended.exit).toBe(2);
  expect(ended.stderr).toContain('Hookline');
  expect(JSON.parse(ended.stdout)).toMatchObject({
    kind: 'tool.before',
    decision: 'deny',
    reason: expect.stringContaining('Hookline'),
    hooks: [],
  });
});

test.each(FAILURES)('%s is exit 70 where nothing can be denied', async (_, part) => {
  const workspace = createWorkspace(HOOK);
  const bin = brokenProgram(workspace, part);
  const ended = await hookline(workspace, ['fire', 'notification', '--json'], { bin });
  expect(ended.exit).toBe(70);
  expect(JSON.parse(ended.stdout)).toMatchObject({ error: { code: 'internal' } });
});

test('missing readers of code stop a command with code, and no other', async () => {
  const workspace = createWorkspace();
  const bin = brokenProgram(workspace, 'throw new Error("boom");', 'guard-code.js');
  const judged = async (command: string) =>
    (await hookline(workspace, ['guard'], { bin, stdin: JSON.stringify({ tool: 'Bash', input: { command } }) })).exit;
  expect(await judged("python3 -c 'print(1)'")).toBe(2);
  expect(await judged('git status')).toBe(0);
});

test.each(['', '{"category":"disk"}', 'no rule\n'.repeat(400)])('rules that cannot be read stop every command: %j', async (rules) => {
  const workspace = createWorkspace();
  const bin = brokenProgram(workspace, rules, 'guard-rules.txt');
  const { exit } = await hookline(workspace, ['guard'], { bin, stdin: JSON.stringify({ tool: 'Bash', input: { command: 'git status' } }) });
  expect(exit).toBe(2);
});

test('a missing engine for regular expressions denies: a hook whose pattern cannot be read is not left out', async () => {
  const pattern = "matcher:\n  tool: '^B[a-z]{1,9}h$'\n";
  const hook = `---\nname: gate\ndescription: A gate.\ntrigger: before_tool\n${pattern}---\n`;
  const workspace = createWorkspace({
    '.agents/hooks/gate/HOOK.md': hook,
    '.agents/hooks/gate/scripts/run': '#!/bin/sh\nexit 0\n',
  });
  const fire = ['fire', 'tool.before', '--tool', 'Bash', '--json', '--trust-all'];
  const whole = await hookline(workspace, fire, {});
  expect(JSON.parse(whole.stdout)).toMatchObject({ decision: 'pass', hooks: [{ name: 'gate', status: 'answered' }] });
  const ended = await hookline(workspace, fire, { bin: brokenProgram(workspace, 'throw new Error("gone");', 're2js.js') });
  expect(ended.exit).toBe(2);
  expect(JSON.parse(ended.stdout)).toMatchObject({ decision: 'deny', reason: expect.stringContaining('regular expressions') });
});
