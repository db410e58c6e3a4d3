import { expect, test } from 'vitest';
import { DIALECTS } from '../../../../src/builtins.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import type { EventRule } from '../../../../src/core/meaning/profile.ts';
import { readToolCall } from '../../../../src/guard/tools/tool-call.ts';

const EVENT: HookEvent = {
  id: 'e',
  kind: 'tool.before',
  at: '2026-01-01T00:00:00.000Z',
  session: { id: 's', cwd: '/work' },
  data: { tool: 'Bash', input: { command: 'ls' } },
};

/** One format has an event for every tool, and no names for tools. A format without an event before tools has nothing to name. */
const NAMING = DIALECTS.filter(
  ({ id, profile }) => id !== 'windsurf' && Object.values<EventRule>(profile.events).some(({ kinds }) => kinds.includes('tool.before')),
);

test.each(NAMING.map(({ id, profile, wire }) => ({ id, profile, wire })))(
  'the payload of $id says which tool and what input',
  ({ profile, wire }) => {
    const name = Object.keys(profile.events).find((event) => profile.events[event]?.kinds.includes('tool.before')) as string;
    expect(readToolCall(wire.encodeEvent(EVENT, name))).toMatchObject({ tool: 'Bash', input: { command: 'ls' } });
  },
);

test('other agents are understood as well', () => {
  const wanted = { tool: 'x', input: { command: 'ls' } };
  expect(readToolCall({ hook_event_name: 'PreToolUse', cwd: '/w', tool_name: 'x', tool_input: { command: 'ls' } })).toEqual({
    ...wanted,
    cwd: '/w',
  });
  expect(readToolCall({ toolName: 'x', toolArgs: '{"command":"ls"}' })).toEqual({ tool: 'x', input: '{"command":"ls"}' });
  expect(readToolCall({ toolCall: { name: 'x', args: { command: 'ls' } } })).toEqual(wanted);
  expect(readToolCall({ hookName: 'tool_call', tool_call: { id: '1', name: 'x', input: { command: 'ls' } } })).toEqual(wanted);
  expect(readToolCall({ agent_action_name: 'pre_run_command', tool_info: { command_line: 'ls' } })).toEqual({
    tool: 'pre_run_command',
    input: { command_line: 'ls' },
  });
  expect(readToolCall({ hook_event_name: 'beforeShellExecution', command: 'ls', cwd: '/w' })).toEqual({
    tool: 'shell',
    input: { command: 'ls' },
    cwd: '/w',
  });
});

test('a tool whose name can not be read is still a tool', () => {
  expect(readToolCall({ tool_name: 7, tool_input: {} })).toEqual({ tool: undefined, input: {} });
});

test('a payload without a tool is about none', () => {
  expect(readToolCall({ hook_event_name: 'SessionStart', source: 'startup' })).toBeUndefined();
  expect(readToolCall({})).toBeUndefined();
});
