/** Hookline knows of every hook whether Codex itself runs it, as Codex was observed, and reports a file that Codex drops at its line. */
import { describe, expect, test } from 'vitest';
import { load } from '../../../../src/agents/codex/load.ts';
import { flawsIn } from '../../../../src/agents/codex/strictness.ts';
import type { LoadContext } from '../../../../src/core/contracts/dialect.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { Document } from '../../../../src/core/values/document.ts';
import { checkPattern } from '../../../../src/engine/select/compile.ts';
import { parseJson } from '../../../../src/load/formats/json.ts';
import { parseToml } from '../../../../src/load/formats/toml.ts';
import { READINGS, type Reading } from '../../../agents/codex-reading.ts';
import { answererFor, createWorkspace } from '../../../support/workspace.ts';

const CONTEXT: LoadContext = {
  scope: 'user',
  folder: '/home/ann/.codex',
  folderName: '.codex',
  idPrefix: 'codex:~/.codex/hooks.json',
  checkPattern,
  read: () => undefined,
  stat: () => undefined,
};

function parsed({ file, text }: Pick<Reading, 'file' | 'text'>): Document {
  return file === 'hooks.json' ? parseJson(file, text) : parseToml(file, text);
}

function commandsOf(hooks: readonly Hook[]): unknown[] {
  return hooks.flatMap(({ handler: { type, config } }) => (type === 'command' ? [config['command']] : []));
}

describe.each(READINGS)('$file: $name', (reading) => {
  const document = parsed(reading);
  const { hooks, diagnostics } = load(document, CONTEXT);

  test('only the hooks that Codex runs are left to it', () => {
    const left = hooks.filter(({ skippedByAgent }) => skippedByAgent !== true);
    expect(commandsOf(left).toSorted()).toEqual(reading.ran.map((name) => `touch ${name}`));
  });

  test('it is reported at its line exactly if Codex drops the file or does not start', () => {
    const isDropped = reading.refusesToStart === true || (reading.ran.length === 0 && reading.prints !== null);
    const told = diagnostics.filter(({ code }) => code === 'dropped-file');
    expect(told.length > 0).toBe(isDropped);
    expect(told.every(({ line, column }) => line !== undefined && column !== undefined)).toBe(true);
    expect(flawsIn(document).length > 0).toBe(isDropped);
  });

  test('a hook that Codex does not run is never lost in silence', () => {
    const isAsItShouldBe = /should be|of null$/.test(reading.name) && reading.prints === null;
    const isEmpty = /without groups|without `hooks`$|any type$/.test(reading.name);
    const told = [...document.diagnostics, ...diagnostics];
    if (!isAsItShouldBe && !isEmpty) expect(told).not.toEqual([]);
  });
});

describe('a deny in a file that Codex drops', () => {
  const gate = { type: 'command', command: 'echo "Not here." >&2; exit 2' };
  const call = { session_id: 's', cwd: '/', hook_event_name: 'PreToolUse', turn_id: 't', tool_name: 'Bash', tool_input: { command: 'ls' } };

  async function answered(root: object): Promise<number> {
    const space = createWorkspace({ '.codex/hooks.json': JSON.stringify(root) });
    const { exit } = await answererFor(await space.open())('codex', JSON.stringify(call));
    return exit;
  }

  test('stands although Codex calls, because no one else runs it', async () => {
    expect(await answered({ version: 1, hooks: { PreToolUse: [{ hooks: [gate] }] } })).toBe(2);
    expect(await answered({ hooks: { PreToolUse: [gate] } })).toBe(2);
  });

  test('is left to Codex if Codex reads the file', async () => {
    expect(await answered({ hooks: { PreToolUse: [{ hooks: [{ ...gate, retries: 2 }] }] } })).toBe(0);
  });
});
