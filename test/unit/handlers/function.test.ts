/** The laws of function hooks: what they return is the value, at once where they answer at once. */
import { expect, test } from 'vitest';
import { type Call, DEFAULT_LIMITS, DEFAULT_PERMITS } from '../../../src/core/contracts/handler.ts';
import type { Hook } from '../../../src/core/contracts/hook.ts';
import { NOT_NESTED } from '../../../src/core/contracts/nesting.ts';
import { customHandler, functionHandler } from '../../../src/handlers/function.ts';

function callOf(run: Hook['run'] | undefined, options: Partial<Call> = {}): Call {
  return {
    hook: {
      id: 'h',
      name: 'h',
      dialect: 'd',
      event: 'E',
      when: [],
      handler: { type: 'function', config: { level: 3 } },
      timeoutMs: 1000,
      priority: 0,
      detach: false,
      enabled: true,
      source: { file: '/f', scope: 'runtime' },
      ...(run ? { run } : {}),
    },
    payload: { tool: 'Bash' },
    ask: {
      timeout: { unit: 'ms', fallbackMs: 1000 },
      command: { launch: 'shell', input: 'stdin', json: 'compact', capture: 'split', environment: [] },
      http: { redirects: 0 },
      judge: null,
    },
    cwd: '/',
    timeoutMs: 5000,
    limits: DEFAULT_LIMITS,
    permits: DEFAULT_PERMITS,
    nesting: NOT_NESTED,
    ...options,
  };
}

test('a function that answers at once is answered for at once', () => {
  expect(functionHandler.handle(callOf((payload, { hook }) => [payload['tool'], hook.name]))).toEqual({
    kind: 'value',
    value: ['Bash', 'h'],
  });
  expect(functionHandler.handle(callOf(() => undefined))).toEqual({ kind: 'value', value: undefined });
});

test('a promise is awaited, and so is anything else with `then`', async () => {
  expect(await functionHandler.handle(callOf(async () => 'later'))).toEqual({ kind: 'value', value: 'later' });
  // biome-ignore lint/suspicious/noThenProperty: a thenable that is no promise is what is tested.
  expect(await functionHandler.handle(callOf(() => ({ then: (done: (value: string) => void) => done('odd') })))).toEqual({
    kind: 'value',
    value: 'odd',
  });
});

test('a throw and a rejection are fault `threw` with the message', async () => {
  const boom = () => {
    throw new Error('boom');
  };
  expect(functionHandler.handle(callOf(boom))).toEqual({ kind: 'fault', fault: 'threw', detail: 'boom' });
  expect(await functionHandler.handle(callOf(async () => boom()))).toEqual({ kind: 'fault', fault: 'threw', detail: 'boom' });
});

test.each([
  ['a string', 'text', 'text'],
  ['nothing', undefined, 'undefined'],
  ['an object without a prototype', Object.create(null), 'threw a value that cannot be printed'],
  ['an error without a message', new TypeError(), 'TypeError'],
])('whatever is thrown, it is a fault: %s', (_, thrown, detail) => {
  const answer = functionHandler.handle(
    callOf(() => {
      throw thrown;
    }),
  );
  expect(answer).toEqual({ kind: 'fault', fault: 'threw', detail });
});

test('a thenable that throws or misbehaves is a fault, not an exception', async () => {
  const thenable = (then: unknown) => callOf(() => ({ then }));
  const throwing = () => {
    throw new Error('then');
  };
  expect(await functionHandler.handle(thenable(throwing))).toMatchObject({ fault: 'threw', detail: 'then' });
  const trap = new Proxy({}, { has: throwing, get: throwing });
  expect(functionHandler.handle(callOf(() => trap))).toMatchObject({ fault: 'threw' });
});

