/** The rows of a profile give a reply its meaning: exit codes, statuses, JSON, plain text, and faults. */
import { describe, expect, test } from 'vitest';
import type { Dialect } from '../../../../src/core/contracts/dialect.ts';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import type { Grant, Verdict } from '../../../../src/core/decision/decision.ts';
import { type Fault, type FaultKind, fault, type Reply } from '../../../../src/core/decision/reply.ts';
import type { HookEvent } from '../../../../src/core/event/event.ts';
import { interpret, policyFor } from '../../../../src/core/meaning/interpret.ts';
import {
  canBeDenied,
  type EventRule,
  type ExitRow,
  isGating,
  type Meaning,
  type PlainMeaning,
  type Read,
} from '../../../../src/core/meaning/profile.ts';

const hook = { name: 'gate', event: 'Before' } as Hook;
const event: HookEvent = { id: 'e', kind: 'tool.before', at: '', session: { id: 's', cwd: '/' }, data: {} };
const denied: Verdict = { decision: { kind: 'deny', reason: 'no' }, effects: [] };
const NO_OPINION: Verdict = { decision: { kind: 'pass' }, effects: [] };
const DENY: PlainMeaning = { say: 'deny', reason: ['stderr', 'stdout'], otherwise: '{name} ended with {exit}{status}{stderr}' };

describe('an exit code', () => {
  const exit: readonly ExitRow[] = [
    { exit: [0], means: { say: 'pass' } },
    { exit: [2, 3], means: DENY },
    { exit: 'other', means: { say: 'fault', fault: 'exit' } },
  ];

  test('is read by the first row that names it, and by `other` if none does', () => {
    expect(means(exited(0), { exit })).toEqual(NO_OPINION);
    for (const code of [2, 3])
      expect(means(exited(code, '', 'why'), { exit })).toEqual({ ...denied, decision: { kind: 'deny', reason: 'why' } });
    expect(means(exited(1), { exit })).toMatchObject({ kind: 'fault', fault: 'exit', exit: 1 });
  });

  test('that no row names is a fault', () => {
    expect(means(exited(7), { exit: exit.slice(0, 2) })).toMatchObject({ kind: 'fault', fault: 'exit', exit: 7 });
  });

  test('is absent where a signal ended the process, which no row catches', () => {
    expect(means(exited(null), { exit: [{ exit: 'other', means: { say: 'pass' } }] })).toMatchObject({ kind: 'fault', fault: 'signal' });
    expect((means(exited(null), { exit }) as Fault).detail).toMatch(/signal/);
  });

  test('rows of the event take the place of the profile’s', () => {
    const rule: EventRule = { ...RULE, read: { exit: [{ exit: 'other', means: DENY }] } };
    expect(means(exited(0, '', 'why'), { exit }, rule)).toMatchObject({ decision: { kind: 'deny' } });
    expect(means(exited(0), { exit }, { ...RULE, read: { status: [] } })).toEqual(NO_OPINION);
  });

  test('of a fault is told with what the process wrote to stderr, in one line', () => {
    expect((means(exited(1, 'out', ' a \n b '), { exit }) as Fault).detail).toBe('exit code 1: a b');
    expect((means(exited(1, 'out', ' \n'), { exit }) as Fault).detail).toBe('exit code 1');
    expect((means(exited(1, '', 'x'.repeat(200)), { exit }) as Fault).detail).toBe(`exit code 1: ${'x'.repeat(200)}`);
    expect((means(exited(1, '', 'x'.repeat(201)), { exit }) as Fault).detail).toBe(`exit code 1: ${'x'.repeat(200)}…`);
  });
});

