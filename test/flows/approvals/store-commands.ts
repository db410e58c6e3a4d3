/** Random things people and engines do to a store, each compared with what the model says comes of it. */
import fc from 'fast-check';
import { expect } from 'vitest';
import type { Settling, Store, TicketFilter } from '../../../src/core/contracts/store.ts';
import { type LogEntry, type LogFilter, type LogRecord, verifyChain } from '../../../src/core/record/decision-record.ts';
import type { Json } from '../../../src/core/values/json.ts';
import { sampleRecord, sampleTicket, sha256 } from '../postgres/samples.ts';
import type { StoreModel } from './store-model.ts';

/** Several handles on one store, as several processes have them. */
type Handles = readonly [Store, ...Store[]];
type Command = fc.AsyncCommand<StoreModel, Handles>;
type Act = (model: StoreModel, store: Store) => Promise<void>;

/** Everything that is kept, and whether the chain holds. */
export async function compareAll(model: StoreModel, { tickets, log }: Store): Promise<void> {
  expect(await tickets.list({}, model.now)).toEqual(model.ordered());
  const entries = await log.list({});
  expect(entries.map(unchained)).toEqual(model.entries);
  const anchor = await log.anchor();
  expect(anchor.seq).toBe(model.pruned);
  expect(verifyChain(entries, anchor, sha256)).toBeUndefined();
}

export function storeCommands(maxCommands: number): fc.Arbitrary<Iterable<Command>> {
  const usual = [opens, settles, appends, opens, settles, appends, releases, releases, releasesById, denials, passes, passes];
  const looks = [gets, lists, lists, waits, logs, logs, logs, finds, finds];
  return fc.commands([...usual, ...looks, prunes, verifies], { maxCommands, size: 'max' });
}

const digest = fc.constantFrom('sha256:a', 'sha256:b', 'sha256:c');
const shared = fc.constantFrom('sha256:x', 'sha256:y', undefined);
const root = fc.constantFrom('/one', '/two words', '/zwei/ä');
const state = fc.constantFrom('open', 'approved', 'denied', 'expired', 'withdrawn');
const settledState = fc.constantFrom<Settling['state'][]>('approved', 'approved', 'denied', 'withdrawn');
const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 8 }));
/** Sorted as text, not as numbers, nor as a dictionary would. */
const idPrefix = fc.constantFrom('t', 'T', 'a-', 'ä', '_');
/** Which of the known ones; now and then one that nobody knows. */
const pick = fc.nat({ max: 12 });
const session = fc.constantFrom('s', "o'hara", 'nul\u0000', 'half \ud800', '%');
const tool = fc.constantFrom('Bash', 'bash', 'mcp__x__y', null);
const decision = fc.constantFrom('pass', 'allow', 'hold', 'deny');
const hookName = fc.constantFrom('gate', 'gate two', '100%', "it's");
/** Steps, not milliseconds: what ends at this very moment is the case that matters. */
const offset = fc.constantFrom(-30, -20, -10, 0, 10);

const opens = command(
  'open',
  fc.record({ digest, shared, root, idPrefix, life: fc.constantFrom(10, 20, 50), reason: text, sum: json() }),
  (given) => {
    return async (model, store) => {
      const ticket = sampleTicket(`${given.idPrefix}${model.tickets.length}`, {
        digest: given.digest,
        ...(given.shared !== undefined && { shared: given.shared }),
        root: given.root,
        reason: given.reason ?? '',
        openedAt: model.now,
        expiresAt: model.now + given.life,
        action: { ...sampleTicket('any').action, sum: { value: given.sum } },
      });
      expect(await store.tickets.open(ticket, model.now)).toEqual(model.open(ticket));
    };
  },
);

const settles = command(
  'settle',
  fc.record({ pick, state: settledState, by: text, note: text, via: text, edit: json(), anyone: fc.boolean() }),
  (given) => {
    return async (model, store) => {
      const { pick: index, anyone, ...how } = given;
      const settling: Settling = { ...how, at: model.now, ...(anyone && { anyone }) };
      const id = ticketId(model, index);
      expect(await store.tickets.settle(id, settling)).toEqual(model.settle(id, settling));
    };
  },
);

const releases = command('release', fc.record({ digest, shared }), (wanted) => async (model, store) => {
  const own = model.release((ticket) => ticket.digest === wanted.digest);
  const forAnyone = () =>
    wanted.shared === undefined ? undefined : model.release((ticket) => ticket.anyone === true && ticket.shared === wanted.shared);
  expect(await store.tickets.release(wanted.digest, model.now, { shared: wanted.shared })).toEqual(own ?? forAnyone());
});

