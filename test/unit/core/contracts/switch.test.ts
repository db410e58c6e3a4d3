/** Settings of agents that keep hooks from running: which hook each of them switches off, and which it leaves alone. */
import { describe, expect, test } from 'vitest';
import type { Hook } from '../../../../src/core/contracts/hook.ts';
import {
  type HostLook,
  isWithin,
  leavesOut,
  nodeAt,
  offWhere,
  switchedOff,
  valueAt,
  wordsAt,
} from '../../../../src/core/contracts/host-limits.ts';
import { listAt, off, offByName, onlyAddresses, permitsAddress, switchAt } from '../../../../src/core/contracts/switch.ts';
import type { Document, Node } from '../../../../src/core/values/document.ts';
import type { Json } from '../../../../src/core/values/json.ts';
import { problemsIn } from '../../../../src/core/values/read-document.ts';

const AT = { line: 7, column: 3 };

describe('a list of addresses', () => {
  test('permits what it names whole, with `*` for anything', () => {
    expect(permitsAddress(['https://a.b/*'], 'https://a.b/c')).toBe(true);
    expect(permitsAddress(['https://*.b/c'], 'https://a.b/c')).toBe(true);
    expect(permitsAddress(['x', 'https://a.b'], 'https://a.b')).toBe(true);
    for (const url of ['https://a.b/c', 'xhttps://a.b', 'https://aXb', '']) expect(permitsAddress(['https://a.b'], url)).toBe(false);
    expect(permitsAddress([], 'https://a.b')).toBe(false);
  });
  test('takes no other sign for a pattern', () => {
    for (const sign of ['.', '+', '?', '^', '$', '{2}', '(', ')', '|', '[a]', '\\d']) {
      expect(permitsAddress([`a${sign}`], `a${sign}`)).toBe(true);
      for (const other of ['aa', 'ab', 'a', '', 'a2']) expect([sign, permitsAddress([`a${sign}`], other)]).toEqual([sign, false]);
    }
  });
  test('leaves hooks out that ask an address it does not name; without a list nothing is left out', () => {
    expect(leavesOut([['https://a/*'], undefined], ['https://a/x', 'run me'])).toBe(false);
    expect(leavesOut([['https://a/*'], ['http://b/*']], ['http://b/x'])).toBe(false);
    expect(leavesOut([['https://a/*']], ['https://a/x', 'http://b/x'])).toBe(true);
    expect(leavesOut([[]], ['https://a/x'])).toBe(true);
    expect(leavesOut([[]], ['run https://a/x', 'httpx:'])).toBe(false);
    expect(leavesOut([undefined], ['https://a/x'])).toBe(false);
  });
});

describe('a switch', () => {
  test('is on where the key has the value it is on with', () => {
    const problems = problemsIn('f');
    expect(switchAt(node({ off: true }), 'off', true, off, problems)).toEqual([{ key: 'off', at: AT, apply: off }]);
    expect(switchAt(node({ on: false }), 'on', false, off, problems, 'a.on')).toEqual([{ key: 'a.on', at: AT, apply: off }]);
    for (const value of [false, null]) expect(switchAt(node({ off: value }), 'off', true, off, problems)).toEqual([]);
    for (const owner of [undefined, node({}), node(['off']), node('off')]) expect(switchAt(owner, 'off', true, off, problems)).toEqual([]);
    expect(problems.list).toEqual([]);
    expect(switchAt(node({ off: 'true' }), 'off', true, off, problems)).toEqual([]);
    expect(problems.list).toMatchObject([{ severity: 'error', code: 'wrong-type', line: 7, column: 3 }]);
  });

  test('turns a hook off and leaves the rest of it', () => {
    expect(off(hook({ name: 'a' }))).toEqual({ ...hook({ name: 'a' }), enabled: false });
  });

  test('by name is for hooks of that name or with that command', () => {
    const { key, at, apply } = offByName({ words: ['a', 'run b'], at: AT }, 'disabled');
    expect([key, at]).toEqual(['disabled', AT]);
    const isOff = (one: Hook): boolean => !apply(one).enabled;
    expect(isOff(hook({ name: 'a' }))).toBe(true);
    expect(isOff(hook({ name: 'c' }, { command: 'run b' }))).toBe(true);
    expect(isOff(hook({ name: 'a' }, { command: 'run c' }))).toBe(true);
    const other = hook({ name: 'c' }, { command: 'run c', url: 'a' });
    expect(apply(other)).toBe(other);
    expect(isOff(hook({ name: 'c' }))).toBe(false);
  });

  test('by address is for hooks that ask another one', () => {
    const { key, at, apply } = onlyAddresses({ words: ['https://a/*'], at: AT }, 'allowed');
    expect([key, at]).toEqual(['allowed', AT]);
    const [ours, command, theirs] = [hook({}, { url: 'https://a/x' }), hook({}, { command: 'x' }), hook({}, { url: 'https://b' })];
    expect([apply(ours), apply(command)]).toEqual([ours, command]);
    expect(apply(theirs).enabled).toBe(false);
  });
});

