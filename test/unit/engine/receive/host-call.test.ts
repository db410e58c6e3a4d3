/** The entry names the caller. Signs choose only between hosts that share the file of the entry, and leave a doubt that the call keeps. */
import { expect, test } from 'vitest';
import { HOSTS } from '../../../../src/builtins.ts';
import type { Host, Signs } from '../../../../src/core/contracts/host.ts';
import { encodeProblem } from '../../../../src/engine/answer/encode.ts';
import { type CallProblem, identifyCall, readHostCall } from '../../../../src/engine/receive/host-call.ts';

const [some] = HOSTS as readonly [Host, ...Host[]];
const SIGNS: Signs = { payload: [], env: [], markers: [], project: null, programs: [], editors: [] };
const host = (id: string, signs: Partial<Signs>, reads: readonly string[] = ['entry']): Host => ({
  ...some,
  id,
  signs: { ...SIGNS, ...signs },
  alsoReads: reads.map((other) => ({ host: other, scopes: ['user'] })),
});

const entry = host('entry', { env: ['ENTRY_HOME'], payload: ['entry_id'] }, []);
const byPayload = host('by-payload', { payload: ['turn'] });
const byEnvironment = host('by-environment', { env: ['AGENT_HOME'] });
const stranger = host('stranger', { payload: ['strange'], env: ['STRANGER'] }, ['other']);
const called = (payload: Record<string, string>, environment: Record<string, string>, hosts: readonly Host[]) => {
  const found = identifyCall('entry', { hook_event_name: 'PreToolUse', ...payload }, 'PreToolUse', environment, hosts);
  if ('problem' in found) throw new Error(found.problem);
  return { caller: found.host.id, others: found.others.map((one) => one.host.id).sort() };
};
const caller = (...call: Parameters<typeof called>) => called(...call).caller;

test.each([[[entry, byPayload, byEnvironment]], [[byEnvironment, byPayload, entry]]])(
  'a sign in the payload outweighs one in the environment, in any order of the hosts',
  (hosts) => {
    expect(caller({ turn: '1' }, { AGENT_HOME: '/a' }, hosts)).toBe('by-payload');
    expect(caller({ turn: '1' }, { ENTRY_HOME: '/e' }, hosts)).toBe('by-payload');
    expect(caller({ entry_id: '1' }, { AGENT_HOME: '/a' }, hosts)).toBe('entry');
  },
);

test('the environment counts where no payload says more, and the entry where nothing does', () => {
  const hosts = [entry, byPayload, byEnvironment];
  expect(caller({}, { AGENT_HOME: '/a' }, hosts)).toBe('by-environment');
  expect(caller({}, { AGENT_HOME: '' }, hosts)).toBe('entry');
  expect(caller({}, {}, hosts)).toBe('entry');
  expect(caller({ turn: '1', entry_id: '1' }, {}, hosts)).toBe('entry');
});

test('signs of a host that does not read the file of the entry never count', () => {
  expect(called({ strange: '1' }, { STRANGER: '1' }, [entry, stranger])).toEqual({ caller: 'entry', others: [] });
});

test('whoever calls by its signs, the other hosts that may be calling are kept', () => {
  const hosts = [entry, byPayload, byEnvironment, stranger];
  expect(called({}, {}, hosts).others).toEqual([]);
  expect(called({ turn: '1' }, {}, hosts)).toEqual({ caller: 'by-payload', others: ['entry'] });
  expect(called({ turn: '1', entry_id: '1' }, { AGENT_HOME: '/a' }, hosts)).toEqual({
    caller: 'entry',
    others: ['by-environment', 'by-payload'],
  });
});

test('an event that only the other host has leaves no doubt, and one that it does not have leaves the entry', () => {
  const cursor: Host = { ...(HOSTS.find(({ id }) => id === 'cursor') as Host), alsoReads: [{ host: 'entry', scopes: ['user'] }] };
  const payload = { cursor_version: '3', conversation_id: 'c' };
  expect(called({ ...payload, hook_event_name: 'preToolUse' }, {}, [entry, cursor])).toEqual({ caller: 'cursor', others: [] });
  expect(called(payload, { CURSOR_VERSION: '3' }, [entry, cursor])).toEqual({ caller: 'entry', others: [] });
});

test('the entry names the event where the payload does not, or names one that is unknown', () => {
  for (const id of HOSTS.map((one) => one.id)) {
    const { eventKey, entry: own, dialect } = HOSTS.find((one) => one.id === id) as Host;
    const name = own.events.find((event) => dialect.profile.events[event]?.grants.includes('deny')) as string;
    for (const said of [{}, { [eventKey ?? 'x']: 'BrandNew' }, { [eventKey ?? 'x']: 'constructor' }])
      expect({ id, said, on: (call({ ...said }, name, id) as { answeredOn?: string }).answeredOn }).toEqual({ id, said, on: name });
  }
});

test.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])(
  '`%s` is no event of any host, and never a failure',
  (name) => {
    for (const { id, eventKey } of HOSTS) {
      expect(() => encodeProblem(call('', name, id) as CallProblem)).not.toThrow();
      for (const payload of [{}, { [eventKey ?? 'x']: name }]) {
        const found = call(payload, name, id) as CallProblem;
        // The payload without any name still shows Copilot nothing, and it is denied there.
        expect({ id, problem: found.problem }).toEqual({ id, problem: expect.stringMatching(/^(unknown-event|unreadable)$/) });
        expect(() => encodeProblem(found)).not.toThrow();
      }
    }
  },
);