describe('the reason of a deny', () => {
  const reasonOf = (reply: Reply, row: Meaning = DENY): unknown => {
    const said = means(reply, { exit: [{ exit: 'other', means: row }], status: [{ status: 'other', means: row }] });
    return 'decision' in said && said.decision.kind === 'deny' ? said.decision.reason : said;
  };

  test('is the first stream that has text, trimmed', () => {
    expect(reasonOf(exited(2, ' out ', ' err '))).toBe('err');
    expect(reasonOf(exited(2, ' out ', ' \n'))).toBe('out');
    expect(reasonOf({ ...exited(2, 'out', 'err'), output: ' both ' }, { say: 'deny', reason: ['output'], otherwise: '' })).toBe('both');
    expect(reasonOf(exited(2, 'out', 'err'), { say: 'deny', reason: ['output'], otherwise: 'none' })).toBe('none');
  });

  test('is made of what is known if no stream has text', () => {
    const nothing: PlainMeaning = { say: 'deny', reason: [], otherwise: '{name} ended with {exit}{status}{stderr}, {name}, {unknown}' };
    expect(reasonOf(exited(2))).toBe('gate ended with 2');
    expect(reasonOf(exited(2, '', ' err '), nothing)).toBe('gate ended with 2: err, gate, {unknown}');
    expect(reasonOf(answered(418, 'body'), nothing)).toBe('gate ended with 418, gate, {unknown}');
    expect(reasonOf(answered(418, 'body'))).toBe('gate ended with 418');
  });
});

describe('a status', () => {
  const status: Read['status'] = [
    { status: '2xx', means: { say: 'notice' } },
    { status: 'other', means: { say: 'fault', fault: 'status' } },
  ];

  test.each([200, 204, 299])('%i is a success', (code) => {
    expect(means(answered(code, ' hello '), { status })).toEqual({
      decision: { kind: 'pass' },
      effects: [{ kind: 'notice', text: 'hello' }],
    });
  });
  test.each([100, 199, 300, 404, 500])('%i is none', (code) => {
    const said = means(answered(code, 'hello'), { status }) as Fault;
    expect(said).toEqual({ kind: 'fault', fault: 'status', detail: expect.stringContaining(String(code)) });
  });
  test('that no row names is a fault', () => {
    expect(means(answered(500, ''), { status: status.slice(0, 1) })).toMatchObject({ kind: 'fault', fault: 'status' });
  });
  test('a notice without text is no opinion', () => {
    expect(means(answered(200, ' \n'), { status })).toEqual(NO_OPINION);
  });
});

