/** The parts of the library that the programs of `child.ts` use. */
export { sampleRecord, sampleSettling, sampleTicket } from '../../../src/api/testing/sample-records.ts';
export { openPostgresStore } from '../../../src/stores/postgres/index.ts';
export { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
export { sampleLedger } from './sample-ledger.ts';