test('a promise that does not settle in time is fault `timeout`, and the function can know', async () => {
  let signal: AbortSignal | undefined;
  const run: Hook['run'] = (_, context) => {
    signal = context.signal;
    return new Promise(() => {});
  };
  expect(await functionHandler.handle(callOf(run, { timeoutMs: 50 }))).toEqual({
    kind: 'fault',
    fault: 'timeout',
    countsAs: 'threw',
    detail: 'did not answer within 50 ms',
  });
  expect(signal?.aborted).toBe(true);
});

test('a function that looks at its signal only when it is too late sees that it is', async () => {
  let late: boolean | undefined;
  const run: Hook['run'] = async (_, context) => {
    await new Promise((resolve) => setTimeout(resolve, 150));
    late = context.signal.aborted;
  };
  expect(await functionHandler.handle(callOf(run, { timeoutMs: 20 }))).toMatchObject({ fault: 'timeout' });
  await expect.poll(() => late).toBe(true);
});

test('an abort is fault `cancelled`, and the function can know', async () => {
  const controller = new AbortController();
  let heard = false;
  const run: Hook['run'] = (_, { signal }) => {
    signal.addEventListener('abort', () => {
      heard = true;
    });
    return new Promise(() => {});
  };
  const answer = functionHandler.handle(callOf(run, { signal: controller.signal }));
  controller.abort();
  expect(await answer).toMatchObject({ fault: 'cancelled' });
  expect(heard).toBe(true);
});

test('a call that is given up while the function is being called is `cancelled`', async () => {
  const controller = new AbortController();
  const run = () => {
    controller.abort();
    return new Promise(() => {});
  };
  expect(await functionHandler.handle(callOf(run, { signal: controller.signal }))).toMatchObject({ fault: 'cancelled' });
});

test('an aborted call is not made', () => {
  let called = false;
  const run = () => {
    called = true;
  };
  expect(functionHandler.handle(callOf(run, { signal: AbortSignal.abort() }))).toMatchObject({ fault: 'cancelled' });
  expect(customHandler('x', run).handle(callOf(undefined, { signal: AbortSignal.abort() }))).toMatchObject({ fault: 'cancelled' });
  expect(called).toBe(false);
});

test('an answer in time leaves the signal alone, and a late rejection disturbs nobody', async () => {
  let signal: AbortSignal | undefined;
  const controller = new AbortController();
  const quick: Hook['run'] = async (_, context) => {
    signal = context.signal;
  };
  await functionHandler.handle(callOf(quick, { signal: controller.signal }));
  controller.abort();
  expect(signal?.aborted).toBe(false);
  let fail: (error: Error) => void = () => {};
  const slow = () =>
    new Promise((_, reject) => {
      fail = reject;
    });
  expect(await functionHandler.handle(callOf(slow, { timeoutMs: 20 }))).toMatchObject({ fault: 'timeout' });
  fail(new Error('late'));
  // A rejection that nobody handles is reported before the next turn of the loop.
  await new Promise((resolve) => setImmediate(resolve));
});

test('a limit of weeks is not a limit of nothing', async () => {
  const run = () => new Promise((resolve) => setTimeout(resolve, 50, 'ok'));
  expect(await functionHandler.handle(callOf(run, { timeoutMs: 2 ** 40 }))).toEqual({ kind: 'value', value: 'ok' });
});

test('a hook without a function can not be served', () => {
  expect(functionHandler.handle(callOf(undefined))).toMatchObject({ kind: 'fault', fault: 'unavailable' });
});

test('a custom type gets the configuration and the event, under the same rules', async () => {
  const handler = customHandler('mine', (config, context) => [config['level'], context['tool']]);
  expect(handler.type).toBe('mine');
  expect(handler.handle(callOf(undefined))).toEqual({ kind: 'value', value: [3, 'Bash'] });
  const boom = customHandler('boom', () => {
    throw new Error('no');
  });
  expect(boom.handle(callOf(undefined))).toMatchObject({ fault: 'threw', detail: 'no' });
  const never = customHandler('never', () => new Promise(() => {}));
  expect(await never.handle(callOf(undefined, { timeoutMs: 30 }))).toMatchObject({ fault: 'timeout' });
});
