/** A call of the library becomes an event. An unknown name is an error that suggests the nearest known one. */
import { describe, expect, test } from 'vitest';
import { PLAIN_MCP } from '../../../../src/core/event/tool-names.ts';
import { frozenCopy } from '../../../../src/core/values/frozen.ts';
import type { JsonObject } from '../../../../src/core/values/json.ts';
import {
  createEventFactory,
  dialectNamed,
  kindNamed,
  NAMELESS_SESSION,
  nativeNamed,
  takeOver,
} from '../../../../src/engine/receive/events.ts';
import { smallDialect } from '../../../flows/engine/small-engine.ts';

const dialect = { ...smallDialect('alpha'), aliases: { door: 'gate', broken: 'none' } };
const told = smallDialect('beta');
const telling = {
  ...told,
  wire: {
    ...told.wire,
    decodeEvent: () => ({ kind: 'tool.after' as const, data: { tool: 'Bash' }, session: 'own', cwd: '/own', at: 'then' }),
  },
};
const DIALECTS = [dialect, telling];
const clock = { iso: () => 'now', now: () => 0, tick: () => 0 };
const factory = createEventFactory(DIALECTS, '/here', clock, () => 'id');
const thrown = (run: () => unknown): { code: string; message: string; hint: string } => {
  try {
    run();
  } catch (error) {
    return error as never;
  }
  throw new Error('nothing was thrown');
};

test('a canonical event has an id, a time, and the session and folder of the engine, unless the caller names them', () => {
  const data = { tool: 'Bash' };
  const base = { id: 'id', kind: 'tool.before', at: 'now', data };
  expect(factory.canonical('tool.before', data, {})).toStrictEqual({ ...base, session: { id: NAMELESS_SESSION, cwd: '/here' } });
  expect(factory.canonical('tool.before', data, { session: 's' }).session).toEqual({ id: 's', cwd: '/here' });
  expect(factory.canonical('tool.before', data, { cwd: '/c' }).session).toEqual({ id: NAMELESS_SESSION, cwd: '/c' });
  expect(factory.canonical('tool.before', data, { session: 's', cwd: '/c' }).session).toEqual({ id: 's', cwd: '/c' });
  expect(NAMELESS_SESSION).toMatch(/\w/);
});

test('a native event is what its dialect reads, and the caller knows better than the payload', () => {
  expect(factory.native({ dialect: 'beta', event: 'watch' }, {})).toStrictEqual({
    ...{ id: 'id', kind: 'tool.after', at: 'then', session: { id: 'own', cwd: '/own' }, data: { tool: 'Bash' } },
    native: { dialect: 'beta', name: 'watch' },
  });
  expect(factory.native({ as: 'beta', event: 'watch', payload: {} }, { session: 's', cwd: '/c' }).session).toEqual({ id: 's', cwd: '/c' });
  expect(factory.native({ dialect: 'alpha', event: 'door', payload: { a: 1 } }, {})).toStrictEqual({
    ...{ id: 'id', kind: 'tool.before', at: 'now', session: { id: NAMELESS_SESSION, cwd: '/here' }, data: { a: 1 } },
    native: { dialect: 'alpha', name: 'gate' },
  });
});

test('an event of a host carries the other names of its tool, if there are any', () => {
  expect(factory.ofHost({ dialect: telling, mcpTools: PLAIN_MCP }, 'watch', {}).toolAliases?.length).toBeGreaterThan(0);
  expect(factory.ofHost({ dialect, mcpTools: PLAIN_MCP }, 'gate', { tool: 'nobody has this' })).not.toHaveProperty('toolAliases');
  expect(factory.ofHost({ dialect, mcpTools: PLAIN_MCP }, 'gate', { tool: 1 })).not.toHaveProperty('toolAliases');
  expect(factory.native({ dialect: 'beta', event: 'watch' }, {})).not.toHaveProperty('toolAliases');
});

test.each([null, 'x', [], 1, undefined])('a payload that is no object (%j) is an error that names the event', (payload) => {
  const canonical = thrown(() => factory.canonical('tool.before', payload, {}));
  expect(canonical).toMatchObject({
    code: 'bad-payload',
    message: expect.stringContaining('tool.before'),
    hint: expect.stringMatching(/\w/),
  });
  if (payload === undefined) return;
  expect(thrown(() => factory.native({ dialect: 'alpha', event: 'door', payload: payload as never }, {}))).toMatchObject({
    code: 'bad-payload',
    message: expect.stringContaining('gate'),
  });
});

