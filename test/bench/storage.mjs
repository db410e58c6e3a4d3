// What it costs to keep things in SQLite: a decision in the log, the store of a process that has just started, a long list of tickets.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHookline } from '../../dist/index.js';
import { bundleSource } from '../support/bundle-source.mjs';
import { inTurns, perCall, row } from './measure.mjs';
import { cost, program, run } from './process-cost.mjs';
import { folder, hookFolder } from './sample-project.mjs';
import { sampleTicket } from './sample-ticket.mjs';

const { openSqliteStore } = await import(await bundleSource('src/stores/sqlite/index.ts'));

const TICKETS = 10_000;
const AT_ONCE = 64;

export async function storage() {
  return [...(await decisionLog()), ...(await openingTheStore()), ...(await listingTickets())];
}

/** So many calls a round that each has its share of what SQLite puts off: moving its log into the file. */
async function decisionLog() {
  const file = path.join(folder('log'), 'log.db');
  const [kept, unkept] = [await engineOn(`sqlite:${file}`), await engineOn('memory:')];
  // No two alike: what is known of one command must not help with the next.
  const event = (i) => ({ tool: 'Bash', input: { command: `git show HEAD~${i}` } });
  const one = (engine) => perCall(4000, (i) => engine.fire('tool.before', event(i)));
  const many = (engine) =>
    perCall(Math.ceil(4000 / AT_ONCE), (i) =>
      Promise.all(Array.from({ length: AT_ONCE }, (_, k) => engine.fire('tool.before', event(i * AT_ONCE + k)))),
    );
  const { medians, difference } = await inTurns(15, {
    kept: one(kept),
    unkept: one(unkept),
    keptAtOnce: many(kept),
    unkeptAtOnce: many(unkept),
  });
  const entries = (await kept.log.list({ after: 0 })).length;
  const expected = 15 * (4000 + Math.ceil(4000 / AT_ONCE) * AT_ONCE);
  if (entries !== expected || kept.log.failures > 0) throw new Error(`${entries} of ${expected} decisions were written`);
  await kept.close();
  await unkept.close();
  return [
    row('one matching function, its decision in SQLite', medians.kept, 'µs'),
    row('  the same without a log', medians.unkept, 'µs'),
    row('a decision in the log (SQLite)', difference('kept', 'unkept'), 'µs', 45),
    row('  each of 64 at once', difference('keptAtOnce', 'unkeptAtOnce') / AT_ONCE, 'µs', 15),
  ];
}

async function engineOn(store) {
  const engine = await createHookline({ root: folder('root-log'), home: folder('home-log'), store });
  engine.on('tool.before', () => undefined, { match: 'Bash' });
  return engine;
}

async function openingTheStore() {
  const [file, unused] = [path.join(folder('stores'), 'used.db'), path.join(folder('stores'), 'unused.db')];
  const places = ['--root', folder('root-open'), '--home', folder('home-open'), '--json'];
  const asked = ['fire', 'prompt.build', '--payload', '{"prompt":"Hello"}', ...places, '--hooks', promptHook()];
  const passed = ['fire', 'tool.before', '--tool', 'Glob', '--input', '{}', ...places, '--hooks', hookFolder(10)];
  const fire = (args, store) => () => cost([program, ...args, '--store', store]);
  // The first run makes the file: what it costs later is what counts.
  const { hooks } = JSON.parse(run([program, ...asked, '--store', `sqlite:${file}`]));
  if (hooks[0]?.status !== 'answered' || !existsSync(file)) throw new Error(`the hook must be asked and the decision kept: ${hooks}`);
  const { medians, difference, ratio } = await inTurns(21, {
    kept: fire(asked, `sqlite:${file}`),
    unkept: fire(asked, 'memory:'),
    passed: fire(passed, `sqlite:${unused}`),
    passedUnkept: fire(passed, 'memory:'),
  });
  if (existsSync(unused)) throw new Error('no hook matched, and yet the store was opened');
  const builtin = process.getBuiltinModule('node:sqlite') !== undefined;
  return [
    row('cold `hookline fire`, one hook, its decision in SQLite (CPU)', medians.kept, 'ms'),
    row('  the same without a store (CPU)', medians.unkept, 'ms'),
    row(`opening the store (${builtin ? 'node:sqlite' : 'better-sqlite3'}, CPU)`, difference('kept', 'unkept'), 'ms', builtin ? 15 : 45),
    row('a store that is not needed, against none', ratio('passed', 'passedUnkept'), '×', 1.03),
  ];
}

/** A hook whose answer stands in its file: no process of its own that would blur the figures. */
function promptHook() {
  const hooks = folder('prompt-hook');
  mkdirSync(path.join(hooks, 'rules'), { recursive: true });
  const action = '[hook.action.prompt_inject]\ncontent = "Keep the house in order."\n';
  writeFileSync(path.join(hooks, 'rules/HOOK.toml'), `[hook]\nname = "rules"\nevent = "before_prompt_build"\n\n${action}`);
  return hooks;
}

async function listingTickets() {
  const file = path.join(folder('tickets'), 'tickets.db');
  const now = Date.now();
  const store = openSqliteStore(file);
  for (let i = 0; i < TICKETS; i++) await store.tickets.open(sampleTicket(`ticket-${i}`, now), now);
  await store.close();
  const engine = await createHookline({ root: folder('root-tickets'), home: folder('home-tickets'), store: `sqlite:${file}` });
  const list = (filter) => async () => {
    const start = performance.now();
    const tickets = await engine.approvals.list(filter);
    const took = performance.now() - start;
    if (tickets.length !== (filter.limit ?? TICKETS)) throw new Error(`${tickets.length} tickets were listed`);
    return took;
  };
  const { medians } = await inTurns(15, {
    shown: async () => {
      const start = performance.now();
      const [tickets, all] = [await engine.approvals.list({ state: 'open', limit: 100 }), await engine.approvals.count({ state: 'open' })];
      if (tickets.length !== 100 || all !== TICKETS) throw new Error(`${tickets.length} of ${all} tickets were listed`);
      return performance.now() - start;
    },
    all: list({ state: 'open', limit: TICKETS }),
    default: list({}),
    page: list({ state: 'open', limit: 100, after: 'ticket-5000' }),
    read: async () => {
      const start = performance.now();
      for (const { action } of await engine.approvals.list({ state: 'open' })) if (!action.event) throw new Error('no event');
      return performance.now() - start;
    },
  });
  await engine.close();
  return [
    row('listing 10,000 open tickets: the page that is shown (SQLite)', medians.shown, 'ms', 10),
    row('  all of them', medians.all, 'ms'),
    row('  listing without a filter', medians.default, 'ms'),
    row('  a page of 100 from their midst', medians.page, 'ms'),
    row('  listing all, and looking into each action', medians.read, 'ms'),
  ];
}
