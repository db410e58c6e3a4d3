import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { deniedInput, reasonInInput } from '../../../../src/agents/cline/denied-input.ts';
import { dialect as cline } from '../../../../src/agents/cline/dialect.ts';
import { type EventName, profile } from '../../../../src/agents/cline/profile.ts';
import { HOOK_NAMES } from '../../../../src/agents/cline/wire.ts';
import { sampleEvent } from '../../../../src/api/testing/index.ts';
import { sampleHook } from '../../../../src/api/testing/samples.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { interpret } from '../../../../src/core/meaning/interpret.ts';
import { render } from '../../../../src/core/meaning/render.ts';

function answer(event: EventName, stdout: string, exit = 0): unknown {
  const sample = sampleEvent(profile.events[event].kinds[0] ?? 'notification');
  return interpret({ kind: 'process', exit, stdout, stderr: 'no' }, sampleHook(cline, event), profile.events[event], cline, sample);
}

test('json-only: the answer counts at any exit code, and an exit code alone says nothing', () => {
  const deny = { decision: { kind: 'deny', reason: 'no' }, effects: [] };
  for (const exit of [0, 1, 2]) expect(answer('PreToolUse', '{"cancel": true, "errorMessage": "no"}', exit)).toEqual(deny);
  expect(answer('PreToolUse', '', 2)).toEqual({ decision: { kind: 'pass' }, effects: [] });
  expect(answer('PreToolUse', 'oops {')).toMatchObject({ fault: 'malformed' });
  expect(answer('PreToolUse', '{"cancel": "yes"}')).toMatchObject({ fault: 'malformed' });
  expect(render({ decision: { kind: 'deny', reason: 'no' }, effects: [] }, 'PreToolUse', cline)).toMatchObject({
    exit: 0,
    stdout: '{"cancel":true,"errorMessage":"no"}',
  });
});

test('cancel-stops: before a tool it denies, after a tool it ends the run', () => {
  const said = '{"cancel": true, "errorMessage": "enough", "contextModification": "c"}';
  expect(answer('PreToolUse', said)).toEqual({ decision: { kind: 'deny', reason: 'enough' }, effects: [{ kind: 'context', text: 'c' }] });
  expect(answer('PostToolUse', said)).toEqual({
    decision: { kind: 'pass' },
    effects: [
      { kind: 'context', text: 'c' },
      { kind: 'halt', reason: 'enough' },
    ],
  });
});

/** As the command line of Cline reports it, or its extension for editors. */
function toolEvent(name: string, isCommandLine = true): HookEvent {
  const call = { name, input: { commands: ['deploy'] } };
  const payload = isCommandLine
    ? { hookName: 'tool_call', tool_call: call, preToolUse: { toolName: name, parameters: {} } }
    : { hookName: 'PreToolUse', preToolUse: { toolName: name, parameters: {} } };
  return { ...sampleEvent('tool.before'), ...cline.wire.decodeEvent('PreToolUse', payload), session: { id: 's', cwd: '/' } } as HookEvent;
}

test('denied-input: a tool of its own gets an input that it rejects, and the model reads the reason', () => {
  const deny = { decision: { kind: 'deny', reason: 'Not today.' }, effects: [{ kind: 'context', text: 'Ask Ann.' }] } as const;
  const event = toolEvent('editor');
  const json = JSON.parse(render(deny, 'PreToolUse', cline, event)?.stdout ?? '');
  expect(json).toEqual({
    cancel: false,
    overrideInput: { denied: 'Not today.' },
    contextModification: 'A hook denied this call: Not today.\nAsk Ann.',
  });
  expect(cline.wire.decodeReply(json, 'PreToolUse', event)).toEqual(deny);
});