test('an unknown dialect is an error with the nearest one, or with all of them', () => {
  expect(dialectNamed('beta', DIALECTS)).toBe(telling);
  const near = thrown(() => dialectNamed('alpho', DIALECTS));
  expect(near).toMatchObject({
    code: 'unknown-dialect',
    message: expect.stringContaining('`alpho`'),
    hint: expect.stringContaining('`alpha`'),
  });
  expect(thrown(() => dialectNamed('something', DIALECTS)).hint).toContain('alpha, beta');
  expect(thrown(() => factory.native({ dialect: 'none', event: 'gate' }, {})).code).toBe('unknown-dialect');
});

test('an unknown kind is an error with the nearest one, or with the dialects that have an event of this name', () => {
  expect(kindNamed('tool.before', DIALECTS)).toBe('tool.before');
  expect(thrown(() => factory.canonical('tool.befor', {}, {}))).toMatchObject({
    code: 'unknown-event',
    hint: expect.stringContaining('`tool.before`'),
  });
  const spoken = thrown(() => kindNamed('gate', DIALECTS));
  expect(spoken.message).toContain('`gate`');
  expect(spoken.hint).toMatch(/alpha, beta.*--as alpha.*dialect: 'alpha'/);
  expect(thrown(() => kindNamed('nothing like it at all', DIALECTS)).hint).toContain('tool.before, ');
});

test('an unknown native event is an error with the nearest one, and a name of every object is none', () => {
  expect([nativeNamed('gate', dialect), nativeNamed('door', dialect)]).toEqual(['gate', 'gate']);
  expect(thrown(() => nativeNamed('gaet', dialect))).toMatchObject({
    code: 'unknown-event',
    message: expect.stringContaining('alpha'),
    hint: expect.stringContaining('`gate`'),
  });
  for (const name of ['toString', '__proto__', 'constructor', 'broken'])
    expect(thrown(() => nativeNamed(name, dialect)).code).toBe('unknown-event');
  expect(thrown(() => nativeNamed('something else', dialect)).hint).toContain('gate, together, watch, later');
});

describe('an event that is taken over', () => {
  const input = () => ({ command: 'ls', list: [{ a: 1 }] });
  const hidden = (data: JsonObject) => Object.defineProperty(data, 'input', { value: input(), enumerable: false });
  const other = (values: object): JsonObject => values as JsonObject;
  const PAYLOADS: readonly [string, () => JsonObject][] = [
    ['a tool and its input', () => ({ tool: 'Bash', input: input() })],
    ['the two in the other order', () => ({ input: input(), tool: 'Bash' })],
    ['a tool alone', () => ({ tool: 'Bash' })],
    ['an input alone', () => ({ input: input() })],
    ['one key more', () => ({ tool: 'Bash', input: input(), toolUseId: 'call-1' })],
    ['no value for one of them', () => ({ tool: 'Bash', input: undefined })],
    ['text as input', () => ({ tool: 'Bash', input: 'ls' })],
    ['functions', () => other({ tool: () => 'Bash', input: () => 'ls' })],
    ['a tool that is an object', () => other({ tool: { name: 'Bash' }, input: input() })],
    ['a hidden input', () => hidden({ tool: 'Bash' })],
    ['an inherited input', () => Object.assign(Object.create({ input: input() }), { tool: 'Bash' })],
    ['inherited keys alone', () => Object.create({ tool: 'Bash', input: input() })],
    ['a form of its own', () => other({ tool: 'Bash', input: input(), toJSON: () => ({ tool: 'Write' }) })],
    ['an inherited form', () => Object.assign(Object.create({ toJSON: () => ({ tool: 'Write' }) }), { tool: 'Bash', input: input() })],
    ['nothing', () => ({})],
  ];

  test.each(PAYLOADS)('has a frozen copy of its payload: %s', (_, make) => {
    const data = make();
    const event = factory.canonical('tool.before', data, {});
    takeOver(event, true);
    expect(event.data).not.toBe(data);
    expect(Object.isFrozen(event) && Object.isFrozen(event.data)).toBe(true);
    expect(event.data).toStrictEqual(frozenCopy(data));
    expect(JSON.stringify(event.data)).toBe(JSON.stringify(data));
    for (const item of Object.values(event.data)) expect(Object.isFrozen(item)).toBe(true);
  });

  test('is taken over once', () => {
    const event = factory.canonical('tool.before', { tool: 'Bash', input: input() }, {});
    takeOver(event, true);
    const { data } = event;
    takeOver(event);
    expect(event.data).toBe(data);
  });

  test('is refused if its input contains it', () => {
    const data: Record<string, unknown> = { tool: 'Bash' };
    data['input'] = { data };
    const event = factory.canonical('tool.before', data, {});
    expect(thrown(() => takeOver(event, true))).toMatchObject({ code: 'bad-payload' });
  });
});
