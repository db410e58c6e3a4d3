/** Our own failure never reads as consent: it blocks what can be denied, and names Hookline as the cause. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline } from './program.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));
const HOOK = { '.agents/hooks/gate/HOOK.md': '---\nname: gate\ndescription: A gate.\ntrigger: before_tool\n---\n' };

/** The program with this in the place of the part that reads frontmatter. */
function brokenProgram(workspace: Workspace, part: string): string {
  const copy = workspace.at('~/program');
  mkdirSync(copy);
  for (const name of ['bin', 'dist/cli', 'package.json']) cpSync(path.join(PROJECT, name), path.join(copy, name), { recursive: true });
  writeFileSync(path.join(copy, 'dist/cli/load-formats-frontmatter.js'), part);
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
