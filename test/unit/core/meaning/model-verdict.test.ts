/** The verdict of a model: what is exactly one, and that everything else is a problem, never consent. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MOST_REASON, readModelVerdict } from '../../../../src/core/meaning/model-verdict.ts';

const OK = { answers: ['ok'], also: ['impossible'] } as const;
const BOTH = { answers: ['ok', 'decision'], also: [] } as const;

test.each([
  [{ ok: true }, OK],
  [{ ok: false, reason: 'no' }, OK],
  [{ ok: true, reason: null }, OK],
  [{ ok: false, reason: '', impossible: true }, OK],
  [{ decision: 'block', reason: 'no' }, BOTH],
  [{ ok: true, decision: 'allow' }, BOTH],
] as const)('%j is a verdict, as an object and as its text', (value, form) => {
  expect(readModelVerdict(value, form)).toEqual({ verdict: value });
  expect(readModelVerdict(JSON.stringify(value), form)).toEqual({ verdict: value });
  expect(readModelVerdict(`\n ${JSON.stringify(value, null, 2)}\n`, form)).toEqual({ verdict: value });
});

test.each([
  [undefined, 'found nothing'],
  [null, 'found nothing'],
  ['null', 'found nothing'],
  [0, 'found 0'],
  ['0', 'found 0'],
  ['true', 'found true'],
  [true, 'found true'],
  [[{ ok: true }], 'found a list'],
  [{}, 'has no `ok`'],
  [{ ok: 'false' }, '`ok` in the answer must be true or false, found "false"'],
  [{ ok: 'true' }, 'found "true"'],
  [{ ok: 0 }, 'found 0'],
  [{ ok: null }, 'found nothing'],
  [{ ok: true, reason: 42 }, '`reason` in the answer must be text, found 42'],
  [{ ok: true, reason: 'x'.repeat(MOST_REASON + 1) }, 'at most 2000'],
  [{ ok: true, verdict: 'deny' }, 'the key `verdict`'],
  [{ decision: 'allow' }, 'has no `ok`'],
  ['', 'is not JSON'],
  ['It looks fine.', 'is not JSON: It looks fine.'],
  ['```json\n{"ok": true}\n```', 'is not JSON'],
  ['{"ok": tr', 'is not JSON'],
  ['{"ok": true} {"ok": false}', 'is not JSON'],
  ['{"ok": true, "ok": true}', 'a key twice'],
  [() => ({ ok: true }), 'found nothing'],
])('%j is a problem that says what it is', (answer, says) => {
  expect(readModelVerdict(answer, OK)).toEqual({ problem: expect.stringContaining(says), refuses: false });
});

test.each([
  [{ ok: false, reason: 42 }, OK],
  [{ ok: false, more: 1 }, OK],
  [{ ok: false, reason: 'x'.repeat(MOST_REASON + 1) }, OK],
  [{ ok: true, decision: 'deny' }, BOTH],
  [{ ok: 'x', decision: 'block' }, BOTH],
  ['{"ok": false, "ok": true}', OK],
] as const)('%j is no verdict, and its refusal is not lost', (answer, form) => {
  expect(readModelVerdict(answer, form)).toMatchObject({ refuses: true });
});

test('only an object whose `ok` is true consents, whatever else there is', () => {
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.json(), fc.string(), fc.record({ ok: fc.jsonValue() })), (answer) => {
      const read = readModelVerdict(answer, OK);
      if ('problem' in read) return;
      const value: unknown = typeof answer === 'string' ? JSON.parse(answer) : answer;
      expect(value).toMatchObject({ ok: read.verdict['ok'] as boolean });
      expect([true, false]).toContain(read.verdict['ok']);
    }),
  );
});
