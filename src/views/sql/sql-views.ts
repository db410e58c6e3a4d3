/** The views on top of a database: the follower that fills it, and the statements that read it. */
import { createFollower, type FollowerParts } from '../follower.ts';
import type { Views } from '../views.ts';
import { readEntries, readEntryById, readFolded } from './read-entries.ts';
import { readFacets, readFigures, readTools, readTotals } from './read-figures.ts';
import { readHookSeries, readHooks } from './read-hooks.ts';
import { readNewer } from './read-newer.ts';
import { changeProblem, readProblems } from './read-problems.ts';
import { readLanes, readSession, readSessionCount, readSessions } from './read-sessions.ts';
import type { SqlDatabase } from './sql.ts';
import { createProjection } from './write-batch.ts';

/** @param batch how many entries are read at once, for tests */
export function createSqlViews(database: SqlDatabase, log: FollowerParts['log'], batch?: number): Views {
  const follower = createFollower({ log, projection: createProjection(database), ...(batch !== undefined && { batch }) });
  return {
    ...follower,
    entries: (filter = {}, page = {}) => readEntries(database, filter, page),
    folded: (filter = {}, page = {}) => readFolded(database, filter, page),
    newer: (after, upTo) => readNewer(database, after, upTo),
    entry: (id) => readEntryById(database, id),
    sessions: (filter = {}) => readSessions(database, filter),
    session: (id) => readSession(database, id),
    sessionCount: (range) => readSessionCount(database, range),
    lanes: (range) => readLanes(database, range),
    figures: (by, range) => readFigures(database, by, range),
    totals: (range) => readTotals(database, range),
    tools: (range) => readTools(database, range),
    facets: (name) => readFacets(database, name),
    hooks: (range) => readHooks(database, range),
    hookSeries: (id, by, range) => readHookSeries(database, id, by, range),
    problems: (now) => readProblems(database, now),
    changeProblem: (id, change) => changeProblem(database, id, change),
    close: () => database.close(),
  };
}
