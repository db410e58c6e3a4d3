import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { copilotHost as host } from '../../../../src/agents/copilot/host.ts';
import { encodeDeny } from '../../../../src/engine/answer/encode.ts';

const FIXTURES = new URL('../../../fixtures/copilot/events/', import.meta.url);
const payloads = readdirSync(FIXTURES).map(
  (file) => [file.replace('.json', ''), JSON.parse(readFileSync(new URL(file, FIXTURES), 'utf8'))] as const,
);

test.each(payloads)('%s is known by the entry, and by its keys alone', (event, payload) => {
  expect(host.eventsOf(payload, event)).toEqual([event]);
  expect(host.eventsOf(payload, undefined)).toEqual([event]);
});

test('the other spelling names itself', () => {
  expect(host.eventsOf({ hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash' }, 'preToolUse')).toEqual(['PreToolUse']);
});

test('what can not be told is said', () => {
  expect(host.eventsOf({ sessionId: 's' }, undefined)).toMatch(/does not name/);
  expect(host.eventsOf({ sessionId: 's' }, 'preMcpToolCall')).toMatch(/preMcpToolCall/);
});

test('a refusal is JSON, because the agent drops what stands on stderr, with the exit code that refuses where the JSON is lost', () => {
  expect(encodeDeny(host, 'preToolUse', 'no')).toEqual({
    exit: 2,
    stderr: '',
    stdout: '{"permissionDecision":"deny","permissionDecisionReason":"no"}',
  });
  expect(encodeDeny(host, 'permissionRequest', 'no')).toEqual({ exit: 2, stderr: '', stdout: '{"behavior":"deny","message":"no"}' });
  expect(encodeDeny(host, 'userPromptSubmitted', 'no').exit).toBe(0);
  expect(JSON.parse(encodeDeny(host, 'userPromptSubmitted', 'no').stdout)).toEqual({
    decision: 'block',
    reason: 'no',
    handled: true,
    responseContent: 'no',
  });
});

test('an installation speaks camelCase, names the event to itself, and trusts no loopback address', () => {
  expect(host.entry.events.every((event) => /^[a-z]/.test(event))).toBe(true);
  expect(host.entry.http).toBe(false);
});
