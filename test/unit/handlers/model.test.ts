/** The laws of model hooks. The models here are small real ones: an interface of two functions needs no double. */
import { expect, test } from 'vitest';
import { type Call, DEFAULT_LIMITS, DEFAULT_PERMITS } from '../../../src/core/contracts/handler.ts';
import { NOT_NESTED } from '../../../src/core/contracts/nesting.ts';
import type { JsonObject } from '../../../src/core/values/json.ts';
import { type Model, modelHandlers, type Question } from '../../../src/handlers/model.ts';

function ask(type: 'prompt' | 'agent', model: Model | undefined, config: JsonObject, options: Partial<Call> = {}) {
  const handler = modelHandlers(model).find((candidate) => candidate.type === type);
  if (handler === undefined) throw new Error(type);
  return handler.handle({
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
  });
}

const echo: Model = {
  judge: async ({ prompt, payload }) => ({ prompt, payload }),
  verify: async ({ agent, prompt }) => ({ agent, prompt }),
};

test('what the model returns is the value, uninterpreted', async () => {
  expect(await ask('prompt', echo, { prompt: 'safe?' })).toEqual({ kind: 'value', value: { prompt: 'safe?', payload: { tool: 'Bash' } } });
  expect(await ask('agent', echo, { agent: 'auditor' })).toEqual({ kind: 'value', value: { agent: 'auditor', prompt: '' } });
});

test('without a model, or without the ability, the hook is unavailable and says what to do', async () => {
  const advice = { kind: 'fault', fault: 'unavailable', detail: 'No model has been configured; give createHookline a `model`.' };
  expect(await ask('prompt', undefined, { prompt: 'x' })).toEqual(advice);
  expect(await ask('agent', undefined, { agent: 'x' })).toEqual(advice);
  expect(await ask('agent', { judge: echo.judge }, { agent: 'x' })).toMatchObject({
    fault: 'unavailable',
    detail: expect.stringContaining('verify'),
  });
  expect(await ask('agent', echo, {})).toMatchObject({ fault: 'unavailable', detail: expect.stringContaining('name an agent') });
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
