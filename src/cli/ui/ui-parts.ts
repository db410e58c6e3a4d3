/** Hands the program's parts to the dashboard: the store, the views, the gate, and the answers of other commands. */
import { hostname } from 'node:os';
import { sha256 } from '../../api/clock.ts';
import type { Persistence } from '../../api/persistence.ts';
import type { Store } from '../../core/contracts/store.ts';
import type { LogEntry } from '../../core/record/decision-record.ts';
import { FORMATS } from '../../engine/record/export/export-log.ts';
import { readTool } from '../../guard/tools/read-tool.ts';
import type { UiParts } from '../../ui/parts.ts';
import type { Views } from '../../views/views.ts';
import type { Arguments } from '../arguments.ts';
import { exportedLog } from '../decisions/export-log.ts';
import { problemOf, problemText } from '../failure.ts';
import { userName } from '../input/user-name.ts';
import { write } from '../output.ts';
import { packageVersion } from '../version.ts';
import { listConfigured } from './engines.ts';
import { foundAgents } from './found-agents.ts';
import { needsPassphrase, settleFromPage } from './person.ts';
import { marksIn, planWish } from './plan-wish.ts';
import { tourCommand } from './tour-command.ts';

const MOST_FILES = 100;

export function uiParts(args: Arguments, keeping: Persistence, store: Store, views: Views): UiParts {
  const here = process.cwd();
  return {
    views,
    store,
    hash: sha256,
    about: {
      user: userName(),
      machine: hostname(),
      version: packageVersion(),
      store: keeping.sealed()?.store ?? 'memory',
      startedAt: Date.now(),
      canRecordAll: !keeping.recordsAll,
    },
    now: Date.now,
    needsPassphrase: (session) => needsPassphrase(args, session),
    async settle(session, ticket, wish) {
      const result = await settleFromPage(args, store, session, ticket, wish);
      if ('won' in result && result.won) keeping.notify('ticket.settled', result.ticket);
      return result;
    },
    plan: (wish) => planWish(args, here, wish),
    configured: listConfigured(args),
    agents: () => ({ agents: foundAgents(args, here), tour: tourCommand(args) }),
    marks: (command, entry) => marksIn(args, here, command, entry).catch(() => []),
    changedFiles: async (entries) => changedIn(entries),
    onProblem: reportOnce(),
    verify: (onPage) => keeping.verify({ onPage }),
    exported: (format) => exportedLog(keeping, FORMATS[format]),
  };
}

/** The follower tries again and again, so the same failure is reported once. */
function reportOnce(): (error: unknown) => void {
  let last = '';
  return (error) => {
    const { message } = problemOf(error);
    if (message === last) return;
    last = message;
    void write(2, problemText({ message: `The dashboard cannot follow the log now: ${message}`, hint: 'It tries again.' }));
  };
}

/** A tool that was denied changed nothing, so the calls that went on count. */
function changedIn(entries: readonly LogEntry[]): readonly string[] {
  const calls = entries.filter(
    ({ kind, decision }) => kind === 'tool.after' || (kind === 'tool.before' && decision !== 'deny' && decision !== 'hold'),
  );
  const paths = calls.flatMap(({ tool, data }) => readTool(tool, data['input']).paths.filter(({ use }) => use !== 'read'));
  return [...new Set(paths.map(({ path }) => path))].slice(0, MOST_FILES);
}