const denials = command('denied', digest, (wanted) => async (model, store) => {
  expect(await store.tickets.denied(wanted, model.now)).toEqual(model.denied(wanted));
});

const releasesById = command('releaseById', pick, (index) => async (model, store) => {
  const id = ticketId(model, index);
  expect(await store.tickets.releaseById(id, model.now)).toEqual(model.release((ticket) => ticket.id === id));
});

const gets = command('get', pick, (index) => async (model, store) => {
  const id = ticketId(model, index);
  expect(await store.tickets.get(id, model.now)).toEqual(model.get(id));
});

const limit = fc.nat({ max: 4 });
const ticketFilter = anyOf({ state, root, limit, after: pick });
const lists = command('list', ticketFilter, ({ after, ...rest }) => async (model, store) => {
  const filter = { ...rest, ...(after !== undefined && { after: ticketId(model, after) }) } as TicketFilter;
  expect(await store.tickets.list(filter, model.now)).toEqual(model.list(filter));
});

/** One that has lost its patience before it began is told how the ticket stands. */
const waits = command('waitFor', pick, (index) => async (model, store) => {
  const id = ticketId(model, index);
  expect(await store.tickets.waitFor(id, () => model.now, AbortSignal.abort())).toEqual(model.get(id));
});

const passes = command('advance', fc.constantFrom(10, 10, 20), (ms) => async (model) => model.advance(ms));

const record = fc.record({
  session,
  tool,
  decision,
  offset,
  hooks: fc.array(hookName, { maxLength: 2 }),
  data: json(),
  id: fc.nat({ max: 3 }),
});
const appends = command('append', record, ({ offset: late, hooks, data, id, ...rest }) => async (model, store) => {
  const written = sampleRecord(`o${id}`, {
    ...(rest as Pick<LogRecord, 'session' | 'tool' | 'decision'>),
    // Machines do not agree on the time.
    at: model.now + late,
    data: { data },
    outcome: { hooks: hooks.map((name, index) => ({ name, id: `skillkit:${name}#${index}` })) },
  });
  await store.log.append(written, sha256);
  model.append(written);
});

const logFilter = anyOf({
  session,
  tool: fc.constantFrom('Bash', 'none'),
  decision,
  hook: hookName,
  since: offset,
  until: offset,
  after: pick,
  limit,
});
const logs = command('log', logFilter, (given) => async (model, store) => {
  const { since, until, ...rest } = given;
  const filter = {
    ...rest,
    ...(since !== undefined && { since: model.now + since }),
    ...(until !== undefined && { until: model.now + until }),
  } as LogFilter;
  expect((await store.log.list(filter)).map(unchained)).toEqual(model.log(filter));
});

const finds = command('find', fc.nat({ max: 4 }), (id) => async (model, store) => {
  const found = await store.log.get(`o${id}`);
  expect(found && unchained(found)).toEqual(model.entries.find((entry) => entry.id === `o${id}`));
});

const prunes = command('prune', offset, (late) => async (model, store) => {
  expect(await store.log.prune(model.now + late)).toBe(model.prune(model.now + late));
});

const verifies = command('verify', fc.constant(null), () => compareAll);

function command<T>(name: string, given: fc.Arbitrary<T>, act: (value: T) => Act): fc.Arbitrary<Command> {
  return given.map((value) => ({
    check: () => true,
    run: (model, handles) => act(value)(model, handles[model.steps++ % handles.length] ?? handles[0]),
    toString: () => `${name}(${fc.stringify(value)})`,
  }));
}

/** At most two of them, so that something is found. */
function anyOf<T extends Record<string, fc.Arbitrary<unknown>>>(parts: T): fc.Arbitrary<Partial<Values<T>>> {
  const names = fc.subarray(Object.keys(parts), { maxLength: 2 });
  return names.chain((wanted) =>
    fc.record(Object.fromEntries(wanted.map((name) => [name, parts[name] ?? fc.constant(undefined)]))),
  ) as never;
}

type Values<T> = { [K in keyof T]: T[K] extends fc.Arbitrary<infer V> ? V : never };

function json(): fc.Arbitrary<Json> {
  return fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' }) as fc.Arbitrary<Json>;
}

function ticketId(model: StoreModel, index: number): string {
  return model.tickets[index % (model.tickets.length + 1)]?.id ?? 'nobody';
}

function unchained({ previous: _, hash: __, ...entry }: LogEntry): unknown {
  return entry;
}
