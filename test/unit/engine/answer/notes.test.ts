/** Notes to people in addition to an answer: none is lost, none is repeated, and no text moves a terminal's cursor. */
import { expect, test } from 'vitest';
import { HOSTS } from '../../../../src/builtins.ts';
import type { Host } from '../../../../src/core/contracts/host.ts';
import type { Effect, Verdict } from '../../../../src/core/decision/decision.ts';
import type { EventRule } from '../../../../src/core/meaning/profile.ts';
import type { Diagnostic } from '../../../../src/core/values/diagnostic.ts';
import { appendNotes, diagnosticOf, lineOf, loadErrors, loadErrorToSay, lostEffects } from '../../../../src/engine/answer/notes.ts';

const host = HOSTS.find(({ id }) => id === 'codex') as Host;
const error = (more: Partial<Diagnostic> = {}): Diagnostic => ({ severity: 'error', code: 'c', message: 'It is broken.', ...more });
const rule = (...grants: string[]): EventRule => ({ grants }) as unknown as EventRule;
const passing = (...effects: Effect[]): Verdict => ({ decision: { kind: 'pass' }, effects });

test('errors of hook files are told in one line, with the first place and the number', () => {
  expect(loadErrors([])).toBeUndefined();
  expect(loadErrors([error({ severity: 'warning' }), error({ severity: 'info' })])).toBeUndefined();
  expect(loadErrors([error()])).toMatch(/1 error: It is broken\..*shows it\.$/);
  expect(loadErrors([error({ file: '/f' })])).toMatch(/1 error in \/f\. /);
  expect(loadErrors([error({ file: '/f', line: 3 })])).toMatch(/1 error in \/f:3\. /);
  const several = loadErrors([error({ severity: 'warning', file: '/w' }), error({ file: '/f', line: 3 }), error({ file: '/g' })]);
  expect(several).toMatch(/2 errors, the first in \/f:3\..*shows them\.$/);
});

test('the line is a notice where the user sees one, else a line on stderr, each once', () => {
  const said: string[] = [];
  const first = (what: string): boolean => {
    said.push(what);
    return true;
  };
  const [errors, text] = [[error()], loadErrors([error()])];
  expect(loadErrorToSay(errors, rule('notice'), passing(), first)).toEqual({
    notice: { decision: { kind: 'pass' }, effects: [{ kind: 'notice', text: `Hookline: ${text}` }] },
  });
  expect(loadErrorToSay(errors, rule('deny'), passing(), first)).toEqual({ line: text });
  expect(said).toEqual([`notice ${text}`, `stderr ${text}`]);
  for (const grants of [rule('notice'), rule()]) expect(loadErrorToSay(errors, grants, passing(), () => false)).toEqual({});
});

test("a hook's own notice comes first, and without errors there is nothing to say", () => {
  const never = (): boolean => {
    throw new Error('asked');
  };
  expect(loadErrorToSay([error()], rule('notice'), passing({ kind: 'notice', text: 'x' }), never)).toEqual({});
  expect(loadErrorToSay([error()], rule('notice'), passing({ kind: 'quiet' }), () => true)).toHaveProperty('notice');
  expect(loadErrorToSay([], rule('notice'), passing(), never)).toEqual({});
  expect(loadErrorToSay([error({ severity: 'warning' })], rule('notice'), passing(), never)).toEqual({});
});

test('a diagnostic is one line with its hint, and a degradation tells what became of what', () => {
  expect([lineOf(error()), lineOf(error({ hint: 'Mend it.' }))]).toEqual(['It is broken.', 'It is broken. Mend it.']);
  expect(diagnosticOf({ what: 'ask', became: 'deny', message: 'm' } as never)).toEqual({
    severity: 'warning',
    code: 'degraded',
    message: 'm (ask → deny)',
  });
  expect(diagnosticOf({ what: 'notice', became: 'pass', message: 'm' } as never)).toMatchObject({ severity: 'info' });
});

const ANSWER = { stdout: '', stderr: '', exit: 0 } as never as Parameters<typeof appendNotes>[2];