describe('JSON', () => {
  const read = (notJson: (Meaning & { say: 'parse' })['notJson'], from?: (Meaning & { say: 'parse' })['from']): Partial<Read> => {
    const row: Meaning = { say: 'parse', notJson, ...(from && { from }) };
    return { exit: [{ exit: 'other', means: row }], status: [{ status: 'other', means: row }] };
  };

  test('is what the dialect takes it for, from a process and from a server', () => {
    expect(means(exited(0, ' {"deny":"no"} '), read('fault'))).toEqual(denied);
    expect(means(answered(200, '{"deny":"no"}'), read('fault'))).toEqual(denied);
  });

  test('is looked for where the row says', () => {
    expect(means(exited(0, 'out', '{"deny":"no"}'), read('fault', ['stderr', 'stdout']))).toEqual(denied);
    expect(means(exited(0, '{"deny":"no"}', ' '), read('fault', ['stderr', 'stdout']))).toEqual(denied);
    expect(means(exited(0, '{"deny":"no"}', ''), read('fault', ['stderr']))).toEqual(NO_OPINION);
    expect(means(answered(200, '{"deny":"no"}'), read('fault', ['stderr']))).toEqual(denied);
  });

  test('that the dialect does not understand is a fault that says what is wrong, without a full stop', () => {
    expect(means(exited(0, '{"wrong":1}'), read('pass'))).toEqual({ kind: 'fault', fault: 'malformed', detail: 'It is wrong. Very wrong' });
  });

  test('may be a part of what was printed', () => {
    const answerIn = (output: string): string => output.slice(output.indexOf('{'));
    expect(means(exited(0, 'noise {"deny":"no"}'), read('fault'), RULE, { answerIn })).toEqual(denied);
  });

  test('nothing printed is no opinion', () => {
    for (const notJson of ['pass', 'fault', { text: 'context' }] as const)
      expect(means(exited(0, ' \n'), read(notJson))).toEqual(NO_OPINION);
  });

  type NotJson = (Meaning & { say: 'parse' })['notJson'];
  const said = (text: string, notJson: NotJson): unknown => means(exited(0, text), read(notJson));

  test('text that is none means what the row says', () => {
    for (const notJson of ['pass', 'fault', { text: 'pass' }] as const) expect(said('[hello  you', notJson)).toEqual(NO_OPINION);
    expect(said(' hello ', { text: 'context' })).toEqual({ decision: { kind: 'pass' }, effects: [{ kind: 'context', text: 'hello' }] });
    expect(said('hello', { text: 'notice' })).toEqual({ decision: { kind: 'pass' }, effects: [{ kind: 'notice', text: 'hello' }] });
    const other: Partial<Read> = { exit: [{ exit: 'other', means: { say: 'parse', notJson: 'fault' } }] };
    expect(means(exited(1, 'hello'), other)).toMatchObject({ fault: 'malformed' });
  });

  test('any text is a fault where the format itself denies then', () => {
    const strictRule: EventRule = { ...RULE, fail: { malformed: 'deny' } };
    expect(means(exited(0, 'hello'), read('fault'), strictRule)).toMatchObject({
      fault: 'malformed',
      detail: expect.stringMatching(/: hello$/),
    });
  });

  test('output that may contain a reply and is no JSON is a fault that shows its beginning', () => {
    for (const notJson of ['pass', 'fault', { text: 'pass' }, { text: 'context' }, { text: 'notice' }] as const) {
      for (const text of ['{hello', 'Welcome!\n{"decision": "deny"}', '```json\n{ "a": 1 }\n```', "it is {'decision': 'deny'}"])
        expect(said(text, notJson)).toMatchObject({ fault: 'malformed', detail: expect.stringContaining(text.slice(0, 4)) });
    }
    for (const notJson of ['pass', 'fault', { text: 'pass' }] as const) expect(said('a {b', notJson)).toMatchObject({ fault: 'malformed' });
    expect((said(`${'x'.repeat(200)}{`, 'fault') as Fault).detail).toMatch(/x{80}…$/);
  });

  test('text that is context stays context, whatever braces it has', () => {
    for (const text of ['context', 'notice'] as const) {
      expect(said('a {b}', { text })).toMatchObject({ effects: [{ kind: text }] });
      expect(said('a {"b": 1}', { text })).toMatchObject({ fault: 'malformed', verdict: { effects: [{ kind: text }] } });
    }
  });

  test('a format that lets such output pass still does, unless the user or strict mode says otherwise', () => {
    for (const notJson of ['pass', { text: 'pass' }] as const) expect(said('Hi {"a": 1}', notJson)).toMatchObject({ lenient: true });
    expect(said('Hi {"a": 1}', 'fault')).not.toHaveProperty('lenient');
    const rule = { grants: ['deny'], kinds: [], run: 'sequence', facet: null } as const;
    const policy = (strict: boolean, more: object) => policyFor('malformed', rule, { otherwise: 'deny' }, strict, more);
    expect(policy(false, { lenient: true })).toBe('pass');
    expect(policy(true, { lenient: true })).toBe('deny');
    expect(policy(false, { lenient: true, onError: 'ask' })).toBe('ask');
    expect(policy(true, { onError: 'pass' })).toBe('deny');
  });

  describe('where nothing, or no JSON, has a meaning of its own', () => {
    test('that is what counts', () => {
      for (const text of ['', 'words', '{broken'])
        expect(means(exited(2, text, 'why'), read({ means: DENY }))).toMatchObject({ decision: { kind: 'deny', reason: 'why' } });
    });
    test('JSON says otherwise', () => {
      expect(means(exited(2, '{"allow":true}', 'why'), read({ means: DENY }))).toMatchObject({ decision: { kind: 'allow' } });
    });
    test('where words alone refuse, an answer that is not understood does not consent', () => {
      expect(means(exited(2, '{"wrong":1}', 'why'), read({ means: DENY }))).toMatchObject({ decision: { kind: 'deny', reason: 'why' } });
      expect(means(exited(2, '{"wrong":1}', 'why'), read({ means: { say: 'pass' } }))).toMatchObject({ fault: 'malformed' });
    });
    test('`always` holds against JSON, which adds its reason and effects', () => {
      const always = read({ means: DENY, always: true });
      expect(means(exited(2, '{"allow":true}', 'why'), always)).toMatchObject({ decision: { kind: 'deny', reason: 'why' } });
      expect(means(exited(2, '{"deny":"more"}', 'why'), always)).toMatchObject({ decision: { kind: 'deny', reason: 'more' } });
      expect(means(exited(2, '{"wrong":1}', 'why'), always)).toMatchObject({ decision: { kind: 'deny', reason: 'why' } });
      expect(means(exited(2, '{"notice":"n"}', 'why'), always)).toEqual({
        decision: { kind: 'deny', reason: 'why' },
        effects: [{ kind: 'notice', text: 'n' }],
      });
    });
    test('`always` leaves a pass and a fault as they are, whatever JSON decides', () => {
      const pass = read({ means: { say: 'pass' }, always: true });
      expect(means(exited(1, '{"deny":"no","notice":"n"}'), pass)).toEqual({
        decision: { kind: 'pass' },
        effects: [{ kind: 'notice', text: 'n' }],
      });
      const failing = read({ means: { say: 'fault', fault: 'exit' }, always: true });
      expect(means(exited(1, '{"allow":true}'), failing)).toEqual({ kind: 'fault', fault: 'exit', detail: 'exit code 1', exit: 1 });
    });
  });
});

