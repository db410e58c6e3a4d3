/** Functions that loaders share: values with positions, problems that name the place, and the name of a hook that has none. */
import { describe, expect, test } from 'vitest';
import { handlerLabel } from '../../../../src/agents/kit/hook-names.ts';
import { isUsable, reportIgnoredMatcher } from '../../../../src/agents/kit/matchers.ts';
import { ownHandler } from '../../../../src/agents/kit/own-handler.ts';
import { entryOf, fieldOf, kindName, type Node, toJson } from '../../../../src/core/values/document.ts';
import { HooklineError } from '../../../../src/core/values/errors.ts';
import { asJson, isObject, type Json, setOwn, textOf } from '../../../../src/core/values/json.ts';
import { problemsIn, readScalar, reportUnknownEvent, stringsIn } from '../../../../src/core/values/read-document.ts';
import { suggest } from '../../../../src/core/values/suggest.ts';

const AT = { line: 7, column: 3 };

describe('a document', () => {
  const map = node({ a: 1, b: ['x', null], __proto__x: { c: true } });
  test('is read by key, and only a map has keys', () => {
    expect(entryOf(map, 'a')).toMatchObject({ key: 'a', value: { value: 1 } });
    expect(fieldOf(map, 'b')?.kind).toBe('list');
    for (const other of [undefined, node(['a']), node('a')])
      expect([entryOf(other, 'a'), fieldOf(other, 'a')]).toEqual([undefined, undefined]);
  });
  test('is the JSON that was written, a `__proto__` key included', () => {
    expect(toJson(map)).toEqual({ a: 1, b: ['x', null], __proto__x: { c: true } });
    const hostile: Node = { kind: 'map', at: AT, entries: [{ key: '__proto__', at: AT, value: node({ x: 1 }) }] };
    expect(Object.keys(toJson(hostile) as object)).toEqual(['__proto__']);
  });
  test('has a word for every kind of value', () => {
    const words = [{}, [], null, 'x', 1, true].map((value) => kindName(node(value as Json)));
    expect(new Set(words).size).toBe(6);
    for (const word of words) expect(word).toMatch(/^[a-z]+( [a-z]+)?$/);
  });
});

test('a scalar is of the wanted type, absent, or a complaint', () => {
  const problems = problemsIn('f');
  const owner = node({ s: 'x', n: 1, b: false, nothing: null, list: [] });
  expect(readScalar(owner, 's', 'string', problems)).toEqual({ value: 'x', at: AT });
  expect(readScalar(owner, 'n', 'number', problems)).toEqual({ value: 1, at: AT });
  expect(readScalar(owner, 'b', 'boolean', problems)).toEqual({ value: false, at: AT });
  for (const key of ['nothing', 'none']) expect(readScalar(owner, key, 'string', problems)).toBeUndefined();
  expect(problems.list).toEqual([]);
  for (const [key, type] of [
    ['s', 'number'],
    ['n', 'boolean'],
    ['list', 'string'],
  ] as const)
    expect(readScalar(owner, key, type, problems)).toBeUndefined();
  expect(problems.list.map(({ message }) => message)).toEqual([
    expect.stringMatching(/`s`.*number.*text/),
    expect.stringMatching(/`n`.*true.*number/),
    expect.stringMatching(/`list`.*text.*list/),
  ]);
  for (const one of problems.list) expect(one).toMatchObject({ severity: 'error', code: 'wrong-type', line: 7 });
});

describe('problems', () => {
  test('an unknown event suggests the one that was meant, or names all', () => {
    const problems = problemsIn('f');
    reportUnknownEvent(problems, 'warning', { key: 'PreTolUse', at: AT }, ['PreToolUse', 'Stop']);
    reportUnknownEvent(problems, 'error', { key: 'Quite', at: AT }, ['PreToolUse', 'SessionStart']);
    const [near, far] = problems.list;
    expect(near).toMatchObject({ severity: 'warning', code: 'unknown-event', line: 7, message: expect.stringContaining('`PreTolUse`') });
    expect(near?.hint).toMatch(/`PreToolUse`/);
    expect(near?.hint).not.toContain('Stop');
    expect(far).toMatchObject({ severity: 'error', hint: expect.stringContaining('PreToolUse, SessionStart') });
  });
  test('a matcher is told if it cannot be used, or is not looked at', () => {
    const problems = problemsIn('f');
    expect(isUsable({ source: '(', at: AT }, undefined, problems)).toBe(true);
    expect(problems.list).toEqual([]);
    expect(isUsable({ source: '(', at: AT }, 'it ends early', problems)).toBe(false);
    reportIgnoredMatcher('Stop', AT, problems);
    expect(problems.list).toMatchObject([
      {
        severity: 'error',
        code: 'bad-pattern',
        line: 7,
        message: expect.stringMatching(/`\(`.*it ends early/),
        hint: expect.stringMatching(/\w/),
      },
      { severity: 'info', code: 'matcher-ignored', line: 7, message: expect.stringMatching(/Stop/) },
    ]);
  });
  test('without a place have none', () => {
    const problems = problemsIn('f');
    problems.report('info', 'c', undefined, 'm');
    expect(problems.list).toEqual([{ severity: 'info', code: 'c', file: 'f', message: 'm' }]);
  });
});

