import { expect, test } from 'vitest';
import { dialect as claudeCode } from '../../../../src/agents/claude-code/dialect.ts';
import { type EventName, kindOf, profile } from '../../../../src/agents/claude-code/profile.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { Reply } from '../../../../src/core/decision/reply.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { interpret, policyFor } from '../../../../src/core/meaning/interpret.ts';
import type { EventRule } from '../../../../src/core/meaning/profile.ts';
import { render } from '../../../../src/core/meaning/render.ts';
import { type Json, type JsonObject, textOf } from '../../../../src/core/values/json.ts';

const hook = (event: EventName): Hook => ({
  id: 'h',
  name: 'h',
  dialect: 'claude-code',
  event,
  when: [],
  handler: { type: 'command', config: {} },
  timeoutMs: 1,
  priority: 0,
  detach: false,
  enabled: true,
  source: { file: 'h', scope: 'project' },
});
const fired = (event: EventName): HookEvent => ({ id: 'e', kind: kindOf(event), at: '', session: { id: 's', cwd: '/' }, data: {} });
const exited = (exit: number, stdout = '', stderr = ''): Reply => ({ kind: 'process', exit, stdout, stderr });
const means = (reply: Reply, event: EventName) =>
  interpret(reply, hook(event), profile.events[event] as EventRule, claudeCode, fired(event));
const said = (value: Json, event: EventName) => means(exited(0, JSON.stringify(value)), event);
const specific = (output: JsonObject, event: EventName) => said({ hookSpecificOutput: { hookEventName: event, ...output } }, event);

test('only-two-blocks: exit 2 denies with stderr, any other failure is a fault that passes', () => {
  expect(means(exited(2, '{"decision":"approve"}', 'no\n'), 'PreToolUse')).toEqual({
    decision: { kind: 'deny', reason: 'no' },
    effects: [],
  });
  for (const code of [1, 3, 127]) {
    expect(means(exited(code, '', 'x'), 'PreToolUse')).toMatchObject({ kind: 'fault', fault: 'exit', detail: `exit code ${code}: x` });
  }
  expect(policyFor('exit', profile.events.PreToolUse, profile.fail, false)).toBe('pass');
  expect(policyFor('timeout', profile.events.PreToolUse, profile.fail, true)).toBe('deny');
});

test('exit 2 is a failure where nothing can be blocked', () => {
  for (const event of ['SessionStart', 'Notification', 'SessionEnd', 'SubagentStart', 'StopFailure'] as const)
    expect(means(exited(2, '', 'no'), event)).toMatchObject({ fault: 'exit' });
});

test('permission-exit: only JSON refuses a permission', () => {
  expect(means(exited(2, '', 'no'), 'PermissionRequest')).toMatchObject({ fault: 'exit' });
  expect(policyFor('exit', profile.events.PermissionRequest, profile.fail, true)).toBe('deny');
  expect(specific({ decision: { behavior: 'deny', message: 'no', interrupt: true } }, 'PermissionRequest')).toEqual({
    decision: { kind: 'deny', reason: 'no' },
    effects: [{ kind: 'halt', reason: 'no' }],
  });
  expect(specific({ decision: { behavior: 'allow', updatedInput: { a: 1 } } }, 'PermissionRequest')).toEqual({
    decision: { kind: 'allow' },
    effects: [{ kind: 'rewrite', value: { a: 1 } }],
  });
});

test('plain-context: text is context on five events and nothing elsewhere; and broken-json is a fault', () => {
  const context = { decision: { kind: 'pass' }, effects: [{ kind: 'context', text: 'mind' }] };
  for (const event of ['UserPromptSubmit', 'UserPromptExpansion', 'SessionStart', 'PostModelSwitch', 'PreCompact'] as const)
    expect(means(exited(0, 'mind\n'), event)).toEqual(context);
  expect(means(exited(0, '42'), 'SessionStart')).toMatchObject({ effects: [{ text: '42' }] });
  expect(means(exited(0, 'mind'), 'PreToolUse')).toEqual({ decision: { kind: 'pass' }, effects: [] });
  expect(means(exited(0, '{"decision":'), 'PreToolUse')).toMatchObject({ fault: 'malformed' });
});