describe('a list under a key', () => {
  test('is its texts, and may be empty', () => {
    const problems = problemsIn('f');
    expect(listAt(node({ a: ['x', 'y'] }), 'a', problems)).toEqual({ words: ['x', 'y'], at: AT });
    expect(listAt(node({ a: [] }), 'a', problems)).toEqual({ words: [], at: AT });
    for (const owner of [undefined, node({}), node({ a: null })]) expect(listAt(owner, 'a', problems)).toBeUndefined();
    expect(problems.list).toEqual([]);
  });
  test.each([['x'.repeat(3)], [[1, 'x']], [{}], [false]])('is not %j, which is told', (value) => {
    const problems = problemsIn('f');
    expect(listAt(node({ a: value as Json }), 'a', problems)).toBeUndefined();
    const [told] = problems.list;
    expect(told).toMatchObject({ severity: 'warning', code: 'wrong-type', line: 7, message: expect.stringContaining('`a`') });
    expect(told?.hint).toMatch(/\w/);
  });
});

describe('a file of an agent', () => {
  const file = document({ a: { b: true, c: ['x', 1, 'y'], d: 'text' } });

  test('is read by a path of keys', () => {
    expect(nodeAt(file)).toBe(file.root);
    expect(nodeAt(file, 'a', 'b')).toMatchObject({ kind: 'scalar', value: true });
    for (const path of [['b'], ['a', 'x'], ['a', 'b', 'c']]) expect(nodeAt(file, ...path)).toBeUndefined();
    expect(nodeAt(undefined, 'a')).toBeUndefined();
    expect([valueAt(file, 'a', 'd'), valueAt(file, 'a', 'c'), valueAt(file, 'x')]).toEqual(['text', undefined, undefined]);
    expect([wordsAt(file, 'a', 'c'), wordsAt(file, 'a', 'd'), wordsAt(file, 'x')]).toEqual([['x', 'y'], undefined, undefined]);
  });

  test('switches hooks off if the last one that says anything about it says so', () => {
    const files: Record<string, Document> = {
      on: document({ h: { off: false } }, 'on'),
      off: document({ h: { off: true } }, 'off'),
      silent: document({}, 'silent'),
      text: document({ h: { off: 'true' } }, 'text'),
    };
    const look = { read: (name: string) => files[name] } as unknown as HostLook;
    const objections = (...names: string[]): unknown => offWhere(look, names, ['h', 'off'], true);
    expect(objections('on', 'off', 'silent', 'text', 'none')).toEqual([
      {
        severity: 'error',
        code: 'hooks-switched-off',
        because: expect.stringContaining('`h.off` is true'),
        fix: expect.stringMatching(/\w/),
        file: 'off',
        line: 7,
      },
    ]);
    expect(objections('off', 'on')).toEqual([]);
    expect(objections('silent', 'none', 'text')).toEqual([]);
    expect(offWhere(look, ['on'], ['h', 'off'], false)).toHaveLength(1);
    expect(switchedOff('b', 'f')).not.toHaveProperty('line');
  });

  test('lists folders that count for everything below them, and for nothing that only begins like them', () => {
    for (const list of [['/a/b'], ['/a/b/'], ['/x', '/a']]) expect(isWithin('/a/b/c', list)).toBe(true);
    expect(isWithin('/a/b', ['/a/b'])).toBe(true);
    for (const list of [['/a/bc'], ['/a/b/c/d'], [], ['/a/b/c/']]) expect(isWithin('/a/b/c', list)).toBe(false);
    expect(isWithin('/a/bc', ['/a/b'])).toBe(false);
  });
});

function document(value: Json, file = 'f'): Document {
  return { file, root: node(value), diagnostics: [] };
}

function node(value: Json): Node {
  if (Array.isArray(value)) return { kind: 'list', at: AT, items: value.map(node) };
  if (typeof value !== 'object' || value === null) return { kind: 'scalar', at: AT, value: value as string };
  return { kind: 'map', at: AT, entries: Object.entries(value).map(([key, item]) => ({ key, at: AT, value: node(item as Json) })) };
}

function hook(some: Partial<Hook>, config: Hook['handler']['config'] = {}): Hook {
  return { name: 'h', enabled: true, handler: { type: 'command', config }, ...some } as Hook;
}
