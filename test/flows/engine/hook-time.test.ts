import { expect, test } from 'vitest';
import type { Condition } from '../../../src/core/contracts/hook.ts';
import type { JsonObject } from '../../../src/core/values/json.ts';
import { event, hook, smallDialect, smallEngine } from './small-engine.ts';

/** A clock that goes on only when it is told to, and that counts the looks at it. */
function handClock() {
  const clock = {
    ...{ at: 0, looks: 0, iso: () => '2025-01-01T00:00:00.000Z', now: () => 0 },
    tick() {
      clock.looks++;
      return clock.at;
    },
    goOn(ms: number): undefined {
      clock.at += ms;
    },
  };
  return clock;
}

const when = (facet: Condition['facet'], source: string): Condition => ({
  facet,
  test: { kind: 'pattern', source, flags: '', anchor: 'search' },
  missing: 'fails',
});

test('the time of a function is not that of the search for it', () => {
  const clock = handClock();
  const engine = smallEngine([hook('a/slow', () => clock.goOn(3), { when: [when('input', 'ls')] })], { ports: { clock } });
  const searched = (): JsonObject => {
    let reads = 0;
    const data = { tool: 'Bash' };
    // The search is the first to read it.
    const input = () => {
      if (reads++ === 0) clock.goOn(1000);
      return { command: 'ls' };
    };
    return Object.defineProperty(data, 'input', { get: input, enumerable: true });
  };
  for (let i = 0; i < 4; i++) {
    expect(engine.judge(event('tool.before', searched()), {}, clock.at)).toMatchObject({ hooks: [{ status: 'answered', ms: 3 }] });
  }
});

test('the time of a function begins with the tick of the caller if the names of the event were seen before', () => {
  const clock = handClock();
  const engine = smallEngine([hook('a/quick', () => clock.goOn(3), { when: [when('tool', 'Bash')] })], { ports: { clock } });
  const looks: number[] = [];
  for (let i = 0; i < 5; i++) {
    const before = clock.looks;
    expect(engine.judge(event('tool.before'), {}, clock.at)).toMatchObject({ hooks: [{ status: 'answered', ms: 3 }] });
    looks.push(clock.looks - before);
  }
  // The first two events search: one hook by hook, one by the new index.
  expect(looks).toEqual([2, 2, 1, 1, 1]);
});

test('the time of a function is not that of the notes before it', () => {
  const clock = handClock();
  const stopCounts = { get: () => 0, raise: () => undefined, has: () => false, clear: () => clock.goOn(1000) };
  const { profile, ...dialect } = smallDialect('a');
  const prompt = { kinds: ['prompt.submit'], run: 'sequence', grants: ['deny'], facet: null } as const;
  const dialects = [{ ...dialect, profile: { ...profile, events: { prompt } } }];
  const engine = smallEngine([hook('a/prompt', () => undefined, { event: 'prompt' })], { dialects, ports: { clock, stopCounts } });
  for (let i = 0; i < 4; i++) {
    const judged = engine.judge(event('prompt.submit', { prompt: 'hello' }), {}, clock.at);
    expect(judged).toMatchObject({ hooks: [{ status: 'answered', ms: 0 }] });
  }
});
