import { describe, expect, test } from 'vitest';
import { dialect as copilot } from '../../../../src/agents/copilot/dialect.ts';
import { sampleEvent } from '../../../../src/api/testing/index.ts';
import type { Verdict } from '../../../../src/core/decision/decision.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import type { Json, JsonObject } from '../../../../src/core/values/json.ts';

const { wire } = copilot;
const PASS = { kind: 'pass' } as const;
const BASE = { session_id: 'c0ffee', timestamp: '2026-03-04T05:06:07.890Z', cwd: '/srv/shop' };
const TOOL = { tool_name: 'Bash', tool_input: { command: 'npm test' } };

/** Camel payloads are fixtures; files that differ in case alone are one file on some machines. */
const PASCAL: Readonly<Record<string, JsonObject>> = {
  SessionStart: { source: 'new', initial_prompt: 'Go.' },
  SessionEnd: { reason: 'complete' },
  UserPromptSubmit: { prompt: 'Go.' },
  PreToolUse: TOOL,
  PostToolUse: { ...TOOL, tool_result: { result_type: 'success', text_result_for_llm: '2 passed' } },
  PostToolUseFailure: { ...TOOL, error: 'no such file' },
  ErrorOccurred: { error: { message: 'x', name: 'Error' }, error_context: 'system', recoverable: false },
  Stop: { transcript_path: '/t', stop_reason: 'end_turn', stop_hook_active: true },
  SubagentStop: { agent_id: 'a1', agent_type: 'explore', agent_name: 'explore', last_assistant_message: 'Done.', stop_reason: 'end_turn' },
  PreCompact: { trigger: 'auto', custom_instructions: '' },
};

/** Three keep the payload of the other spelling. */
const CAMEL_ANYWAY: Readonly<Record<string, JsonObject>> = {
  PermissionRequest: { hookName: 'permissionRequest', toolName: 'bash', toolInput: { command: 'npm test' }, permissionSuggestions: [] },
  SubagentStart: { transcriptPath: '/t', agentName: 'explore', agent_id: 'a1', agent_type: 'explore', parent_agent_id: 'c0ffee' },
  Notification: { hook_event_name: 'Notification', message: 'May it?', title: 'Permission needed', notification_type: 'permission_prompt' },
};

function reread(name: string, payload: JsonObject): HookEvent {
  const { kind, data, session = '', cwd = '', at = '' } = wire.decodeEvent(name, payload);
  return { ...sampleEvent(kind, data), at, session: { id: session, cwd } };
}

test.each(Object.entries(PASCAL))('a payload of %s comes back exactly as it was', (name, fields) => {
  const payload = { hook_event_name: name, ...BASE, ...fields };
  expect(wire.encodeEvent(reread(name, payload), name)).toEqual(payload);
});

test.each(Object.entries(CAMEL_ANYWAY))('a payload of %s is that of the other spelling', (name, fields) => {
  const payload = { sessionId: 'c0ffee', timestamp: Date.parse(BASE.timestamp), cwd: '/srv/shop', ...fields };
  expect(wire.encodeEvent(reread(name, payload), name)).toEqual(payload);
});

test('every event in PascalCase is tried here', () => {
  expect(Object.keys({ ...PASCAL, ...CAMEL_ANYWAY }).sort()).toEqual(
    Object.keys(copilot.profile.events)
      .filter((name) => /^[A-Z]/.test(name))
      .sort(),
  );
});

test('what one spelling says the other can say', () => {
  const event = reread('PostToolUse', { ...BASE, ...PASCAL['PostToolUse'] });
  expect(wire.encodeEvent(event, 'postToolUse')).toEqual({
    sessionId: 'c0ffee',
    timestamp: Date.parse(BASE.timestamp),
    cwd: '/srv/shop',
    toolName: 'Bash',
    toolArgs: { command: 'npm test' },
    toolResult: { resultType: 'success', textResultForLlm: '2 passed' },
  });
});

test('nonsense is never taken for a session, a tool or a time', () => {
  expect(wire.decodeEvent('preToolUse', { sessionId: 5, timestamp: 1e300, cwd: null, toolName: {}, toolArgs: null })).toEqual({
    kind: 'tool.before',
    data: { metadata: { toolName: {}, toolArgs: null } },
  });
});

