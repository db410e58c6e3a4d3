import { expect, test } from 'vitest';
import { dialect as cline } from '../../../../src/agents/cline/dialect.ts';
import { type EventName, profile } from '../../../../src/agents/cline/profile.ts';
import { HOOK_NAMES } from '../../../../src/agents/cline/wire.ts';
import { sampleEvent } from '../../../../src/api/testing/index.ts';
import { sampleHook } from '../../../../src/api/testing/samples.ts';
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

test('control-line: among other output it alone is the answer', () => {
  expect(answer('PreToolUse', 'log {\nHOOK_CONTROL\t{"cancel": true, "errorMessage": "no"}\nmore')).toMatchObject({
    decision: { kind: 'deny', reason: 'no' },
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
