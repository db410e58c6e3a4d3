/** Never silently open: what cannot be asked is refused, and nothing behind it runs. */
import { APICallError } from 'ai';
import { expect, test } from 'vitest';
import { call, createScene } from '../../support/agents.ts';

test('an engine that is closed lets nothing pass: no model is called and no tool runs', async () => {
  const scene = await createScene({ steps: [call('echo', { text: 'hi' })] });
  await scene.agent.start();
  await scene.hookline.close();
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'cancelled', reason: expect.stringContaining('closed') });
  expect(scene.script.prompts).toEqual([]);
  expect(scene.ran).toEqual([]);
});

test('an engine that is closed during a turn lets no tool run', async () => {
  const scene = await createScene({
    steps: [
      () => {
        void scene.hookline.close();
        return call('echo', { text: 'hi' });
      },
    ],
  });
  await scene.agent.send('hello');
  expect(scene.ran).toEqual([]);
});

test.each(['message.received', 'session.start', 'prompt.submit', 'turn.before', 'llm.before', 'tool.before'] as const)(
  'a hook of %s that throws denies',
  async (kind) => {
    const scene = await createScene({
      steps: [call('echo', { text: 'hi' }), 'bye'],
      hooks: (hookline) =>
        void hookline.on(kind, () => {
          throw new Error('broken hook');
        }),
    });
    const turn = await scene.agent.send('hello');
    expect(turn.status).toBe(kind === 'tool.before' ? 'done' : kind === 'message.received' ? 'cancelled' : 'denied');
    expect(scene.ran).toEqual([]);
    expect(kind === 'tool.before' ? scene.script.prompts[1] : turn.reason).toContain('broken hook');
  },
);

test('a hook that ends the run ends it: the calls of the step that follow do not run', async () => {
  const scene = await createScene({
    steps: [
      {
        calls: [
          { tool: 'echo', input: { text: 'one' } },
          { tool: 'echo', input: { text: 'two' } },
        ],
      },
      'bye',
    ],
    hooks: (hookline) => void hookline.on('tool.after', () => ({ halt: 'enough' })),
  });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'halted', reason: 'enough' });
  expect(scene.ran).toEqual(['echo {"text":"one"}']);
  expect(scene.script.prompts).toHaveLength(1);
  expect(await scene.agent.send('again')).toMatchObject({ status: 'done' });
});

test('a model call that is tried again fires nothing again', async () => {
  const tooMany = new APICallError({
    ...{ message: 'too many', url: 'http://model', requestBodyValues: {}, statusCode: 429, isRetryable: true },
    responseHeaders: { 'retry-after-ms': '1' },
  });
  const scene = await createScene({ steps: [tooMany, tooMany, 'at last'] });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'done', text: 'at last', steps: 1 });
  expect(scene.script.prompts).toHaveLength(3);
  for (const kind of ['model.resolve', 'prompt.build', 'llm.before', 'llm.after'])
    expect(scene.fired().filter((one) => one === kind)).toHaveLength(1);
});

test('a model that cannot be called ends the turn with its error, and the next turn works', async () => {
  const scene = await createScene({ steps: [new Error('no such key'), 'fine'] });
  expect(await scene.agent.send('hello')).toMatchObject({
    status: 'failed',
    reason: 'no such key',
    text: 'The model could not be called.',
  });
  expect(scene.fired()).toContain('turn.after');
  expect(await scene.agent.send('again')).toMatchObject({ status: 'done', text: 'fine' });
});

test.each([true, false])('an abort ends the turn and leaves a conversation that goes on (stream: %s)', async (stream) => {
  const abort = new AbortController();
  const scene = await createScene({
    steps: [
      () => {
        abort.abort();
        return { calls: [{ tool: 'echo', input: { text: 'hi' } }] };
      },
      'fine',
    ],
  });
  expect(await scene.agent.send('hello', { signal: abort.signal, stream })).toMatchObject({ status: 'aborted', text: '' });
  expect(scene.ran).toEqual([]);
  expect(await scene.agent.send('again')).toMatchObject({ status: 'done', text: 'fine' });
});

test('a tool that throws is a result for the model, and tool.error tells of it', async () => {
  const scene = await createScene({ steps: [call('broken', { text: 'x' }), 'I see'] });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'done', text: 'I see' });
  expect(scene.script.prompts[1]).toContain('the tool broke');
  expect(scene.payloads('tool.error')).toMatchObject([{ tool: 'broken', error: 'the tool broke' }]);
  expect(scene.fired()).not.toContain('tool.after');
});

test('a call of a tool that does not exist is an error for the model, and the turn goes on', async () => {
  const scene = await createScene({ steps: [call('nothing', {}), 'I see'] });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'done', text: 'I see' });
  expect(scene.script.prompts).toHaveLength(2);
  expect(scene.fired()).not.toContain('tool.before');
});

test('an agent that never stops calling ends at its most steps', async () => {
  const scene = await createScene({ steps: Array.from({ length: 9 }, () => call('echo', { text: 'again' })), maxSteps: 3 });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'limit', steps: 3 });
  expect(scene.payloads('stop.before')).toMatchObject([{ reason: 'max_steps', stepCount: 3 }]);
});

test('the stop gate sends the agent back until its cap, and counts', async () => {
  const counts: unknown[] = [];
  const scene = await createScene({
    steps: ['1', '2', '3', '4'],
    stopCap: 2,
    hooks: (hookline) =>
      void hookline.on('stop.before', ({ data }) => {
        counts.push(data.continuations);
        return { decision: 'deny', reason: 'Run the tests.' };
      }),
  });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'done', text: '3', reason: expect.stringContaining('Run the tests.') });
  expect(counts).toEqual([0, 1, 2]);
});

test('a listener that throws changes nothing', async () => {
  const scene = await createScene({
    onEvent() {
      throw new Error('listener');
    },
  });
  expect(await scene.agent.send('hello')).toMatchObject({ status: 'done' });
});
