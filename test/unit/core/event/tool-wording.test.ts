/** An approval is bound to what runs, and not to how the model words it. */
import { expect, test } from 'vitest';
import { TOOL_ROWS } from '../../../../src/core/event/tool-names.ts';
import { withoutWording, wordingIn } from '../../../../src/core/event/tool-wording.ts';

const SHELLS = TOOL_ROWS.find(({ does }) => does === 'shell')?.names ?? [];

test.each(SHELLS)('the description of a command is wording in %s, and what runs is not', (tool) => {
  const input = { command: 'ls', description: 'Lists.', timeout: 5, run_in_background: true, cwd: '/', directory: '/x' };
  expect(wordingIn(tool, input)).toEqual(['description', 'timeout']);
  const { description: _, timeout: __, ...runs } = input;
  expect(withoutWording({ tool, input, other: 1 })).toEqual({ tool, input: runs, other: 1 });
});

test('a field of the same name counts in a tool that is not listed', () => {
  for (const tool of ['mcp__github__create_issue', 'create_issue', 'TaskCreate', '', undefined, 7]) {
    const data = { ...(tool !== undefined && { tool }), input: { description: 'The text of an issue.' } };
    expect(withoutWording(data)).toBe(data);
  }
});

test('nothing is left out of an input without such fields, or of one that is no map', () => {
  for (const input of [{ command: 'ls' }, 'description', ['description'], null, 3]) {
    const data = { tool: 'Bash', input };
    expect(withoutWording(data)).toBe(data);
  }
});

test('no table leaves out what an action is made of', () => {
  const made = ['command', 'commands', 'cmd', 'script', 'code', 'prompt', 'content', 'file_path', 'path', 'url', 'chars', 'cwd', 'workdir'];
  const names = [
    ...TOOL_ROWS.flatMap((row) => row.names),
    'Monitor',
    'monitor',
    'write_stdin',
    'write_bash',
    'sql',
    'agent',
    'invoke_agent',
  ];
  const input = Object.fromEntries(made.map((key) => [key, 'x']));
  expect(names.filter((tool) => wordingIn(tool, input).length > 0)).toEqual([]);
});
