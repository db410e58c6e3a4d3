/** The parts of the program that the bench of the views uses. */
export { openSqliteStore } from '../../src/stores/sqlite/index.ts';
export { openViews, viewsFile } from '../../src/views/open-views.ts';
export { openPostgresViews } from '../../src/views/sql/postgres.ts';
export { createSqlViews } from '../../src/views/sql/sql-views.ts';
