/** Detached hooks: not awaited, started only once nobody objects, drained on close. */
import { existsSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { createClock } from '../../../src/api/clock.ts';
import { createBackground } from '../../../src/engine/ask/background.ts';
import type { DetachedEnd } from '../../../src/engine/ports.ts';
import { NATIVE } from '../../support/native-hooks.ts';
import { createWorkspace } from '../../support/workspace.ts';
import { callLog, deny, event, hold, hook, smallEngine } from './small-engine.ts';

const detach = { detach: true };

describe('a detached hook', () => {
  test('starts after all others have answered, and nobody waits for it', async () => {
    const { calls, says } = callLog();
    const never = hook('a/later', (payload, context) => says('later')(payload, context) ?? new Promise(() => {}), detach);
    const outcome = await smallEngine([never, hook('b/now', says('now'))]).fire(event('tool.before'));
    await Promise.resolve();
    expect(outcome.decision).toBe('pass');
    expect(calls).toEqual(['now ls', 'later ls']);
    expect(outcome.hooks.map(({ name, status }) => `${name} ${status}`)).toEqual(['b/now answered', 'a/later detached']);
  });

  test.each([
    { said: deny(), skip: 'the action was denied' },
    { said: hold(), skip: 'the action was held' },
  ])('does not start where $skip', async ({ said, skip }) => {
    const { calls, says } = callLog();
    const engine = smallEngine([hook('a/later', says('later'), detach), hook('b/gate', () => said)]);
    const outcome = await engine.fire(event('tool.before'));
    await engine.close(1000);
    expect(calls).toEqual([]);
    expect(outcome.hooks.at(-1)).toMatchObject({ name: 'a/later', status: 'skipped', skip });
  });

  test('can say no, throw or answer nonsense without changing anything', async () => {
    const ends: DetachedEnd[] = [];
    const background = createBackground(createClock(), (end) => ends.push(end));
    const throws = (): never => {
      throw new Error('boom');
    };
    const engine = smallEngine([hook('a/no', () => deny(), detach), hook('a/throws', throws, detach)], { ports: { background } });
    expect((await engine.fire(event('tool.before'))).decision).toBe('pass');
    expect(await engine.close(5000)).toEqual([]);
    expect(ends.map(({ hook: { name }, answer }) => `${name} ${answer.kind}`)).toEqual(['a/no value', 'a/throws fault']);
  });

  test('keeps its timeout', async () => {
    const ends: DetachedEnd[] = [];
    const background = createBackground(createClock(), (end) => ends.push(end));
    const engine = smallEngine([hook('a/hangs', () => new Promise(() => {}), { ...detach, timeoutMs: 50 })], { ports: { background } });
    await engine.fire(event('tool.before'));
    expect(await engine.close(10_000)).toEqual([]);
    expect(ends).toMatchObject([{ answer: { kind: 'fault', fault: 'timeout' } }]);
  });

  test('is waited for on close, and named if it never settles', async () => {
    let finished = false;
    const work = async (): Promise<undefined> => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      finished = true;
    };
    const slow = hook('a/slow', work, detach);
    const patient = smallEngine([slow]);
    await patient.fire(event('tool.before'));
    expect(finished).toBe(false);
    expect(await patient.close(10_000)).toEqual([]);
    expect(finished).toBe(true);

    const hasty = smallEngine([hook('a/hangs', () => new Promise(() => {}), detach)]);
    await hasty.fire(event('tool.before'));
    expect(await hasty.close(20)).toEqual(['a/hangs']);
  });

  test('is not run if it is not admitted', async () => {
    const { calls, says } = callLog();
    const command = { ...detach, handler: { type: 'function', config: {} } };
    const { run: _, ...fromFile } = hook('a/file', says('file'), command);
    const admit = () => ({ admitted: false, cause: 'untrusted', skipReason: 'untrusted', fix: 'Trust it.', diagnostics: [] }) as const;
    const outcome = await smallEngine([fromFile], { ports: { admit } }).fire(event('tool.before'));
    expect(outcome.hooks).toMatchObject([{ status: 'skipped', skip: 'untrusted' }]);
    expect(calls).toEqual([]);
  });

  test('of an event that always detaches runs too', async () => {
    const { calls, says } = callLog();
    const engine = smallEngine([hook('a/tick', says('tick'), { event: 'later' })]);
    const outcome = await engine.fire(event('heartbeat', {}));
    await engine.close(5000);
    expect(outcome.hooks).toMatchObject([{ status: 'detached' }]);
    expect(calls).toEqual(['tick']);
  });
});

test('a closed engine fires no more', async () => {
  const engine = smallEngine([]);
  await engine.close(10);
  await expect(engine.fire(event('tool.before'))).rejects.toMatchObject({ code: 'closed' });
});

test('a command in the background does its work after the answer was given', async () => {
  const workspace = createWorkspace();
  const mark = workspace.at('mark');
  workspace.write(NATIVE['hooktoml']?.({ event: 'on_after_tool_call', command: `sleep 0.3; touch '${mark}'` }) ?? {});
  const hookline = await workspace.open();
  const outcome = await hookline.fire('tool.after', { tool: 'Bash', input: {}, result: 'ok' });
  expect(outcome.hooks).toMatchObject([{ status: 'detached' }]);
  expect(existsSync(mark)).toBe(false);
  await vi.waitFor(() => expect(existsSync(mark)).toBe(true), { timeout: 15_000 });
});
