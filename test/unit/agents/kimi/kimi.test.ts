import { expect, test } from 'vitest';
import { dialect as kimi } from '../../../../src/agents/kimi/dialect.ts';
import { type EventName, profile } from '../../../../src/agents/kimi/profile.ts';
import { sampleEvent } from '../../../../src/api/testing/index.ts';
import { sampleHook } from '../../../../src/api/testing/samples.ts';
import { interpret } from '../../../../src/core/meaning/interpret.ts';
import { render } from '../../../../src/core/meaning/render.ts';

function answer(event: EventName, stdout: unknown, exit = 0, stderr = ''): unknown {
  const reply = { kind: 'process', exit, stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout), stderr } as const;
  const sample = sampleEvent(profile.events[event].kinds[0] ?? 'notification');
  return interpret(reply, sampleHook(kimi, event), profile.events[event], kimi, sample);
}
const PASS = { decision: { kind: 'pass' }, effects: [] };

test('deny-or-nothing: a deny counts, in JSON and by exit 2; every other word is passed over', () => {
  const say = (permissionDecision: string): object => ({ hookSpecificOutput: { permissionDecision, permissionDecisionReason: 'r' } });
  expect(answer('PreToolUse', say('deny'))).toEqual({ decision: { kind: 'deny', reason: 'r' }, effects: [] });
  expect(answer('PreToolUse', '', 2, 'stop')).toEqual({ decision: { kind: 'deny', reason: 'stop' }, effects: [] });
  for (const word of ['allow', 'ask', 'defer']) expect(answer('PreToolUse', say(word))).toEqual(PASS);
  expect(answer('PreToolUse', 'plain text')).toEqual(PASS);
  expect(answer('PreToolUse', say('deny'), 1)).toMatchObject({ fault: 'exit' });
});

test('a deny is written with nothing beside it', () => {
  const said = render({ decision: { kind: 'deny', reason: 'no' }, effects: [] }, 'Stop', kimi);
  expect(said).toMatchObject({ exit: 0, stdout: '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"no"}}' });
  const context = { kind: 'context', text: 'x' } as const;
  expect(render({ decision: { kind: 'deny', reason: 'no' }, effects: [context] }, 'UserPromptSubmit', kimi)).toBeUndefined();
});

test('prompt-parts: other formats see the text, and the parts go back as they came', () => {
  const prompt = [{ type: 'text', text: 'Fix' }, { type: 'image_url' }, { type: 'text', text: 'it' }];
  const { data } = kimi.wire.decodeEvent('UserPromptSubmit', { prompt });
  expect(data['prompt']).toBe('Fix\nit');
  expect(kimi.wire.encodeEvent(sampleEvent('prompt.submit', data), 'UserPromptSubmit')['prompt']).toEqual(prompt);
  const changed = { ...data, prompt: 'Other' };
  expect(kimi.wire.encodeEvent(sampleEvent('prompt.submit', changed), 'UserPromptSubmit')['prompt']).toBe('Other');
});

test('context-on-prompts: the output reaches the agent with a prompt, and nowhere else', () => {
  const context = (text: string): object => ({ decision: { kind: 'pass' }, effects: [{ kind: 'context', text }] });
  expect(answer('UserPromptSubmit', { message: 'On main.' })).toEqual(context('On main.'));
  expect(answer('UserPromptSubmit', { hookSpecificOutput: { message: 'On main.' } })).toEqual(context('On main.'));
  expect(answer('UserPromptSubmit', 'On main.\n')).toEqual(context('On main.'));
  expect(answer('UserPromptSubmit', { branch: 'main' })).toEqual(context('{"branch":"main"}'));
  expect(answer('UserPromptSubmit', '')).toEqual(PASS);
  for (const said of [{ message: 'On main.' }, 'On main.']) expect(answer('PreToolUse', said)).toEqual(PASS);
});

test('a reply that is broken JSON is a fault that passes, never silence', () => {
  expect(answer('PreToolUse', '{"hookSpecificOutput": {"permissionDecision": "deny"')).toMatchObject({ fault: 'malformed' });
});

test('the reason of a denied prompt is its message first, that of a tool its own', () => {
  const both = { message: 'm', hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'r' } };
  expect(answer('UserPromptSubmit', both)).toMatchObject({ decision: { reason: 'm' } });
  expect(answer('PreToolUse', both)).toMatchObject({ decision: { reason: 'r' } });
});

test('result-is-no-denial: only a no is one', () => {
  const kinds = [{ decision: 'approved' }, { decision: 'rejected' }, { approved: false }, { result: 'denied' }, {}].map(
    (payload) => kimi.wire.decodeEvent('PermissionResult', payload).kind,
  );
  expect(kinds).toEqual(['notification', 'permission.denied', 'permission.denied', 'permission.denied', 'notification']);
});
