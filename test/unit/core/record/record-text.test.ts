import fc from 'fast-check';
import { test } from 'vitest';
import type { LogRecord } from '../../../../src/core/record/decision-record.ts';
import { recordText } from '../../../../src/core/record/decision-record.ts';
import { canonicalJson } from '../../../../src/core/values/digest.ts';

const any = fc.jsonValue({ maxDepth: 1 });
const keys = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, any]));
const mostly = (usual: fc.Arbitrary<unknown>) => fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: any, weight: 1 });
const inAnyOrder = <T extends object>(object: T): T => Object.fromEntries(Object.entries(object).reverse()) as T;

/** An object with these keys. Now and then one is missing, undefined or another one, or there is one more. */
const about = (given: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc
    .tuple(fc.record(given), fc.constantFrom(...Object.keys(given)), fc.constantFrom('usual', 'missing', 'undefined', 'more', 'other'), any)
    .map(([object, key, change, value]): object => {
      const { [key]: _, ...rest } = object;
      if (change === 'usual') return inAnyOrder(object);
      if (change === 'missing') return rest;
      if (change === 'undefined') return { ...object, [key]: undefined };
      return change === 'more' ? { ...object, more: value } : { ...rest, other: value };
    });

const report = fc
  .tuple(about(keys('decision dialect event handler id ms name source status')), fc.record(keys('exit reason'), { requiredKeys: [] }))
  .map(([usual, more]) => ({ ...usual, ...more }));
const hooks = mostly(fc.array(mostly(report), { maxLength: 3 }));
const outcome = about({ ...keys('context contextSources diagnostics notices quiet unmatched'), hooks });
const required = 'at data decision id kind masked ms reason root session ticket tool';
const digests = fc.record(keys('event hooks input'), { requiredKeys: ['event', 'hooks'] }).map(inAnyOrder);
const record = fc
  .tuple(fc.record({ ...keys(required), digests, outcome: mostly(outcome) }), fc.record(keys('actor cut who'), { requiredKeys: [] }))
  .map(([usual, more]) => ({ ...usual, ...more }));

test('the text of a record is its canonical JSON, whatever keys its parts have', () => {
  const isCanonical = (given: unknown) => recordText(given as LogRecord) === canonicalJson(given);
  fc.assert(fc.property(record, isCanonical), { numRuns: 500 });
});
