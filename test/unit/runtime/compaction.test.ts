/** Compaction: the conversation shrinks, and no call is parted from its result. */
import type { ModelMessage } from 'ai';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutAt, estimateTokens } from '../../../src/runtime/compaction.ts';
import { closed } from '../../../src/runtime/loop.ts';
import { call, createScene } from '../../support/agents.ts';

/** Steps of an agent: a message of the user, an answer, or calls with their results. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('user' as const), text: fc.string({ maxLength: 200 }) }),
  fc.record({ kind: fc.constant('answer' as const), text: fc.string({ maxLength: 200 }) }),
  fc.record({ kind: fc.constant('calls' as const), count: fc.integer({ min: 1, max: 4 }), text: fc.string({ maxLength: 200 }) }),
);
const conversation = fc.array(step, { maxLength: 30 }).map((steps) =>
  steps.flatMap((one, index): ModelMessage[] => {
    if (one.kind === 'user') return [{ role: 'user', content: one.text }];
    if (one.kind === 'answer') return [{ role: 'assistant', content: one.text }];
    const ids = Array.from({ length: one.count }, (_, call) => `c${index}-${call}`);
    return [
      { role: 'assistant', content: ids.map((id) => ({ type: 'tool-call', toolCallId: id, toolName: 'echo', input: { text: one.text } })) },
      {
        role: 'tool',
        content: ids.map((id) => ({ type: 'tool-result', toolCallId: id, toolName: 'echo', output: { type: 'text', value: one.text } })),
      },
    ];
  }),
);

function idsOf(messages: readonly ModelMessage[], type: 'tool-call' | 'tool-result'): string[] {
  return messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap((part) => (part.type === type && 'toolCallId' in part ? [part.toolCallId] : [])),
  );
}

test('no cut lies between a call and its result, whatever the conversation and the budget', () => {
  fc.assert(
    fc.property(conversation, fc.integer({ min: 0, max: 2000 }), (messages, keep) => {
      const cut = cutAt(messages, keep);
      expect(cut).toBeGreaterThanOrEqual(0);
      expect(cut).toBeLessThanOrEqual(messages.length);
      for (const part of [messages.slice(0, cut), messages.slice(cut)])
        expect(idsOf(part, 'tool-call')).toEqual(idsOf(part, 'tool-result'));
      if (cut > 0) expect(messages[cut]?.role).toBe('assistant');
    }),
  );
});

test('a cut keeps as much as fits, and at least the last answer', () => {
  fc.assert(
    fc.property(conversation, fc.integer({ min: 0, max: 2000 }), (messages, keep) => {
      const cut = cutAt(messages, keep);
      const places = messages.flatMap(({ role }, index) => (role === 'assistant' && index > 1 ? [index] : []));
      if (places.length === 0) expect(cut).toBe(0);
      else if (estimateTokens(messages.slice(cut)) > keep) expect(cut).toBe(places.at(-1));
      else for (const place of places.filter((one) => one < cut)) expect(estimateTokens(messages.slice(place))).toBeGreaterThan(keep);
    }),
  );
});

test('every call of a conversation that was cut short gets a result', () => {
  fc.assert(
    fc.property(conversation, fc.nat(), (messages, where) => {
      const cutShort = messages.slice(0, messages.length === 0 ? 0 : where % (messages.length + 1));
      const whole = closed(cutShort, 'It was aborted.');
      expect(idsOf(whole, 'tool-result').sort()).toEqual(idsOf(whole, 'tool-call').sort());
      expect(closed(whole, 'again')).toEqual(whole);
    }),
  );
});

test('a conversation over its budget is compacted before the next model call, and the agent goes on with the summary', async () => {
  const scene = await createScene({
    steps: [call('echo', { text: 'a'.repeat(400) }), 'first', 'THE SUMMARY', 'second'],
    compaction: { budget: 150, keep: 20 },
  });
  await scene.agent.send('remember the word ALPHA');
  expect(await scene.agent.send('go on')).toMatchObject({ status: 'done', text: 'second', steps: 1 });
  const kinds = scene.fired();
  const at = kinds.indexOf('compact.before');
  expect(kinds.slice(at, at + 6)).toEqual(['compact.before', 'llm.before', 'llm.after', 'compact.after', 'llm.before', 'llm.after']);
  expect(scene.payloads('compact.after')).toMatchObject([{ reason: 'budget', summary: 'THE SUMMARY' }]);
  expect(scene.script.prompts[2]).toContain('ALPHA');
  expect(scene.script.prompts[3]).toContain('THE SUMMARY');
  expect(scene.script.prompts[3]).not.toContain('ALPHA');
  expect(scene.events.filter(({ type }) => type === 'text').map((event) => 'text' in event && event.text)).toEqual(['first', 'second']);
});

test('a hook that denies the request for the summary leaves the conversation whole', async () => {
  const scene = await createScene({
    steps: ['first', 'second'],
    compaction: { budget: 50, keep: 5 },
    hooks: (hookline) =>
      void hookline.on('llm.before', ({ data }) => (data.toolCount === 0 ? { decision: 'deny', reason: 'no summaries' } : undefined)),
  });
  await scene.agent.send('x'.repeat(300));
  expect(await scene.agent.send('go on')).toMatchObject({ status: 'done', text: 'second' });
  expect(scene.fired()).not.toContain('compact.after');
  expect(scene.script.prompts[1]).toContain('xxx');
});

test('a compaction that a hook denies is not asked about again in the same turn', async () => {
  const asked: string[] = [];
  const scene = await createScene({
    steps: ['first', call('echo', { text: 'a' }), call('echo', { text: 'b' }), 'second'],
    compaction: { budget: 50, keep: 5 },
    hooks: (hookline) =>
      void hookline.on('compact.before', () => {
        asked.push('compact');
        return { decision: 'deny', reason: 'keep it all' };
      }),
  });
  await scene.agent.send('x'.repeat(300));
  expect(await scene.agent.send('go on')).toMatchObject({ status: 'done', text: 'second', steps: 3 });
  expect(asked).toEqual(['compact']);
});
