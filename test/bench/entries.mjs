// What a decision of the guard takes in each store: bytes, and time where many clients write into one log. `npm run simulate` reads these rows.
import { statSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { createHookline } from '../../dist/index.js';
import { row } from './measure.mjs';
import { startServer } from './postgres-server.mjs';
import { folder } from './sample-project.mjs';

const ENTRIES = 3000;
const CLIENTS = 24;

export async function entries() {
  const file = path.join(folder('entries'), 'log.db');
  await write([`sqlite:${file}`]);
  const server = await startServer();
  try {
    const alone = await write([server.url]);
    const many = await write(Array.from({ length: CLIENTS }, () => server.url));
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query(
      "SELECT pg_total_relation_size('hookline.audit') AS bytes, (SELECT count(*) FROM hookline.audit) AS entries",
    );
    await client.end();
    return [
      row('bytes of an entry, SQLite', statSync(file).size / ENTRIES, 'bytes'),
      row('bytes of an entry with its indexes, Postgres', Number(rows[0].bytes) / Number(rows[0].entries), 'bytes'),
      row('an entry in Postgres, one client', alone, 'ms'),
      row(`an entry in Postgres, ${CLIENTS} clients at once, each`, many, 'ms'),
    ];
  } finally {
    await server.stop();
  }
}

/** Milliseconds per entry, of so many clients that each write one entry after the other into the same log. */
async function write(urls) {
  const each = Math.ceil(ENTRIES / urls.length);
  const engines = [];
  for (const store of urls) {
    const engine = await createHookline({ root: folder('root-entries'), home: folder('home-entries'), store });
    engine.on('tool.before', 'hookline guard', { match: 'Bash' });
    await engine.fire('tool.before', { tool: 'Bash', input: { command: 'git status' } });
    engines.push(engine);
  }
  const start = performance.now();
  await Promise.all(
    engines.map(async (engine, client) => {
      for (let i = 0; i < each; i++) {
        const event = { tool: 'Bash', input: { command: `git show HEAD~${i} -- src/part-${client}/file.ts` } };
        await engine.fire('tool.before', event, { session: `session-${client}-${i % 20}` });
      }
    }),
  );
  const took = (performance.now() - start) / (each * urls.length);
  for (const engine of engines) {
    if (engine.log.failures > 0) throw new Error('an entry was not written');
    await engine.close();
  }
  return took;
}
