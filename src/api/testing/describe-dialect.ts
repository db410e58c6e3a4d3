/**
 * The contract of a dialect, as tests: its profile is data, its events survive encoding and decoding, each of its replies has one meaning,
 * and nothing throws.
 */

import type { Dialect, LoadContext, Quirk } from '../../core/contracts/dialect.ts';
import { type EventKind, type HookEvent, isEventKind } from '../../core/event/event.ts';
import { interpret } from '../../core/meaning/interpret.ts';
import type { EventRule } from '../../core/meaning/profile.ts';
import { render } from '../../core/meaning/render.ts';
import type { Document, Node } from '../../core/values/document.ts';
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';
import { asSaid, meaningOf, sampleEvent, sampleHook, sampleVerdicts } from './samples.ts';
import type { Suite } from './suite.ts';

const at = { line: 1, column: 1 };

/** Unexpected values. A dialect that reads one returns data and never throws. */
export const NONSENSE_JSON: readonly Json[] = [
  null,
  true,
  0,
  -1e308,
  '',
  'text',
  [],
  [[[]]],
  {},
  { decision: 7, reason: {}, ok: 'yes', cancel: 'no', continue_execution: 'false' },
  { decision: 'deny', reason: null },
  JSON.parse('{"__proto__": {"decision": "deny"}, "constructor": 1, "toString": null}'),
  { event: 1, session_id: {}, tool_name: [], tool_input: 'x', timestamp: 'never', metadata: 3, context: [], hooks: null },
];

export function nonsenseValues(): unknown[] {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  return [...NONSENSE_JSON, undefined, () => 'deny', Symbol('deny'), 10n, Number.NaN, new Map(), new Date(Number.NaN), cycle];
}

/** Documents with every shape at the top, and with every shape below `hooks` and `hook`. */
export function nonsenseDocuments(): Document[] {
  const shapes: Node[] = [
    ...[null, true, 7, 'text'].map((value): Node => ({ kind: 'scalar', at, value })),
    { kind: 'list', at, items: [] },
    { kind: 'list', at, items: [{ kind: 'scalar', at, value: null }] },
    { kind: 'map', at, entries: [] },
    { kind: 'map', at, entries: [{ key: '__proto__', at, value: { kind: 'scalar', at, value: 'x' } }] },
  ];
  const below = ['hooks', 'hook', 'trigger', 'name'].flatMap((key) =>
    shapes.map((value): Node => ({ kind: 'map', at, entries: [{ key, at, value }] })),
  );
  return [{ file: 'nonsense', diagnostics: [] }, ...[...shapes, ...below].map((root) => ({ file: 'nonsense', root, diagnostics: [] }))];
}

export interface DialectFixtures {
  /** Maps an event name to payloads as the dialect's own host writes them. Decoding and encoding must lose nothing of them. */
  readonly payloads?: Readonly<Record<string, readonly JsonObject[]>>;
  /** Where the format surprises. */
  readonly quirks?: readonly Quirk[];
  /** The text of the dialect's tests. It must contain the id of every quirk. */
  readonly tests?: string;
  /** The reason why this dialect cannot read back an event that it writes. */
  readonly oneWay?: { readonly skip: string };
}

export function describeDialect(suite: Suite, dialect: Dialect, fixtures: DialectFixtures = {}): void {
  suite.describe(`dialect ${dialect.id}`, () => {
    profileLaws(suite, dialect);
    eventLaws(suite, dialect, fixtures);
    answerLaws(suite, dialect);
    loadLaws(suite, dialect);
    quirkLaws(suite, fixtures);
  });
}

function profileLaws({ test, expect }: Suite, { profile }: Dialect): void {
  const rules: readonly EventRule[] = Object.values(profile.events);

  test('the profile is plain data: JSON gives it back unchanged', () => {
    expect(JSON.parse(JSON.stringify(profile))).toEqual(profile);
    expect(holdsOnlyData(profile)).toBe(true);
  });

  test('every event maps to kinds that exist', () => {
    expect(rules.filter(({ kinds }) => kinds.length === 0 || !kinds.every(isEventKind))).toEqual([]);
  });

  test('no row of a table follows the row that catches the rest', () => {
    const tables = [profile.read, ...rules.map((rule) => rule.read ?? {})];
    expect(tables.filter(({ exit = [] }) => exit.slice(0, -1).some((row) => row.exit === 'other'))).toEqual([]);
    expect(tables.filter(({ status = [] }) => status.slice(0, -1).some((row) => row.status === 'other'))).toEqual([]);
  });
}