describe('JSON in addition to the exit code', () => {
  const exit: readonly ExitRow[] = [
    { exit: [0], means: { say: 'pass' }, alsoCounts: 'json' },
    { exit: [2], means: DENY, alsoCounts: 'json' },
    { exit: [3], means: { say: 'pass' } },
    { exit: 'other', means: { say: 'fault', fault: 'exit' }, alsoCounts: 'json' },
  ];

  test('a refusal in it counts before the code', () => {
    for (const code of [0, 1, 2]) expect(means(exited(code, '{"deny":"no"}', 'why'), { exit })).toEqual(denied);
  });
  test('an allow in it does not lift what the code says, and its effects stand', () => {
    expect(means(exited(2, '{"allow":true,"notice":"n"}', 'why'), { exit })).toEqual({
      decision: { kind: 'deny', reason: 'why' },
      effects: [{ kind: 'notice', text: 'n' }],
    });
    expect(means(exited(0, '{"allow":true}'), { exit })).toEqual(NO_OPINION);
  });
  test('a fault stays one and keeps what was said', () => {
    expect(means(exited(1, '{"allow":true}'), { exit })).toEqual({
      ...fault('exit', 'exit code 1', { exit: 1 }),
      verdict: { decision: { kind: 'allow' }, effects: [] },
    });
  });
  test('unreadable output changes nothing, and neither does JSON if the row does not ask for it', () => {
    expect(means(exited(2, '{"wrong":1}', 'why'), { exit })).toEqual({ decision: { kind: 'deny', reason: 'why' }, effects: [] });
    expect(means(exited(1, '{"wrong":1}'), { exit })).not.toHaveProperty('verdict');
    expect(means(exited(3, '{"deny":"no"}'), { exit })).toEqual(NO_OPINION);
  });
});

describe('what a function or a judge of this process says', () => {
  test('a value means what the dialect takes it for, or is a fault', () => {
    expect(means({ kind: 'value', value: { deny: 'no' } }, {})).toEqual(denied);
    expect(means({ kind: 'value', value: { wrong: 1 } }, {})).toMatchObject({ kind: 'fault', fault: 'malformed' });
  });

  const asks: Verdict = { decision: { kind: 'ask', reason: 'Sure?' }, effects: [{ kind: 'quiet' }] };
  const granted = (verdict: Verdict, ...grants: Grant[]): unknown => means({ kind: 'verdict', verdict }, {}, { ...RULE, grants });

  test('a wish for a person is never dropped where something stronger can be said', () => {
    expect(granted(asks, 'ask', 'hold', 'deny')).toBe(asks);
    expect(granted(asks, 'hold', 'deny')).toEqual({ ...asks, decision: { kind: 'hold', reason: 'Sure?' } });
    const refused = granted(asks, 'deny') as Verdict;
    expect(refused).toEqual({ ...asks, decision: { kind: 'deny', reason: expect.stringMatching(/^Sure\? \(\w.*\)$/) } });
    expect(granted(asks, 'notice')).toBe(asks);
  });
  test('every other verdict is left alone', () => {
    for (const kind of ['allow', 'hold', 'deny'] as const) {
      const verdict: Verdict = { decision: { kind, reason: 'r' }, effects: [] };
      expect(granted(verdict, 'hold', 'deny')).toBe(verdict);
    }
  });
});

