// A process of its own on the Postgres store. `approved` or `denied`: settles the tickets named, many at once, and prints those it won.
// `close`: waits for a ticket, closes the store, and must then come to its end.
import { openPostgresStore } from '../../dist/stores/postgres/index.js';

const [mode, url, ...ids] = process.argv.slice(2);
const store = await openPostgresStore(url);
// All begin at the same moment, or the first one to start has no rivals.
await new Promise((resolve) => setTimeout(resolve, Math.max(0, Number(process.env.RACE_AT ?? 0) - Date.now())));
if (mode === 'close') {
  const waiting = store.tickets.waitFor(ids[0] ?? 'none', Date.now, new AbortController().signal).catch(() => undefined);
  await store.close();
  await waiting;
} else {
  const settling = { state: mode, at: 1_700_000_000_001, by: String(process.pid), note: null, via: 'api', edit: null };
  const won = await Promise.all(ids.map(async (id) => ((await store.tickets.settle(id, settling)).won ? [id] : [])));
  console.log(won.flat().join('\n'));
  await store.close();
}
