import { expect, test } from 'vitest';
import { geminiCliHost as host } from '../../../../src/agents/gemini-cli/host.ts';
import { sampleEvent } from '../../../../src/api/testing/index.ts';
import type { Verdict } from '../../../../src/core/decision/decision.ts';
import { encodeAnswer, encodeNoOpinion } from '../../../../src/engine/answer/encode.ts';
import { appendNotes } from '../../../../src/engine/answer/notes.ts';

const rewrite = (value: object): Verdict => ({ decision: { kind: 'pass' }, effects: [{ kind: 'rewrite', value: value as never }] });
const event = { ...sampleEvent('tool.before'), data: { tool: 'run_shell_command', input: { command: 'rm x', cwd: '/tmp' } } };

test('a payload names its event; one it does not know is said', () => {
  expect(host.eventsOf({ hook_event_name: 'BeforeTool' }, 'AfterTool')).toEqual(['BeforeTool']);
  expect(host.eventsOf({}, 'AfterTool')).toEqual(['AfterTool']);
  expect(host.eventsOf({ hook_event_name: 'PreToolUse' }, undefined)).toMatch(/PreToolUse/);
});

test('a new input is laid over the old one, so one that takes a key away is denied', () => {
  const said = encodeAnswer(host, 'BeforeTool', rewrite({ command: 'ls', cwd: '/tmp' }), event);
  expect(said.answer).toEqual({
    exit: 0,
    stderr: '',
    stdout: '{"hookSpecificOutput":{"hookEventName":"BeforeTool","tool_input":{"command":"ls","cwd":"/tmp"}}}',
  });
  const denied = encodeAnswer(host, 'BeforeTool', rewrite({ command: 'ls' }), event);
  expect(JSON.parse(denied.answer.stdout)).toMatchObject({ decision: 'deny', reason: expect.stringContaining('{"command":"ls"}') });
});

test('silence stays silence beside words on stderr, which it would read otherwise', () => {
  expect(encodeNoOpinion(host, 'BeforeTool')).toEqual({ exit: 0, stdout: '', stderr: '' });
  expect(appendNotes(host, 'BeforeTool', encodeNoOpinion(host, 'BeforeTool'), ['A word.'])).toMatchObject({ exit: 0, stdout: '{}' });
});

test('an entry waits long enough, in milliseconds', () => {
  expect(host.entry.entry('BeforeTool', 'hookline hook gemini-cli')).toEqual({
    path: ['hooks', 'BeforeTool'],
    value: { hooks: [{ type: 'command', command: 'hookline hook gemini-cli', name: 'hookline', timeout: 600_000 }] },
  });
});