describe('answers', () => {
  test.each<[string, Json, Verdict]>([
    [
      'preToolUse',
      { permissionDecision: 'ask', permissionDecisionReason: 'Sure?' },
      { decision: { kind: 'ask', reason: 'Sure?' }, effects: [] },
    ],
    ['preToolUse', { permissionDecision: 'allow' }, { decision: { kind: 'allow' }, effects: [] }],
    ['preToolUse', { modifiedArgs: { command: 'ls' } }, { decision: PASS, effects: [{ kind: 'rewrite', value: { command: 'ls' } }] }],
    ['preToolUse', { modifiedArgs: 'ls', additionalContext: null }, { decision: PASS, effects: [] }],
    ['preToolUse', { suppressOutput: true }, { decision: PASS, effects: [{ kind: 'quiet' }] }],
    [
      'PreToolUse',
      { hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: { command: 'ls' } } },
      { decision: PASS, effects: [{ kind: 'rewrite', value: { command: 'ls' } }] },
    ],
    ['permissionRequest', { behavior: 'allow' }, { decision: { kind: 'allow' }, effects: [] }],
    [
      'PreToolUse',
      { permissionDecision: 'deny', permissionDecisionReason: 'no', hookSpecificOutput: { additionalContext: 'Ask first.' } },
      { decision: { kind: 'deny', reason: 'no' }, effects: [{ kind: 'context', text: 'Ask first.' }] },
    ],
    ['PermissionRequest', { behavior: 'deny', message: 'no' }, { decision: { kind: 'deny', reason: 'no' }, effects: [] }],
    ['agentStop', { decision: 'block', reason: 'Test it.' }, { decision: { kind: 'deny', reason: 'Test it.' }, effects: [] }],
    [
      'Stop',
      { decision: 'block', reason: 'Test it.', hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'x' } },
      { decision: { kind: 'deny', reason: 'Test it.' }, effects: [] },
    ],
    ['postToolUse', { decision: 'block', reason: 'Secret.' }, { decision: { kind: 'deny', reason: 'Secret.' }, effects: [] }],
    ['userPromptSubmitted', { decision: 'block', reason: 'No.' }, { decision: { kind: 'deny', reason: 'No.' }, effects: [] }],
    ['UserPromptSubmit', { hookSpecificOutput: { hookEventName: 'UserPromptSubmit' } }, { decision: PASS, effects: [] }],
    ['agentStop', { decision: 'allow' }, { decision: PASS, effects: [] }],
    ['subagentStop', { modifiedResponse: 'Short.' }, { decision: PASS, effects: [{ kind: 'replace', value: 'Short.' }] }],
    ['userPromptSubmitted', { modifiedPrompt: 'Better.' }, { decision: PASS, effects: [{ kind: 'rewrite', value: 'Better.' }] }],
    ['userPromptTransformed', { modifiedTransformedPrompt: 'B.' }, { decision: PASS, effects: [{ kind: 'rewrite', value: 'B.' }] }],
    [
      'postToolUse',
      { modifiedResult: { resultType: 'success', textResultForLlm: 'x' } },
      { decision: PASS, effects: [{ kind: 'replace', value: 'x' }] },
    ],
    [
      'postToolUse',
      { modifiedResult: { resultType: 'failure', textResultForLlm: 'x' } },
      { decision: PASS, effects: [{ kind: 'replace', value: { resultType: 'failure', textResultForLlm: 'x' } }] },
    ],
    ['sessionStart', { additionalContext: 'Hello.' }, { decision: PASS, effects: [{ kind: 'context', text: 'Hello.' }] }],
    ['preToolUse', [], { decision: PASS, effects: [] }],
  ])('%s: %j', (event, value, wanted) => {
    expect(wire.decodeReply(value, event, sampleEvent('tool.before'))).toEqual(wanted);
  });

  test.each([
    ['preToolUse', { permissionDecision: 'dney' }],
    ['preToolUse', { permissionDecision: true }],
    ['permissionRequest', { behavior: 'perhaps' }],
    ['PermissionRequest', { hookSpecificOutput: { decision: { behavior: 'deny', message: 'no' } } }],
    ['permissionRequest', { decision: { behavior: 'deny' } }],
    ['Stop', { hookSpecificOutput: { decision: 'block', reason: 'Test it.' } }],
    ['PostToolUse', { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'x' } }],
    ['agentStop', { decision: 'deny', reason: 'Test it.' }],
  ])('%s: %j is a complaint, never consent', (event, value) => {
    expect(typeof wire.decodeReply(value, event, sampleEvent('tool.before'))).toBe('string');
  });

  test.each<[string, Verdict, Json]>([
    ['agentStop', { decision: { kind: 'deny', reason: 'Go on.' }, effects: [] }, { decision: 'block', reason: 'Go on.' }],
    ['permissionRequest', { decision: { kind: 'deny', reason: 'no' }, effects: [] }, { behavior: 'deny', message: 'no' }],
    ['postToolUse', { decision: { kind: 'deny', reason: 'no' }, effects: [] }, { decision: 'block', reason: 'no' }],
    [
      'postToolUse',
      { decision: PASS, effects: [{ kind: 'replace', value: 'x' }] },
      { modifiedResult: { resultType: 'success', textResultForLlm: 'x' } },
    ],
    [
      'preToolUse',
      { decision: { kind: 'allow' }, effects: [{ kind: 'rewrite', value: { a: 1 } }] },
      { permissionDecision: 'allow', modifiedArgs: { a: 1 } },
    ],
    ['preToolUse', { decision: PASS, effects: [] }, {}],
    ['PreToolUse', { decision: PASS, effects: [] }, {}],
  ])('%s says %j so', (event, verdict, words) => {
    expect(wire.encodeReply(verdict, event)).toEqual(words);
  });

  test('what the agent can not carry out has no words', () => {
    for (const effect of [
      { kind: 'halt', reason: 'x' },
      { kind: 'notice', text: 'x' },
      { kind: 'continue', with: 'x' },
    ] as const) {
      expect(wire.encodeReply({ decision: PASS, effects: [effect] }, 'preToolUse')).toBeUndefined();
    }
  });
});
