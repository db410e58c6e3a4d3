/** Arbitrary decisions, effects and verdicts. Texts are trimmed and not empty: that is all any format can carry. */
import fc from 'fast-check';
import type { Decision, Effect, Grant, Verdict } from '../../../src/core/decision/decision.ts';
import { type EventKind, kindRule } from '../../../src/core/event/event.ts';
import type { JsonObject } from '../../../src/core/values/json.ts';

export const ALL_GRANTS: readonly Grant[] = [
  'allow',
  'ask',
  'hold',
  'deny',
  'rewrite',
  'context',
  'notice',
  'replace',
  'continue',
  'halt',
  'quiet',
];

export const text = fc
  .string({ unit: 'binary', maxLength: 40 })
  .map((value) => value.trim())
  .filter((value) => value !== '');

/** JSON as it comes over a wire: keys such as `__proto__` included, and no negative zero. */
export const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));
export const jsonObject = fc.dictionary(fc.oneof(fc.string({ maxLength: 8 }), fc.constant('__proto__')), json, {
  maxKeys: 5,
}) as fc.Arbitrary<JsonObject>;

export const decision: fc.Arbitrary<Decision> = fc.oneof(
  fc.constant({ kind: 'pass' } as const),
  fc.constant({ kind: 'allow' } as const),
  text.map((reason) => ({ kind: 'allow', reason }) as const),
  text.map((reason) => ({ kind: 'ask', reason }) as const),
  text.map((reason) => ({ kind: 'hold', reason }) as const),
  text.map((reason) => ({ kind: 'deny', reason }) as const),
);

export function effect(kind: EventKind): fc.Arbitrary<Effect> {
  const rewritten = kindRule(kind).rewrites?.type === 'text' ? text : jsonObject;
  return fc.oneof(
    rewritten.map((value) => ({ kind: 'rewrite', value }) as const),
    text.map((said) => ({ kind: 'context', text: said }) as const),
    text.map((said) => ({ kind: 'context', text: said, at: 'start' }) as const),
    text.map((said) => ({ kind: 'notice', text: said }) as const),
    text.map((value) => ({ kind: 'replace', value }) as const),
    text.map((said) => ({ kind: 'continue', with: said }) as const),
    text.map((reason) => ({ kind: 'halt', reason }) as const),
    fc.constant({ kind: 'quiet' } as const),
  );
}

export function verdict(kind: EventKind, grants: readonly Grant[] = ALL_GRANTS): fc.Arbitrary<Verdict> {
  const granted = (word: string): boolean => word === 'pass' || (grants as readonly string[]).includes(word);
  const effects = fc.array(effect(kind), { maxLength: 4 }).map((list) => list.filter((one) => granted(one.kind)));
  return fc.record({ decision: decision.map((said) => (granted(said.kind) ? said : ({ kind: 'pass' } as const))), effects });
}