function eventLaws({ test, expect }: Suite, dialect: Dialect, { payloads = {}, oneWay }: DialectFixtures): void {
  const { profile, wire } = dialect;

  test('an event is written as JSON', () => {
    for (const [name, kind] of eventsOf(dialect)) {
      const written = wire.encodeEvent(sampleEvent(kind), name);
      expect(JSON.parse(JSON.stringify(written))).toEqual(written);
    }
  });

  const readBack = 'an event that is written reads back as the same event';
  const testReadBack = oneWay
    ? (body: () => void) => test.skip(`${readBack} (${oneWay.skip})`, body)
    : (body: () => void) => test(readBack, body);
  testReadBack(() => {
    for (const [name, kind] of eventsOf(dialect)) {
      const written = wire.encodeEvent(sampleEvent(kind), name);
      const again = reread(dialect, name, written, sampleEvent(kind));
      expect({ name, kind: again.kind }).toEqual({ name, kind });
      expect({ name, written: wire.encodeEvent(again, name) }).toEqual({ name, written });
    }
  });

  for (const [name, examples] of Object.entries(payloads)) {
    test(`a native payload of ${name} loses nothing on its way through the canonical event`, () => {
      for (const payload of examples) {
        const base = sampleEvent(profile.events[name]?.kinds[0] ?? 'notification', {});
        const written = wire.encodeEvent(reread(dialect, name, payload, base), name);
        expect(Object.fromEntries(Object.keys(payload).map((key) => [key, written[key]]))).toEqual(payload);
      }
    });
  }

  test('a payload of nonsense is decoded into an event of a known kind', () => {
    for (const name of Object.keys(profile.events)) {
      for (const payload of NONSENSE_JSON.filter(isObject)) expect(isEventKind(wire.decodeEvent(name, payload).kind)).toBe(true);
    }
  });

  test('a payload cannot reach the prototype of anything', () => {
    const payload = JSON.parse('{"__proto__": {"polluted": true}, "metadata": {"__proto__": {"polluted": true}}}');
    for (const name of Object.keys(profile.events)) {
      const { data } = wire.decodeEvent(name, payload);
      expect([data['polluted'], isObject(data['metadata']) && data['metadata']['polluted']].includes(true)).toBe(false);
    }
    expect(({} as JsonObject)['polluted']).toBe(undefined);
  });
}

function answerLaws({ test, expect }: Suite, dialect: Dialect): void {
  const { profile, wire } = dialect;

  test('a verdict that is rendered is interpreted as the same verdict', () => {
    for (const [name, kind, rule] of eventsOf(dialect)) {
      for (const verdict of sampleVerdicts(rule.grants, kind)) {
        const said = render(verdict, name, dialect);
        if (!said) continue;
        const meant = interpret(said, sampleHook(dialect, name), rule, dialect, sampleEvent(kind));
        const meaning = 'decision' in meant ? meaningOf(meant, profile.fold) : meant;
        expect({ name, meaning }).toEqual({ name, meaning: meaningOf(asSaid(verdict, rule), profile.fold) });
      }
    }
  });

  test('an answer of nonsense is a verdict, or a sentence that says what is wrong with it', () => {
    for (const [name, kind] of eventsOf(dialect)) {
      for (const value of NONSENSE_JSON) expect(isVerdictOrText(wire.decodeReply(value, name, sampleEvent(kind)))).toBe(true);
      for (const value of nonsenseValues()) expect(isVerdictOrText(wire.decodeValue(value, name, sampleEvent(kind)))).toBe(true);
    }
  });
}

function loadLaws({ test, expect }: Suite, dialect: Dialect): void {
  test('a file of any shape loads into hooks and diagnostics', async () => {
    const load = await dialect.loader();
    for (const document of nonsenseDocuments()) {
      const { hooks, diagnostics } = load(document, EMPTY_FOLDER);
      expect(hooks.filter((hook) => !Object.hasOwn(dialect.profile.events, hook.event) || hook.dialect !== dialect.id)).toEqual([]);
      expect(Array.isArray(diagnostics)).toBe(true);
    }
  });
}

function quirkLaws({ test, expect }: Suite, { quirks = [], tests }: DialectFixtures): void {
  test('every quirk has a name of its own, a sentence and a test', () => {
    const ids = quirks.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(quirks.filter(({ id, behaviour }) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || behaviour.trim() === '')).toEqual([]);
    if (tests !== undefined) expect(ids.filter((id) => !tests.includes(id))).toEqual([]);
  });
}

function eventsOf({ profile }: Dialect): (readonly [name: string, kind: EventKind, rule: EventRule])[] {
  return Object.entries<EventRule>(profile.events).flatMap(([name, rule]) => rule.kinds.map((kind) => [name, kind, rule] as const));
}

const EMPTY_FOLDER: LoadContext = {
  scope: 'project',
  folder: '/nowhere/gate',
  folderName: 'gate',
  idPrefix: 'test:gate',
  checkPattern: () => undefined,
  read: () => undefined,
  stat: () => undefined,
};

/** `JSON.stringify` drops values that are not data without an error, so this looks for them. */
function holdsOnlyData(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value === 'object' && Object.values(value).every(holdsOnlyData);
}

/** Returns the event that a host of this dialect would fire with this payload. */
function reread(dialect: Dialect, name: string, payload: JsonObject, base: HookEvent): HookEvent {
  const { kind, data, session, cwd, at } = dialect.wire.decodeEvent(name, payload);
  return {
    ...base,
    kind,
    data,
    at: at ?? base.at,
    session: { id: session ?? base.session.id, cwd: cwd ?? base.session.cwd },
    native: { dialect: dialect.id, name },
  };
}

function isVerdictOrText(value: unknown): boolean {
  return typeof value === 'string' || (isObject(value) && isObject(value['decision']) && Array.isArray(value['effects']));
}