test('lines for people stand on stderr, each by itself, after what the host reads there', () => {
  expect(appendNotes(host, 'PreToolUse', ANSWER, [])).toBe(ANSWER);
  expect(appendNotes(host, 'PreToolUse', { ...ANSWER, exit: 2, stderr: 'no' }, ['one', 'two'])).toMatchObject({
    stdout: '',
    stderr: 'no\nhookline: one\nhookline: two\n',
    exit: 2,
  });
  expect(appendNotes(host, 'PreToolUse', { ...ANSWER, exit: 2 }, ['one']).stderr).toBe('hookline: one\n');
});

test('an answer on stdout stays as it is, and an empty one becomes an explicit no opinion only if the host reads JSON there', () => {
  expect(appendNotes(host, 'PreToolUse', { ...ANSWER, stdout: 'x' }, ['one']).stdout).toBe('x');
  for (const each of HOSTS)
    for (const [native, own] of Object.entries(each.dialect.profile.events)) {
      const rows = own.read?.exit ?? each.dialect.profile.read.exit;
      const parses = rows.some(({ exit, means }) => exit !== 'other' && exit.includes(0) && means.say === 'parse');
      const json = parses ? each.dialect.wire.encodeReply({ decision: { kind: 'pass' }, effects: [] }, native) : undefined;
      expect(appendNotes(each, native, ANSWER, ['one']).stdout).toBe(json === undefined ? '' : JSON.stringify(json));
    }
});

test('control characters are replaced; line breaks, tabs and every visible character stay', () => {
  const shown = (text: string) => appendNotes(host, 'PreToolUse', { ...ANSWER, exit: 2 }, [text]).stderr;
  expect(shown('a\x1b[2Jb\x00\x1f\x7f\x80\x9f')).toBe('hookline: a\ufffd[2Jb\ufffd\ufffd\ufffd\ufffd\ufffd\n');
  expect(shown('a\tb\nc ~\xa0é\u{1F600}')).toBe('hookline: a\tb\nc ~\xa0é\u{1F600}\n');
});

test('an effect that the answer could not carry is told with its text; one that was added later is not', () => {
  const lost = (effect: Effect, own = true) =>
    lostEffects({ verdict: passing(), notEncoded: [effect] } as never, own ? passing(effect) : passing(), host);
  for (const effect of [{ kind: 'context', text: 'hear this' } as const, { kind: 'halt', reason: 'hear this' } as const]) {
    expect(lost(effect)).toMatchObject([{ what: effect.kind, became: 'reported', message: expect.stringMatching(/hear this/) }]);
    expect(lost(effect)[0]?.message).toContain(host.title);
    expect(lost(effect, false)).toEqual([]);
  }
  expect(lost({ kind: 'replace', value: 'x' })).toMatchObject([
    { what: 'replace', became: 'reported', message: expect.stringContaining(host.title) },
  ]);
  expect(lost({ kind: 'quiet' })).toEqual([]);
});

test('a rewrite that became a refusal is told first; a decision that stays is not', () => {
  const rewrite = { kind: 'rewrite', value: {} } as const;
  const told = (said: Verdict['decision'], own: Verdict) =>
    lostEffects({ verdict: { decision: said, effects: [] }, notEncoded: [] } as never, own, host);
  expect(told({ kind: 'deny', reason: 'no' }, passing(rewrite))).toEqual([{ what: 'rewrite', became: 'deny', message: 'no' }]);
  expect(told({ kind: 'ask', reason: 'sure?' }, passing(rewrite))).toEqual([{ what: 'rewrite', became: 'ask', message: 'sure?' }]);
  expect(told({ kind: 'pass' }, passing(rewrite))).toEqual([]);
  expect(told({ kind: 'deny', reason: 'no' }, passing())).toEqual([]);
  expect(told({ kind: 'deny', reason: 'no' }, { decision: { kind: 'deny', reason: 'no' }, effects: [rewrite] })).toEqual([]);
});
