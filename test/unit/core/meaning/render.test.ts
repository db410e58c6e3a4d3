/** A verdict is rendered as a script would print it: as JSON if the format has it, else as an exit code, else not at all. */
import { describe, expect, test } from 'vitest';
import type { Dialect } from '../../../../src/core/contracts/dialect.ts';
import type { Effect, Verdict } from '../../../../src/core/decision/decision.ts';
import type { ExitRow, Meaning, PlainMeaning } from '../../../../src/core/meaning/profile.ts';
import { render } from '../../../../src/core/meaning/render.ts';

const PASS: Verdict = { decision: { kind: 'pass' }, effects: [] };
const DENIED: Verdict = { decision: { kind: 'deny', reason: 'no' }, effects: [] };
const deny = (...reason: ('stdout' | 'stderr' | 'output')[]): PlainMeaning => ({ say: 'deny', reason, otherwise: 'x' });
const row = (exit: ExitRow['exit'], means: Meaning): ExitRow => ({ exit, means });
const parse = (notJson: (Meaning & { say: 'parse' })['notJson'] = 'fault'): Meaning => ({ say: 'parse', notJson });
const FAULT = row([9], { say: 'fault', fault: 'exit' });

describe('no opinion', () => {
  test.each([{ say: 'pass' } as const, parse(), { say: 'notice' } as const])(
    'is silence with the first code that means it: $say',
    (means) => {
      expect(say(PASS, [FAULT, row([8], deny('stderr')), row([4, 5], means)])).toEqual(printed(4, ''));
    },
  );
  test('takes code 1 where every other code means it, and cannot be said where none does', () => {
    expect(say(PASS, [FAULT, row('other', { say: 'pass' })])).toEqual(printed(1, ''));
    expect(say(PASS, [FAULT, row([2], deny('stderr'))])).toBeUndefined();
  });
  test('is no JSON, even where the format has some', () => {
    expect(say(PASS, [row([0], parse())], { json: { pass: 1 } })).toEqual(printed(0, ''));
  });
});

describe('a verdict', () => {
  test('is JSON with the code under which JSON is read', () => {
    expect(say(DENIED, [FAULT, row([3], parse())], { json: { deny: 'no' } })).toEqual(printed(3, '{"deny":"no"}'));
  });
  test('that denies takes the code that denies whatever the JSON says, and no other verdict does', () => {
    const rows = [row([0], parse()), row([2], parse({ means: deny('stderr'), always: true }))];
    expect(say(DENIED, rows, { json: 1 })).toEqual(printed(2, '1'));
    expect(say({ decision: { kind: 'allow' }, effects: [] }, rows, { json: 1 })).toEqual(printed(0, '1'));
    for (const weaker of [
      parse({ means: deny('stderr') }),
      parse({ means: { say: 'pass' }, always: true }),
      parse({ text: 'context' }),
      deny('stderr'),
    ])
      expect(say(DENIED, [row([0], parse()), row([2], weaker)], { json: 1 })).toEqual(printed(0, '1'));
  });
  test('that the event does not grant cannot be said, and neither can one on an event that is unknown', () => {
    expect(say(DENIED, [row([2], deny('stderr'))], { grants: ['allow'] })).toBeUndefined();
    expect(say(DENIED, [row([2], deny('stderr'))], { event: 'Unknown' })).toBeUndefined();
  });
  test('is read by the rows of the event where it has some', () => {
    expect(say(DENIED, [row([2], deny('stderr'))], { own: [row([7], deny('stdout'))] })).toMatchObject({ exit: 7, stdout: 'no' });
  });
  test('that only JSON could say cannot be said without it', () => {
    const rows = [row([0], { say: 'pass' }), row([2], deny('stderr'))];
    expect(say({ decision: { kind: 'allow' }, effects: [] }, rows)).toBeUndefined();
    expect(say({ ...DENIED, effects: [{ kind: 'quiet' }] }, rows)).toBeUndefined();
    expect(say(DENIED, [row([0], { say: 'pass' })], { json: 1 })).toBeUndefined();
  });
});