test('a guard is a handler in every format, configured by the rest of its map', () => {
  const all = { type: 'guard', name: 'n', timeout: 1, timeout_secs: 1, priority: 1, matcher: 'm', required: true, preset: 'strict' };
  expect(ownHandler(node(all), { ownTypes: new Set(['guard']) })).toEqual({ type: 'guard', config: { preset: 'strict' } });
  for (const other of [{ type: 'command' }, { type: 1 }, { type: ['guard'] }, {}, 'guard'])
    expect(ownHandler(node(other as Json), { ownTypes: new Set(['guard']) })).toBeUndefined();
});

describe('a hook without a name', () => {
  test.each<[Record<string, string>, string]>([
    [{ url: 'https://user:pw@host.example:8080/a?b' }, 'host.example:8080'],
    [{ url: 'http://host?x' }, 'host'],
    [{ url: 'host#x' }, 'host'],
    [{ url: '/x' }, 'T'],
    [{ command: 'A=1 /usr/bin/env bash -e "./scripts/check.sh" x' }, 'check.sh'],
    [{ command: 'node  lint.mjs' }, 'lint.mjs'],
    [{ command: "'gate'" }, 'gate'],
    [{ command: 'sh -c' }, 'T'],
    [{ command: 'scripts/' }, 'T'],
    [{ command: `${'-x '.repeat(20)}late` }, 'T'],
    [{ command: `${'-x '.repeat(19)}late` }, 'late'],
    [{ command: 'x'.repeat(50) }, 'x'.repeat(40)],
    [{}, 'T'],
  ])('%j is called %s', (config, label) => {
    expect(handlerLabel({ type: 'T', config })).toBe(label);
  });
  test.each(['sh', 'bash', 'zsh', 'dash', 'env', 'node', 'python', 'python3', 'ruby', 'perl', 'exec'])(
    'is not called after %s',
    (program) => {
      expect(handlerLabel({ type: 'T', config: { command: `${program} x` } })).toBe('x');
    },
  );
});

test('the nearest name is suggested, without regard to case and separators, and none that is far', () => {
  const known = ['PreToolUse', 'PostToolUse', 'Stop'];
  expect(suggest('pre_tool-use', known)).toBe('PreToolUse');
  expect(suggest('PostTooUse', known)).toBe('PostToolUse');
  expect(suggest('stp', known)).toBe('Stop');
  expect(suggest('sp', known)).toBe('Stop');
  expect(suggest('s', known)).toBeUndefined();
  expect(suggest('abcdefghi', ['abcdefxyz'])).toBe('abcdefxyz');
  expect(suggest('abcdefghi', ['abcdewxyz'])).toBeUndefined();
  expect(suggest('ab', ['abx', 'abxy', 'ab y'])).toBe('abx');
  expect(suggest('b.a', ['ab'])).toBe('ab');
  expect(suggest('x', [])).toBeUndefined();
  expect(suggest(`${'a'.repeat(80)}b`, ['a'.repeat(80)])).toBe('a'.repeat(80));
});

test('JSON is told from everything else', () => {
  expect([{}, [], null, 'x', undefined].map(isObject)).toEqual([true, false, false, false, false]);
  expect([textOf('x'), textOf(''), textOf(1)]).toEqual(['x', '', undefined]);
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  expect([asJson({ a: 1, f: () => 1 }), asJson(cycle), asJson(() => 1), asJson(undefined)]).toEqual([
    { a: 1 },
    undefined,
    undefined,
    undefined,
  ]);
  const target: Record<string, Json> = {};
  setOwn(target, '__proto__', { polluted: true });
  expect(Object.keys(target)).toEqual(['__proto__']);
  setOwn(target, '__proto__', 1);
  expect(Object.entries(target)).toEqual([['__proto__', 1]]);
  expect(Reflect.deleteProperty(target, '__proto__')).toBe(true);
});

test('an error has a code, a hint and the cause, if there is one', () => {
  const cause = new Error('below');
  const error = new HooklineError('closed', 'It was closed.', { hint: 'Open it.', cause });
  expect(error).toBeInstanceOf(Error);
  expect([error.name, error.code, error.message, error.hint, error.cause]).toEqual([
    'HooklineError',
    'closed',
    'It was closed.',
    'Open it.',
    cause,
  ]);
  const bare = new HooklineError('bad-option', 'm');
  expect(bare.hint).toBeUndefined();
  expect(Object.hasOwn(bare, 'cause')).toBe(false);
});

function node(value: Json): Node {
  if (Array.isArray(value)) return { kind: 'list', at: AT, items: value.map(node) };
  if (typeof value !== 'object' || value === null) return { kind: 'scalar', at: AT, value: value as string };
  return { kind: 'map', at: AT, entries: Object.entries(value).map(([key, item]) => ({ key, at: AT, value: node(item as Json) })) };
}

test('a list of texts is read whole or not at all, and an empty list is none', () => {
  expect(stringsIn(node(['a']))).toEqual(['a']);
  expect(stringsIn(node(['a', '', 'b']))).toEqual(['a', '', 'b']);
  for (const other of [[], ['a', 1], ['a', null], [['a']], [{ value: 'a' }], 'a', { a: 'b' }, null])
    expect(stringsIn(node(other as Json)), JSON.stringify(other)).toBeUndefined();
  expect(stringsIn(undefined)).toBeUndefined();
});
