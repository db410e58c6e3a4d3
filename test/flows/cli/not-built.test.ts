/** A clone before `npm ci` says what to run. It looks like a denial only to an agent that asks, and there it is one. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { SPECS } from '../../../src/cli/commands.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';
import { hookline } from './program.ts';

const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

/** The files of a clone that count here. With `built`, a main file that contains this. */
function createClone(workspace: Workspace, built?: string): string {
  const clone = workspace.at('~/clone');
  for (const name of ['bin', 'package.json', 'scripts/build.mjs'])
    cpSync(path.join(PROJECT, name), path.join(clone, name), { recursive: true });
  mkdirSync(path.join(clone, 'dist/cli'), { recursive: true });
  if (built !== undefined) writeFileSync(path.join(clone, 'dist/cli/main.js'), built);
  return path.join(clone, 'bin/hookline.js');
}

test('every command says what to run, and none looks like a denial', async () => {
  const workspace = createWorkspace();
  const bin = createClone(workspace);
  const asPerson = SPECS.map(({ name }) => (name === 'hook' ? ['hook', '--help'] : name === 'guard' ? ['guard', 'rules'] : [name]));
  for (const argv of [...asPerson, ['help'], ['version'], []]) {
    const ended = await hookline(workspace, argv, { bin });
    expect(ended, argv.join(' ')).toMatchObject({ exit: 78, stdout: '' });
    expect(ended.stderr).toContain('Run `npm ci` in ');
    expect(ended.stderr).not.toContain('at Module');
  }
  const json = await hookline(workspace, ['list', '--json'], { bin });
  expect(JSON.parse(json.stdout)).toMatchObject({ error: { code: 'bad-installation', hint: expect.stringContaining('npm ci') } });
});

test.each([undefined, 'throw new Error("boom");', 'const = 1;', 'require("no-such-package");'])(
  'an agent that asks is refused, and may stop (%s)',
  async (built) => {
    const workspace = createWorkspace();
    const bin = createClone(workspace, built);
    const exitOf = async (argv: readonly string[], payload: object): Promise<number | null> => {
      const { exit, stderr } = await hookline(workspace, argv, { bin, stdin: JSON.stringify(payload) });
      expect(stderr).toContain('npm ci');
      return exit;
    };
    const before = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' } };
    expect(await exitOf(['hook', 'claude-code', 'PreToolUse'], before)).toBe(2);
    expect(await exitOf(['hook', 'claude-code'], before)).toBe(2);
    expect(await exitOf(['hook', '--installed', '/nowhere', 'codex', 'PreToolUse'], before)).toBe(2);
    expect(await exitOf(['guard'], before)).toBe(2);
    expect(await exitOf(['hook', 'claude-code', 'Stop'], {})).toBe(1);
    expect(await exitOf(['hook', 'claude-code'], { hook_event_name: 'Stop' })).toBe(1);
  },
);
