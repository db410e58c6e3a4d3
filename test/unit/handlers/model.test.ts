/** The laws of model hooks. The models here are small real ones: an interface of two functions needs no double. */
import { expect, test } from 'vitest';
import { type Call, DEFAULT_LIMITS, DEFAULT_PERMITS } from '../../../src/core/contracts/handler.ts';
import type { JudgeQuestion } from '../../../src/core/contracts/judge.ts';
import { NOT_NESTED } from '../../../src/core/contracts/nesting.ts';
import type { JsonObject } from '../../../src/core/values/json.ts';
import { type Model, modelHandlers, type Question } from '../../../src/handlers/model.ts';

function ask(type: 'prompt' | 'agent', model: Model | undefined, config: JsonObject, options: Partial<Call> = {}) {
  const handler = modelHandlers(model).find((candidate) => candidate.type === type);
  if (handler === undefined) throw new Error(type);
  return handler.handle(callOf(type, config, options));
}

function callOf(type: 'prompt' | 'agent', config: JsonObject, options: Partial<Call> = {}): Call {
  return {
    hook: {
      id: 'h',
      name: 'h',
      dialect: 'd',
      event: 'E',
      when: [],
      handler: { type, config },
      timeoutMs: 1000,
      priority: 0,
      detach: false,
      enabled: true,
      source: { file: '/f', scope: 'user' },
    },
    payload: { tool: 'Bash' },
    ask: {
      timeout: { unit: 'ms', fallbackMs: 1000 },
      command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: [] },
      http: { redirects: 0 },
      judge: { answers: ['ok'], also: [] },
    },
    cwd: '/',
    timeoutMs: 5000,
    limits: DEFAULT_LIMITS,
    permits: DEFAULT_PERMITS,
    nesting: NOT_NESTED,
    ...options,
  };
}

const NOTE = { model: 'm', digest: 'sha256:1', cached: false, inputTokens: 1, outputTokens: 2 };

const asked: Question[] = [];
const yes: Model = {
  judge: async (question) => {
    asked.push(question);
    return { ok: true };
  },
  verify: async (question) => {
    asked.push(question);
    return '{"ok": false, "reason": "no"}';
  },
};

test('the verdict of the model is the value, and the model is shown the prompt, the payload and the agent', async () => {
  expect(await ask('prompt', yes, { prompt: 'safe?' })).toEqual({ kind: 'value', value: { ok: true } });
  expect(await ask('agent', yes, { agent: 'auditor' })).toEqual({ kind: 'value', value: { ok: false, reason: 'no' } });
  expect(asked.slice(-2)).toMatchObject([
    { prompt: 'safe?', payload: { tool: 'Bash' } },
    { agent: 'auditor', prompt: '' },
  ]);
});

test('an answer that is no verdict is a fault, and a refusal in it is kept', async () => {
  expect(await ask('prompt', { judge: async () => ({ ok: 'true' }) }, {})).toMatchObject({ fault: 'malformed' });
  expect(await ask('prompt', { judge: async () => undefined }, {})).toMatchObject({ fault: 'malformed' });
  expect(await ask('prompt', { judge: async () => ({ ok: false, more: 1 }) }, {})).toMatchObject({
    ...{ fault: 'malformed', reply: { kind: 'value', value: { ok: false } } },
  });
});

test('the payload takes the place of the mark of the format', async () => {
  await ask('prompt', yes, { prompt: 'Is $ARGUMENTS safe?', arguments: '$ARGUMENTS' });
  expect(asked.at(-1)?.prompt).toBe('Is {"tool":"Bash"} safe?');
});

test('without a model, or without the ability, the hook is unavailable and says what to do', async () => {
  const advice = { kind: 'fault', fault: 'unavailable', detail: 'No model has been configured; give createHookline a `model`.' };
  expect(await ask('prompt', undefined, { prompt: 'x' })).toEqual(advice);
  expect(await ask('agent', undefined, { agent: 'x' })).toEqual(advice);
  expect(await ask('agent', { judge: yes.judge }, { agent: 'x' })).toMatchObject({
    fault: 'unavailable',
    detail: expect.stringContaining('verify'),
  });
  expect(await ask('agent', yes, {})).toMatchObject({ fault: 'unavailable', detail: expect.stringContaining('name an agent') });
});

test('without a model of the program the judge is asked, with the rule, the mark and the ids of the call', async () => {
  const questions: JudgeQuestion[] = [];
  const answers = async (question: JudgeQuestion) => {
    questions.push(question);
    return { kind: 'value', value: { ok: true }, judged: NOTE } as const;
  };
  const [prompt, agent] = modelHandlers(undefined, async () => ({ ask: answers }));
  const event = { session: { id: 's-1', cwd: '/' }, data: { toolUseId: 't-1' } } as unknown as NonNullable<Call['event']>;
  const config = { prompt: 'Only read.', instructions: 'You review.', arguments: '$X', agent: 'a' };
  expect(await prompt?.handle(callOf('prompt', config, { event }))).toEqual({ kind: 'value', value: { ok: true }, judged: NOTE });
  await agent?.handle(callOf('agent', config, { event }));
  expect(questions).toMatchObject([
    { kind: 'prompt', rule: 'You review.\n\nOnly read.', mark: '$X', ids: ['s-1', 't-1'], session: 's-1', event: 'E', dialect: 'd' },
    { kind: 'agent', mark: '$X' },
  ]);
  expect(await agent?.handle(callOf('agent', { agent: 'empty' }))).toMatchObject({
    fault: 'unavailable',
    detail: expect.stringContaining('`empty`'),
  });
});

test('a judge that is too late is a fault with the cost that is known by then', async () => {
  const never = (question: JudgeQuestion): Promise<never> => {
    question.note(NOTE);
    return new Promise(() => {});
  };
  const [prompt] = modelHandlers(undefined, async () => ({ ask: never }));
  expect(await prompt?.handle(callOf('prompt', { prompt: 'x' }, { timeoutMs: 30 }))).toMatchObject({ fault: 'timeout', judged: NOTE });
});

test('a model that throws, now or later, is fault `threw`', async () => {
  const judge = () => {
    throw new Error('quota');
  };
  expect(await ask('prompt', { judge }, {})).toEqual({ kind: 'fault', fault: 'threw', detail: 'quota' });
  expect(await ask('prompt', { judge: async () => judge() }, {})).toEqual({ kind: 'fault', fault: 'threw', detail: 'quota' });
});

test('a timeout and an abort end the wait, and the model is told', async () => {
  const signals: AbortSignal[] = [];
  const judge = ({ signal }: Question) => {
    signals.push(signal);
    return new Promise(() => {});
  };
  expect(await ask('prompt', { judge }, {}, { timeoutMs: 30 })).toMatchObject({ fault: 'timeout' });
  const controller = new AbortController();
  const answer = ask('prompt', { judge }, {}, { signal: controller.signal });
  controller.abort();
  expect(await answer).toMatchObject({ fault: 'cancelled' });
  expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
  expect(await ask('prompt', { judge }, {}, { signal: controller.signal })).toMatchObject({ fault: 'cancelled' });
  expect(signals).toHaveLength(2);
});
