// A process of its own on the Postgres store. `approved` or `denied`: says `ready`, waits for a word on stdin (or the first to start
// would have no rivals), settles the tickets named, fifty at a time, and prints those it won.
// `close`: waits for a ticket, closes the store, and must then come to its end.
import { openPostgresStore } from '../../../src/stores/postgres/index.ts';

const [mode, url, ...ids] = process.argv.slice(2);
const store = await openPostgresStore(url);
if (mode === 'close') {
  const waiting = store.tickets.waitFor(ids[0] ?? 'none', Date.now, new AbortController().signal).catch(() => undefined);
  await store.close();
  await waiting;
} else {
  const settling = { state: mode, at: 1_700_000_000_001, by: String(process.pid), note: null, via: 'api', edit: null };
  const won = [];
  console.log('ready');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  process.stdin.destroy();
  for (let next = 0; next < ids.length; next += 50) {
    await Promise.all(ids.slice(next, next + 50).map(async (id) => (await store.tickets.settle(id, settling)).won && won.push(id)));
  }
  console.log(won.join('\n'));
  await store.close();
}
