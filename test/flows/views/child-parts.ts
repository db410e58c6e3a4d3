/** The parts of the program that a follower in a process of its own uses. */
export { openPostgresStore } from '../../../src/stores/postgres/index.ts';
export { openSqliteStore } from '../../../src/stores/sqlite/index.ts';
export { openPostgresViews } from '../../../src/views/sql/postgres.ts';
export { createSqlViews } from '../../../src/views/sql/sql-views.ts';
export { openSqliteViews } from '../../../src/views/sql/sqlite.ts';