describe('a deny by exit code', () => {
  test('has its reason on the stream the row reads first', () => {
    expect(say(DENIED, [FAULT, row([2, 3], deny('stderr', 'stdout'))])).toEqual({ ...printed(2, ''), stderr: 'no', output: 'no' });
    expect(say(DENIED, [row('other', deny('stdout', 'stderr'))])).toEqual({ ...printed(1, 'no'), stderr: '' });
    expect(say(DENIED, [row([2], deny('output'))])).toMatchObject({ output: 'no' });
  });
  test('passes over a row that has no place for a reason', () => {
    expect(say(DENIED, [row([2], deny()), row([3], deny('stderr'))])).toMatchObject({ exit: 3 });
    expect(say(DENIED, [row([2], deny())])).toBeUndefined();
  });
});

describe('plain text', () => {
  const notice: Effect = { kind: 'notice', text: 'hello' };
  const context: Effect = { kind: 'context', text: 'hello' };
  const adding = (...effects: Effect[]): Verdict => ({ ...PASS, effects });
  const NOTICE = [FAULT, row([0], { say: 'pass' }), row([5], { say: 'notice' })];
  const CONTEXT = [
    FAULT,
    row([1], parse()),
    row([3], parse({ text: 'notice' })),
    row([4], parse({ means: deny() })),
    row([6], parse({ text: 'context' })),
  ];

  test('says a notice where a code means one', () => {
    expect(say(adding(notice), NOTICE)).toEqual(printed(5, 'hello'));
    expect(say(adding(notice), CONTEXT)).toBeUndefined();
  });
  test('says context where a code takes text for it', () => {
    expect(say(adding(context), CONTEXT)).toEqual(printed(6, 'hello'));
    expect(say(adding({ ...context, at: 'end' }), CONTEXT)).toEqual(printed(6, 'hello'));
    expect(say(adding(context), NOTICE)).toBeUndefined();
    expect(say(adding(context), CONTEXT.slice(0, 4))).toBeUndefined();
  });
  test('says one thing alone', () => {
    for (const verdict of [
      adding(notice, { kind: 'quiet' }),
      adding(notice, notice),
      { decision: { kind: 'allow' }, effects: [notice] } as const,
    ])
      expect(say(verdict, NOTICE)).toBeUndefined();
    for (const verdict of [
      adding(context, { kind: 'quiet' }),
      adding({ ...context, at: 'start' }),
      { decision: { kind: 'allow' }, effects: [context] } as const,
    ])
      expect(say(verdict, CONTEXT)).toBeUndefined();
  });
  test('is nothing that could be taken for JSON, or would be trimmed', () => {
    for (const text of ['1', '"a"', 'null', '{a', '[a', '{}', ' a', 'a ', ''])
      expect([text, say(adding({ kind: 'context', text }), CONTEXT)]).toEqual([text, undefined]);
    for (const text of ['a {b}', 'a [b]', 'nul']) expect(say(adding({ kind: 'context', text }), CONTEXT)).toEqual(printed(6, text));
  });
});

interface Setting {
  readonly json?: number | object;
  readonly grants?: readonly string[];
  readonly event?: string;
  readonly own?: readonly ExitRow[];
}

function say(verdict: Verdict, exit: readonly ExitRow[], { json, grants, event = 'Before', own }: Setting = {}): unknown {
  const rule = { grants: grants ?? ['allow', 'deny', 'notice', 'context', 'quiet'], ...(own && { read: { exit: own } }) };
  return render(verdict, event, {
    profile: { events: { Before: rule }, read: { exit } },
    wire: { encodeReply: () => json },
  } as unknown as Dialect);
}

function printed(exit: number, stdout: string): object {
  return { kind: 'process', exit, stdout, stderr: '', output: stdout };
}
