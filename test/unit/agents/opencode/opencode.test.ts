import { expect, test } from 'vitest';
import { dialect as opencode } from '../../../../src/agents/opencode/dialect.ts';
import { profile } from '../../../../src/agents/opencode/profile.ts';
import { sampleEvent } from '../../../../src/api/testing/index.ts';
import { sampleHook } from '../../../../src/api/testing/samples.ts';
import { interpret, policyFor } from '../../../../src/core/meaning/interpret.ts';
import type { EventRule } from '../../../../src/core/meaning/profile.ts';
import { render } from '../../../../src/core/meaning/render.ts';

test('own-words: a deny, new arguments, a new prompt and context each have one', () => {
  const say = (event: string, verdict: Parameters<typeof render>[0]): string | undefined => render(verdict, event, opencode)?.stdout;
  const pass = { kind: 'pass' } as const;
  expect(say('tool.execute.before', { decision: { kind: 'deny', reason: 'no' }, effects: [] })).toBe('{"deny":"no"}');
  expect(say('tool.execute.before', { decision: pass, effects: [{ kind: 'rewrite', value: { command: 'ls' } }] })).toBe(
    '{"args":{"command":"ls"}}',
  );
  expect(say('chat.message', { decision: pass, effects: [{ kind: 'rewrite', value: 'Other' }] })).toBe('{"prompt":"Other"}');
  expect(say('tool.execute.after', { decision: pass, effects: [{ kind: 'context', text: 'c' }] })).toBe('{"context":"c"}');
});

test('an answer that can not be read refuses, as a hook that throws does', () => {
  const rule = profile.events['tool.execute.before'];
  const reply = { kind: 'process', exit: 0, stdout: 'oops', stderr: '' } as const;
  expect(interpret(reply, sampleHook(opencode, 'tool.execute.before'), rule, opencode, sampleEvent('tool.before'))).toMatchObject({
    fault: 'malformed',
  });
  expect(policyFor('malformed', rule, profile.fail, false)).toBe('deny');
});

test('nobody-is-asked and stop-observes: no event grants an ask, and an idle session is not sent back', () => {
  const rules: readonly EventRule[] = Object.values(profile.events);
  expect(rules.filter(({ grants }) => grants.includes('ask') || grants.includes('allow'))).toEqual([]);
  expect(profile.events['session.idle'].grants).toEqual([]);
});