test('denied-input: a command becomes one that prints the reason and fails, and nothing in the reason runs', () => {
  const reasons = ['Not today.', 'it\'s `id` $(id) $HOME "x" \\\' ; touch ran # \\', "\u2019; touch ran; '\n'touch ran'", '\0\r\u2028'];
  for (const reason of reasons) {
    const input = deniedInput('run_commands', reason, true);
    const [command] = input['commands'] as string[];
    expect(command).toMatch(/^echo '[^'\\\p{Cc}]*' >&2; exit 1$/u);
    const { status, stderr } = spawnSync('/bin/sh', ['-c', command ?? ''], { encoding: 'utf8' });
    expect([status, stderr.startsWith('A hook denied this call: ')]).toEqual([1, true]);
    expect(reasonInInput(input)).toBe(reason);
  }
  expect(deniedInput('run_commands', 'no', false)).toEqual({ denied: 'no' });
});

test('denied-input: everything else is cancelled, because it might run with any input or ignores a new one', () => {
  const deny = { decision: { kind: 'deny', reason: 'no' }, effects: [] } as const;
  const cancelled = { cancel: true, errorMessage: 'no' };
  for (const event of [toolEvent('github__create_issue'), toolEvent('run_commands', false), toolEvent('execute_command', false), undefined])
    expect(JSON.parse(render(deny, 'PreToolUse', cline, event)?.stdout ?? '')).toEqual(cancelled);
  const halt = { decision: { kind: 'pass' }, effects: [{ kind: 'halt', reason: 'no' }] } as const;
  expect(JSON.parse(render(halt, 'PostToolUse', cline, toolEvent('run_commands'))?.stdout ?? '')).toEqual(cancelled);
});

test('control-line: among other output it alone is the answer, and the last one counts', () => {
  const lines = ['log {', 'HOOK_CONTROL\t{"cancel": false}', '  HOOK_CONTROL\t{"cancel": true, "errorMessage": "no"}\r', 'more'];
  expect(answer('PreToolUse', lines.join('\n'))).toMatchObject({ decision: { kind: 'deny', reason: 'no' } });
});

test('error-is-context: without a cancel the message is for the agent', () => {
  const context = (text: string) => ({ decision: { kind: 'pass' }, effects: [{ kind: 'context', text }] });
  expect(answer('PreToolUse', '{"cancel": false, "errorMessage": "careful"}')).toEqual(context('careful'));
  expect(answer('PreToolUse', '{"context": "a", "contextModification": "b", "errorMessage": "c"}')).toEqual(context('a'));
});

test('after a tool the payload has the result in the shape of both programs', () => {
  const event = sampleEvent('tool.error', { tool: 'Bash', input: { command: 'ls' }, error: 'boom', toolUseId: 't' });
  expect(cline.wire.encodeEvent(event, 'PostToolUse')).toMatchObject({
    tool_result: { id: 't', name: 'Bash', input: { command: 'ls' }, error: 'boom' },
    postToolUse: { toolName: 'Bash', parameters: { command: 'ls' }, result: 'boom', success: false },
  });
});

test('two-names: the payload has a name of its own for every event, and no two share one', () => {
  expect(new Set(Object.values(HOOK_NAMES)).size).toBe(Object.keys(profile.events).length);
  expect(cline.wire.encodeEvent(sampleEvent('tool.before'), 'PreToolUse')).toMatchObject({
    hookName: 'tool_call',
    tool_call: { name: 'Bash' },
  });
});

test('failed-tools: what did not succeed is an error', () => {
  const read = (success: boolean) => cline.wire.decodeEvent('PostToolUse', { postToolUse: { toolName: 'x', result: 'r', success } });
  expect([read(true), read(false)]).toMatchObject([
    { kind: 'tool.after', data: { tool: 'x', result: 'r' } },
    { kind: 'tool.error', data: { tool: 'x', error: 'r' } },
  ]);
});

test('an older payload, with texts only, is understood as well', () => {
  const payload = { preToolUse: { toolName: 'execute_command', parameters: { command: 'ls' } } };
  expect(cline.wire.decodeEvent('PreToolUse', payload).data).toMatchObject({ tool: 'execute_command', input: { command: 'ls' } });
});
