/** The parts of the program that write a long log. */
export { follow, GENESIS } from '../../src/core/record/decision-record.ts';
export { canonicalJson } from '../../src/core/values/digest.ts';
export { openSqliteStore } from '../../src/stores/sqlite/index.ts';
