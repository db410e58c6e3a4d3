import { expect, test } from 'vitest';
import { dialect as droid } from '../../../../src/agents/droid/dialect.ts';
import { type EventName, profile } from '../../../../src/agents/droid/profile.ts';
import { sampleEvent } from '../../../../src/api/testing/index.ts';
import { sampleHook } from '../../../../src/api/testing/samples.ts';
import { interpret } from '../../../../src/core/meaning/interpret.ts';
import { render } from '../../../../src/core/meaning/render.ts';

const sample = (event: EventName) => sampleEvent(profile.events[event].kinds[0] ?? 'notification');

function answer(event: EventName, stdout: unknown, exit = 0, stderr = ''): unknown {
  const reply = { kind: 'process', exit, stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout), stderr } as const;
  return interpret(reply, sampleHook(droid, event), profile.events[event], droid, sample(event));
}

const rewrite = (value: object) => ({ decision: { kind: 'pass' }, effects: [{ kind: 'rewrite', value: { ...value } }] }) as const;

test('input-is-laid-over: what the old input had and the new one lacks would stay, so it is not said', () => {
  const event = sampleEvent('tool.before', { tool: 'Execute', input: { command: 'ls', cwd: '/' } });
  expect(render(rewrite({ command: 'pwd' }), 'PreToolUse', droid, event)).toBeUndefined();
  expect(render(rewrite({ command: 'pwd' }), 'PreToolUse', droid)).toBeUndefined();
  const said = render(rewrite({ command: 'pwd', cwd: '/' }), 'PreToolUse', droid, event);
  expect(JSON.parse(said?.stdout ?? '')).toEqual({
    hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'pwd', cwd: '/' } },
  });
  const { input } = sample('PreToolUse').data;
  expect(answer('PreToolUse', { hookSpecificOutput: { updatedInput: { command: 'pwd' } } })).toMatchObject({
    effects: [{ kind: 'rewrite', value: { ...(input as object), command: 'pwd' } }],
  });
});

test('prompt-is-rewritten: a new prompt stands in `updatedInput`', () => {
  const said = render({ decision: { kind: 'pass' }, effects: [{ kind: 'rewrite', value: 'Other' }] }, 'UserPromptSubmit', droid);
  expect(JSON.parse(said?.stdout ?? '')).toMatchObject({ hookSpecificOutput: { updatedInput: { prompt: 'Other' } } });
});

test('compaction-by-exit: a compaction is denied by exit 2, with the reason on stderr', () => {
  expect(render({ decision: { kind: 'deny', reason: 'later' }, effects: [] }, 'PreCompact', droid)).toMatchObject({
    exit: 2,
    stdout: '',
    stderr: 'later',
  });
});

test('exit-three-blocks: it denies like exit 2', () => {
  for (const exit of [2, 3])
    expect(answer('PreToolUse', '', exit, 'no')).toEqual({ decision: { kind: 'deny', reason: 'no' }, effects: [] });
  expect(answer('PreToolUse', '', 1, 'no')).toMatchObject({ fault: 'exit' });
  expect(answer('PostToolUse', '', 2, 'no')).toMatchObject({ fault: 'exit' });
});

test('a word it does not know is a fault, and plain text is context where the agent reads it', () => {
  expect(answer('PreToolUse', { hookSpecificOutput: { permissionDecision: 'maybe' } })).toMatchObject({ fault: 'malformed' });
  expect(answer('SessionStart', 'On main.')).toEqual({ decision: { kind: 'pass' }, effects: [{ kind: 'context', text: 'On main.' }] });
  expect(answer('PreToolUse', 'On main.')).toEqual({ decision: { kind: 'pass' }, effects: [] });
});

test('a deny before a tool uses the word of that event, elsewhere `block`; a run is stopped beside it', () => {
  const deny = { kind: 'deny', reason: 'no' } as const;
  const said = render({ decision: deny, effects: [{ kind: 'halt', reason: 'enough' }] }, 'PreToolUse', droid);
  expect(JSON.parse(said?.stdout ?? '')).toEqual({
    continue: false,
    stopReason: 'enough',
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' },
  });
  expect(render({ decision: deny, effects: [] }, 'Stop', droid)?.stdout).toBe('{"decision":"block","reason":"no"}');
});

test('prompt-by-exit: a denied prompt is sent by the exit code, because Droid reads no `decision` there', () => {
  const said = render({ decision: { kind: 'deny', reason: 'no' }, effects: [] }, 'UserPromptSubmit', droid);
  expect(said).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringContaining('no') });
  expect(answer('UserPromptSubmit', { decision: 'block', reason: 'no' })).toMatchObject({ decision: { kind: 'deny', reason: 'no' } });
});

test('json-at-any-exit: a denial in JSON counts with every exit code', () => {
  const deny = { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'r' } };
  for (const exit of [0, 1, 7]) expect(answer('PreToolUse', deny, exit)).toMatchObject({ decision: { kind: 'deny', reason: 'r' } });
  expect(answer('PreToolUse', 'text', 1, 'oops')).toMatchObject({ fault: 'exit' });
  expect(answer('PreToolUse', { hookSpecificOutput: { permissionDecision: 'allow' } }, 2, 'stop')).toMatchObject({
    decision: { kind: 'deny' },
  });
});
