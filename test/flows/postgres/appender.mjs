// Appends entries to a log that other processes append to, one after the other, and prints the milliseconds of each.
import { sampleRecord } from '../../../src/api/testing/sample-records.ts';
import { openPostgresStore } from '../../../src/stores/postgres/index.ts';
import { sampleLedger } from '../stores/sample-ledger.ts';

const [url, machine, count] = process.argv.slice(2);
const ledger = sampleLedger(machine);
const store = await openPostgresStore(url, { ledger });
const record = (i) => sampleRecord(`${machine}-${i}`);
await store.log.append(record('first'), ledger.hash);
const start = performance.now();
for (let i = 0; i < Number(count); i++) await store.log.append(record(i), ledger.hash);
console.log((performance.now() - start) / Number(count));
await store.close();
