/** An entry names the set of hooks that judged the event, whatever happened between the judgement and the entry. */
import { expect, test } from 'vitest';
import type { Recorder } from '../../../../src/engine/record/recorder.ts';
import { event, hook, smallEngine } from '../../../flows/engine/small-engine.ts';

function notingRecorder() {
  const digests: string[] = [];
  const recorder: Recorder = {
    record: (_, outcome, set) => {
      digests.push(set());
      return outcome;
    },
    recordsAll: false,
    failures: 0,
  };
  return { digests, recorder };
}

const named = (name: string) => [hook(`a/${name}`, () => undefined)];
const before = (id: string) => ({ ...event('tool.before'), id });

test('an outcome that is recorded at once has the digest of the set in force', async () => {
  const { digests, recorder } = notingRecorder();
  const engine = smallEngine(named('one'), { recorder });
  await engine.fire(before('1'));
  engine.use(named('two'));
  await engine.fire(before('2'));
  engine.use(named('one'));
  await engine.fire(before('3'));
  const [first, second, third] = digests;
  expect(first).not.toBe(second);
  expect(third).toBe(first);
});

test('outcomes that are recorded after a reload have the digest of the set that judged them, in any order', async () => {
  const { digests, recorder } = notingRecorder();
  const engine = smallEngine(named('one'), { recorder });
  const judged = [before('1'), before('2'), before('3')].map((one) => ({ one, outcome: engine.judge(one) }));
  engine.use(named('two'));
  const last = before('4');
  const outcome = engine.judge(last);
  for (const { one, outcome: early } of [judged[1], judged[2], judged[0]] as typeof judged) await engine.record(one, await early);
  await engine.record(last, await outcome);
  const [, , first, fourth] = digests;
  expect(new Set(digests.slice(0, 3))).toEqual(new Set([first]));
  expect(fourth).not.toBe(first);
});

test('an outcome that is recorded after a reload, as the last event that was judged, has the digest of its set', async () => {
  const { digests, recorder } = notingRecorder();
  const engine = smallEngine(named('one'), { recorder });
  await engine.fire(before('1'));
  const one = before('2');
  const outcome = await engine.judge(one);
  engine.use(named('two'));
  await engine.record(one, outcome);
  expect(digests[1]).toBe(digests[0]);
});