test('http-json: a server that answers with words has failed, everywhere', () => {
  for (const event of ['PreToolUse', 'UserPromptSubmit'] as const) {
    expect(means({ kind: 'http', status: 200, body: 'mind' }, event)).toMatchObject({ fault: 'malformed' });
    expect(means({ kind: 'http', status: 500, body: '' }, event)).toMatchObject({ fault: 'status' });
    expect(means({ kind: 'http', status: 204, body: '' }, event)).toEqual({ decision: { kind: 'pass' }, effects: [] });
  }
});

test('json-beside-code: a hook that fails may still refuse, and what else it says counts where the failure does not deny', () => {
  const deny = '{"decision":"block","reason":"json"}';
  for (const code of [1, 2, 3]) expect(means(exited(code, deny, 'stderr'), 'PreToolUse')).toMatchObject({ decision: { reason: 'json' } });
  const output = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","additionalContext":"x"}}';
  const context = [{ kind: 'context', text: 'x' }];
  expect(means(exited(2, output, 'no'), 'PreToolUse')).toEqual({ decision: { kind: 'deny', reason: 'no' }, effects: context });
  expect(means(exited(1, output), 'PreToolUse')).toMatchObject({
    fault: 'exit',
    verdict: { decision: { kind: 'allow' }, effects: context },
  });
  expect(means(exited(2, '{"decision":"deny"}', 'no'), 'PreToolUse')).toMatchObject({ decision: { kind: 'deny', reason: 'no' } });
});

test('stop-context: context on a stop is what the agent goes on with', () => {
  for (const event of ['Stop', 'SubagentStop'] as const)
    expect(specific({ additionalContext: 'Run the tests.' }, event)).toEqual({
      decision: { kind: 'deny', reason: 'Run the tests.' },
      effects: [],
    });
});

test('result-shape: a text takes the place of the text in the result of the tool, or is not said', () => {
  const replaced = (result: JsonObject | string) =>
    claudeCode.wire.encodeReply({ decision: { kind: 'pass' }, effects: [{ kind: 'replace', value: 'new' }] }, 'PostToolUse', {
      ...fired('PostToolUse'),
      data: { result },
    });
  const output = (value: Json) => ({ hookSpecificOutput: { hookEventName: 'PostToolUse', updatedToolOutput: value } });
  expect(replaced({ stdout: 'old', stderr: 'old', interrupted: false })).toEqual(output({ stdout: 'new', stderr: '', interrupted: false }));
  expect(replaced({ type: 'text', file: { content: 'old', numLines: 1 } })).toEqual(
    output({ type: 'text', file: { content: 'new', numLines: 1 } }),
  );
  expect(replaced('old')).toEqual(output('new'));
  expect(replaced({ filePath: 'x' })).toBe(undefined);
});

test('a tool can be allowed, denied, asked about, rewritten and commented on', () => {
  expect(specific({ permissionDecision: 'deny', permissionDecisionReason: 'no' }, 'PreToolUse')).toMatchObject({
    decision: { kind: 'deny', reason: 'no' },
  });
  expect(specific({ permissionDecision: 'allow', updatedInput: { a: 1 }, additionalContext: 'x' }, 'PreToolUse')).toEqual({
    decision: { kind: 'allow' },
    effects: [
      { kind: 'rewrite', value: { a: 1 } },
      { kind: 'context', text: 'x' },
    ],
  });
  expect(said({ decision: 'block', reason: 'old' }, 'PreToolUse')).toMatchObject({ decision: { kind: 'deny', reason: 'old' } });
  expect(said({ decision: 'approve' }, 'PreToolUse')).toMatchObject({ decision: { kind: 'allow' } });
  expect(said({ decision: 'approve' }, 'Stop')).toMatchObject({ decision: { kind: 'pass' } });
  // Two places that disagree: the refusal counts.
  expect(
    said({ decision: 'block', hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } }, 'PreToolUse'),
  ).toMatchObject({
    decision: { kind: 'deny' },
  });
});

test('defer-asks: whoever puts it off wants somebody else to decide', () => {
  for (const word of ['ask', 'defer'])
    expect(specific({ permissionDecision: word }, 'PreToolUse')).toMatchObject({ decision: { kind: 'ask' } });
});

test('halt-lets-run: `continue: false` stops the run and denies nothing by itself', () => {
  expect(said({ continue: false, stopReason: 'enough' }, 'PreToolUse')).toEqual({
    decision: { kind: 'pass' },
    effects: [{ kind: 'halt', reason: 'enough' }],
  });
});

