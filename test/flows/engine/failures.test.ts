/** Three things that are never confused: the hook said no, the hook could not be asked, we have a bug. */
import { describe, expect, test } from 'vitest';
import type { Handler } from '../../../src/core/contracts/handler.ts';
import { functionHandler } from '../../../src/handlers/function.ts';
import { deny, event, hook, smallEngine } from './small-engine.ts';

const broken: Readonly<Record<string, Handler['handle']>> = {
  throws: () => {
    throw new Error('wires crossed');
  },
  rejects: () => Promise.reject(new Error('wires crossed')),
};

describe.each(Object.keys(broken))('a part of ours that %s', (way) => {
  const ports = { handlers: new Map([['function', { ...functionHandler, handle: broken[way] as Handler['handle'] }]]) };

  test('denies before something happens, and is named as the cause', async () => {
    const outcome = await smallEngine([hook('a/h', () => undefined)], { ports }).fire(event('tool.before'));
    expect(outcome).toMatchObject({ decision: 'deny', reason: 'Hookline itself failed: wires crossed' });
    expect(outcome.diagnostics).toMatchObject([{ severity: 'error', code: 'internal' }]);
  });

  test('denies nothing afterwards, and is named as well', async () => {
    const outcome = await smallEngine([hook('a/h', () => undefined, { event: 'watch' })], { ports }).fire(event('tool.after'));
    expect(outcome).toMatchObject({ decision: 'pass', reason: null });
    expect(outcome.diagnostics).toMatchObject([{ severity: 'error', code: 'internal' }]);
  });
});

test('a trust check that fails denies before something happens', async () => {
  const { run: _, ...fromFile } = hook('a/file', () => undefined);
  for (const admit of [() => Promise.reject(new Error('no disk')), broken['throws'] as never]) {
    const outcome = await smallEngine([fromFile], { ports: { admit } }).fire(event('tool.before'));
    expect(outcome).toMatchObject({ decision: 'deny', diagnostics: [{ code: 'internal' }] });
  }
});

describe('a hook that can not be asked', () => {
  const throws = (): never => {
    throw new Error('typo');
  };

  test('is reported as a fault, not as an answer', async () => {
    const outcome = await smallEngine([hook('a/h', throws)]).fire(event('tool.before'));
    expect(outcome).toMatchObject({ decision: 'pass', hooks: [{ status: 'faulted', fault: { kind: 'threw', detail: 'typo' } }] });
  });

  test('denies under strict, engine-wide or of its own, and the reason says that it could not be asked', async () => {
    const wide = await smallEngine([hook('a/h', throws)], { settings: { strict: true } }).fire(event('tool.before'));
    const own = await smallEngine([hook('a/h', throws, { strict: true })]).fire(event('tool.before'));
    for (const outcome of [wide, own])
      expect(outcome).toMatchObject({ decision: 'deny', reason: expect.stringMatching("^Hook 'a/h' threw: typo") });
  });

  test('denies nothing where nothing can be denied, strict or not', async () => {
    const engine = smallEngine([hook('a/h', throws, { event: 'watch', strict: true })], { settings: { strict: true } });
    expect((await engine.fire(event('tool.after'))).decision).toBe('pass');
  });

  test('does not silence the hooks after it', async () => {
    const outcome = await smallEngine([hook('a/1', throws), hook('a/2', () => deny('heard'))]).fire(event('tool.before'));
    expect(outcome.reason).toBe('heard');
  });

  test('of a type nobody handles is fault `unavailable`', async () => {
    const outcome = await smallEngine([hook('a/h', () => undefined, { handler: { type: 'carrier-pigeon', config: {} } })]).fire(
      event('tool.before'),
    );
    expect(outcome.hooks).toMatchObject([{ status: 'faulted', fault: { kind: 'unavailable' } }]);
  });
});