describe('a fault', () => {
  const within = (value: unknown): unknown => means(fault('oversize', 'too large', { reply: { kind: 'value', value } }), {});

  test('stays one, and what was said all the same counts only if it denies', () => {
    expect(within({ deny: 'no' })).toEqual(denied);
    for (const value of [{ allow: true }, { notice: 'n' }, { wrong: 1 }, {}]) expect(within(value)).toMatchObject({ fault: 'oversize' });
    const bare = fault('timeout', 'late');
    expect(means(bare, {})).toBe(bare);
  });

  const fail = { otherwise: 'pass', timeout: 'deny' } as const;
  const KINDS: readonly FaultKind[] = ['unavailable', 'timeout', 'spawn', 'signal', 'exit', 'network', 'status', 'malformed', 'threw'];
  const ALWAYS: readonly FaultKind[] = ['oversize', 'cancelled', 'depth'];

  test('comes to nothing on an event that cannot be denied, however strict the hook is', () => {
    for (const kind of [...KINDS, ...ALWAYS])
      expect(policyFor(kind, { ...RULE, grants: ['allow'] }, { otherwise: 'deny' }, true)).toBe('pass');
  });
  test('denies in every format if the hook is strict, if it was not shown everything, was cancelled or is nested too deep', () => {
    for (const kind of KINDS) expect(policyFor(kind, RULE, { otherwise: 'pass' }, true)).toBe('deny');
    for (const kind of ALWAYS) expect(policyFor(kind, { ...RULE, fail: { otherwise: 'pass' } }, { otherwise: 'pass' }, false)).toBe('deny');
  });
  test('is otherwise the event’s to say, then the profile’s; the kind before the rest', () => {
    expect(KINDS.filter((kind) => policyFor(kind, RULE, fail, false) === 'deny')).toEqual(['timeout']);
    expect(policyFor('exit', RULE, { otherwise: 'deny' }, false)).toBe('deny');
    const own = { ...RULE, fail: { exit: 'deny' } } as const;
    expect(KINDS.filter((kind) => policyFor(kind, own, fail, false) === 'deny')).toEqual(['timeout', 'exit']);
    const rest = { ...RULE, fail: { otherwise: 'deny', exit: 'pass' } } as const;
    expect(KINDS.filter((kind) => policyFor(kind, rest, { otherwise: 'pass' }, false) === 'pass')).toEqual(['exit']);
    expect(policyFor('timeout', { ...RULE, fail: { otherwise: 'pass' } }, fail, false)).toBe('pass');
  });
});

test('an event gates if it can be denied, and a kind can be denied if any event of any format that stands for it gates', () => {
  const open: EventRule = { ...RULE, grants: ['allow', 'notice'], kinds: ['tool.before', 'tool.after'] };
  expect([isGating(RULE), isGating(open)]).toEqual([true, false]);
  const profiles = [{ events: { a: open } }, { events: { b: open, c: RULE } }] as never;
  expect(canBeDenied('tool.before', profiles)).toBe(true);
  expect(canBeDenied('tool.after', profiles)).toBe(false);
  expect(canBeDenied('tool.before', [{ events: { a: open } }] as never)).toBe(false);
});

const RULE: EventRule = { kinds: ['tool.before'], run: 'sequence', grants: ['allow', 'deny'], facet: null };

function means(answer: Reply | Fault, read: Partial<Read>, rule: EventRule = RULE, wire: Partial<Dialect['wire']> = {}): Verdict | Fault {
  const profile = { read: { exit: [], status: [], ...read }, fail: { otherwise: 'pass' } };
  const dialect = { profile, wire: { decodeReply: decode, decodeValue: decode, ...wire } };
  return interpret(answer, hook, rule, dialect as unknown as Dialect, event);
}

/** A format in which `{deny}`, `{allow}`, `{notice}` are words and `{wrong}` is not understood. */
function decode(value: unknown, native: string, shown: HookEvent): Verdict | string {
  expect([native, shown]).toEqual(['Before', event]);
  const said = value as { deny?: string; allow?: true; notice?: string; wrong?: 1 };
  if (said.wrong) return 'It is wrong. Very wrong.';
  return {
    decision: said.deny !== undefined ? { kind: 'deny', reason: said.deny } : { kind: said.allow ? 'allow' : 'pass' },
    effects: said.notice === undefined ? [] : [{ kind: 'notice', text: said.notice }],
  };
}

function exited(exit: number | null, stdout = '', stderr = ''): Reply & { kind: 'process' } {
  return { kind: 'process', exit, stdout, stderr };
}

function answered(status: number, body: string): Reply {
  return { kind: 'http', status, body };
}