const claude = HOSTS.find(({ id }) => id === 'claude-code') as Host;
const call = (text: string | object, asked?: string, id = 'claude-code') => identifyCall(id, text as string, asked, {}, HOSTS);
const BEFORE = { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash', tool_input: { command: 'ls' } };

test('a call is read as text, with a mark of its encoding or without, and already parsed', () => {
  for (const text of [JSON.stringify(BEFORE), `\ufeff${JSON.stringify(BEFORE)}`, ` ${JSON.stringify(BEFORE)}\n`, BEFORE])
    expect(call(text)).toMatchObject({
      host: { id: 'claude-code' },
      entry: { id: 'claude-code' },
      answeredOn: 'PreToolUse',
      names: ['PreToolUse'],
      payload: BEFORE,
    });
});

test.each(['', ' \n', '[]', 'null', '"x"', '{', 'oops'])(
  'a payload that cannot be read (%j) is a problem of the host and event that the entry names',
  (text) => {
    const found = call(text, 'PreToolUse') as CallProblem;
    expect(found).toMatchObject({
      problem: 'unreadable',
      host: { id: 'claude-code' },
      event: 'PreToolUse',
      reason: expect.stringMatching(/\w.*\.$/),
    });
  },
);

test('each way of being unreadable has its own reason', () => {
  const reasons = ['', '[]', '{'].map((text) => (call(text) as { reason: string }).reason);
  expect(new Set(reasons).size).toBe(3);
});

test('an event that the host does not have is named, and asks no hook', () => {
  expect(call({ ...BEFORE, hook_event_name: 'BrandNew' })).toMatchObject({
    problem: 'unknown-event',
    host: { id: 'claude-code' },
    message: expect.stringMatching(/BrandNew.*Claude/),
  });
  const silent: Host = { ...claude, signs: SIGNS, eventsOf: () => [] };
  expect(identifyCall('claude-code', {}, undefined, {}, [silent])).toMatchObject({
    problem: 'unknown-event',
    message: expect.stringMatching(/^This event/),
  });
  const odd: Host = { ...silent, eventsOf: () => ['toString', 'PreToolUse'] };
  expect(identifyCall('claude-code', {}, undefined, {}, [odd])).toMatchObject({ names: ['PreToolUse'], answeredOn: 'PreToolUse' });
});

test('a host that says why it cannot tell its events is unreadable', () => {
  const unsure: Host = { ...claude, signs: SIGNS, eventsOf: () => 'No event is named.' };
  expect(identifyCall('claude-code', {}, 'Stop', {}, [unsure])).toMatchObject({
    problem: 'unreadable',
    event: 'Stop',
    reason: expect.stringContaining('No event is named.'),
  });
});

test('an event that the entry names counts only for the host that the entry was written for', () => {
  const asked: (string | undefined)[] = [];
  const noting = (id: string, payload: readonly string[]): Host => ({
    ...claude,
    id,
    signs: { ...SIGNS, payload },
    alsoReads: [{ host: 'entry', scopes: ['user'] }],
    eventsOf: (_, named) => {
      asked.push(named);
      return ['PreToolUse'];
    },
  });
  const hosts = [noting('entry', []), noting('other', ['turn'])];
  expect(identifyCall('entry', {}, 'Stop', {}, hosts)).toMatchObject({ host: { id: 'entry' } });
  expect(identifyCall('entry', { turn: 1 }, 'Stop', {}, hosts)).toMatchObject({ host: { id: 'other' }, entry: { id: 'entry' } });
  expect(asked).toEqual(['Stop', 'Stop', undefined]);
});

test('an unknown host is told the nearest one, and may deny unless its event is one that nothing blocks', () => {
  const near = call(BEFORE, undefined, 'claude-cod') as { message: string };
  expect(near).toMatchObject({
    problem: 'unknown-host',
    mayDeny: true,
    message: expect.stringMatching(/`claude-cod`.*hookline hook claude-code/),
  });
  expect((call(BEFORE, undefined, 'nobody knows this') as { message: string }).message).toContain(HOSTS.map(({ id }) => id).join(', '));
  const may = (text: string | object, asked?: string) => (call(text, asked, 'nobody') as { mayDeny: boolean }).mayDeny;
  expect([may(BEFORE), may('{'), may({}), may({}, 'PreToolUse'), may({}, 'toString'), may({}, 'BrandNew')]).toEqual([
    true,
    true,
    true,
    true,
    true,
    true,
  ]);
  expect([may({}, 'SessionEnd'), may({ hook_event_name: 'SessionEnd' }), may('{', 'SessionEnd')]).toEqual([false, false, false]);
  expect(may({ hook_event_name: 'SessionEnd' }, 'PreToolUse')).toBe(true);
});

test('a call is decoded once for each of its events, and a problem not at all', () => {
  const received: string[] = [];
  const receive = (_: unknown, name: string) => {
    received.push(name);
    return { id: name } as never;
  };
  const several: Host = { ...claude, signs: SIGNS, eventsOf: () => ['PreToolUse', 'Stop'] };
  expect(readHostCall('claude-code', {}, undefined, {}, [several], receive)).toMatchObject({
    names: ['PreToolUse', 'Stop'],
    event: { id: 'PreToolUse' },
    events: [{ id: 'PreToolUse' }, { id: 'Stop' }],
  });
  expect(readHostCall('claude-code', '{', undefined, {}, [several], receive)).toMatchObject({ problem: 'unreadable' });
  expect(received).toEqual(['PreToolUse', 'Stop']);
});

test('what is wrong with a payload is said', () => {
  const why = (text: string) =>
    (readHostCall('claude-code', text, 'PreToolUse', {}, HOSTS, () => ({}) as never) as { reason?: string }).reason;
  expect([' \n', '[]', '"text"', '{'].map(why)).toEqual([
    expect.stringContaining('stdin is empty'),
    expect.stringContaining('it is not a JSON object'),
    expect.stringContaining('it is not a JSON object'),
    expect.stringContaining('it is not JSON'),
  ]);
});