test('event-name-checked: a wrong name is a fault, and so is a missing one', () => {
  expect(said({ hookSpecificOutput: { hookEventName: 'Stop', permissionDecision: 'deny' } }, 'PreToolUse')).toMatchObject({
    fault: 'malformed',
  });
  for (const permissionDecision of ['allow', 'deny'])
    expect(said({ hookSpecificOutput: { permissionDecision } }, 'PreToolUse')).toMatchObject({ fault: 'malformed' });
});

test.each<[JsonObject, EventName]>([
  [{ decision: 'deny' }, 'PreToolUse'],
  [{ continue: 'no' }, 'PreToolUse'],
  [{ systemMessage: 1 }, 'Stop'],
  [{ hookSpecificOutput: 'deny' }, 'PreToolUse'],
  [{ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'block' } }, 'PreToolUse'],
  [{ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput: 'x' } }, 'PreToolUse'],
  [{ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'maybe' } } }, 'PermissionRequest'],
  [{ hookSpecificOutput: { hookEventName: 'Elicitation', action: 'maybe' } }, 'Elicitation'],
  // null-is-wrong
  [{ decision: 'block', reason: null }, 'PreToolUse'],
  [{ hookSpecificOutput: null }, 'PreToolUse'],
  [{ hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: null } }, 'PreToolUse'],
  [{ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: null } }, 'SessionStart'],
])('an answer that is not what it must be is a fault and no consent: %j', (value, event) => {
  expect(said(value, event)).toMatchObject({ kind: 'fault', fault: 'malformed' });
});

test('what each event can say beyond that', () => {
  expect(specific({ updatedToolOutput: { stdout: 'x' } }, 'PostToolUse')).toMatchObject({
    effects: [{ kind: 'replace', value: { stdout: 'x' } }],
  });
  expect(specific({ action: 'accept', content: { a: 1 } }, 'Elicitation')).toMatchObject({
    decision: { kind: 'allow' },
    effects: [{ kind: 'replace' }],
  });
  expect(specific({ action: 'decline' }, 'ElicitationResult')).toMatchObject({ decision: { kind: 'deny' } });
  expect(specific({ displayContent: 'x' }, 'MessageDisplay')).toMatchObject({ effects: [{ kind: 'replace', value: 'x' }] });
  expect(said({ systemMessage: 'hi', suppressOutput: true }, 'Stop')).toMatchObject({
    effects: [{ kind: 'notice', text: 'hi' }, { kind: 'quiet' }],
  });
  expect(said({ async: true, decision: 'block' }, 'PreToolUse')).toMatchObject({ decision: { kind: 'pass' } });
});

test('worktree-fails-closed: a path is no opinion, and any failure denies', () => {
  expect(means(exited(0, '/trees/x\n'), 'WorktreeCreate')).toEqual({ decision: { kind: 'pass' }, effects: [] });
  expect(means(exited(1, '', 'full'), 'WorktreeCreate')).toMatchObject({ decision: { kind: 'deny', reason: 'full' } });
  expect(policyFor('timeout', profile.events.WorktreeCreate, profile.fail, false)).toBe('deny');
});

test('a model answers with ok and a reason, as an object or as text in a fence', () => {
  const judged = (value: unknown) => claudeCode.wire.decodeValue(value, 'Stop', fired('Stop'));
  expect(judged({ ok: true })).toMatchObject({ decision: { kind: 'pass' } });
  expect(judged('```json\n{"ok": false, "reason": "tests fail"}\n```')).toMatchObject({ decision: { kind: 'deny', reason: 'tests fail' } });
  expect(judged('yes')).toEqual(expect.stringContaining('must answer'));
});

test('a deny is said in the shortest form that the event has', () => {
  const deny = (event: EventName) => {
    const reply = render({ decision: { kind: 'deny', reason: 'no' }, effects: [] }, event, claudeCode);
    return reply && [reply.exit, textOf(reply.stdout), reply.stderr];
  };
  expect(deny('PreToolUse')).toEqual([
    0,
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}',
    '',
  ]);
  expect(deny('PermissionRequest')?.[1]).toBe(
    '{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"no"}}}',
  );
  expect(deny('Stop')?.[1]).toBe('{"decision":"block","reason":"no"}');
  expect(deny('WorktreeCreate')).toEqual([1, '', 'no']);
  expect(
    render({ decision: { kind: 'pass' }, effects: [{ kind: 'context', text: 'Keep the plan.' }] }, 'PreCompact', claudeCode),
  ).toMatchObject({
    exit: 0,
    stdout: 'Keep the plan.',
  });
});
