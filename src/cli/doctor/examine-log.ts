/** Reads from the log which hooks ran, which events agents sent, whether a denied call ran, and how much context each hook added. */

import type { Host } from '../../core/contracts/host.ts';
import type { Store } from '../../core/contracts/store.ts';
import type { EventKind } from '../../core/event/event.ts';
import { isAct, type LogEntry } from '../../core/record/decision-record.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { isObject, type Json, textOf } from '../../core/values/json.ts';
import { readRecorded } from '../../engine/record/recorded-outcome.ts';
import { type LastRun, runKey } from './examine-faults.ts';
import type { Examined } from './examine-host.ts';
import type { LogReport } from './report.ts';

/** Returns a warning for each hook whose context an agent does not give its model whole. The log records how much each hook has added. */
export function tooLong(
  { title }: Host,
  { report, limits: { context } }: Examined,
  { added }: Pick<LogFacts, 'added'>,
): readonly Diagnostic[] {
  if (!report.installed || !context) return [];
  return [...added]
    .filter(([, length]) => length > context.most)
    .map(([name, length]) => ({
      severity: 'warning',
      code: 'context-truncated',
      message: `Hook \`${name}\` has added ${length} characters; ${title} takes ${context.most} from a hook: ${context.beyond}.`,
      hint: 'Let the hook add only the text that the agent needs now, and name a file for the rest.',
    }));
}

export interface LogFacts {
  readonly report: LogReport;
  /** Ids of hooks that ran. */
  readonly asked: ReadonlySet<string>;
  readonly kinds: ReadonlyMap<EventKind, number>;
  readonly alarms: readonly Diagnostic[];
  /** The longest text each hook has added to an agent's context, by its name, in characters. */
  readonly added: ReadonlyMap<string, number>;
  /** The last time that each hook was asked, by `runKey`. */
  readonly lastRuns: ReadonlyMap<string, LastRun>;
}

export const NOTHING_KNOWN: LogFacts = {
  report: {},
  asked: new Set(),
  kinds: new Map(),
  alarms: [],
  added: new Map(),
  lastRuns: new Map(),
};

/** The newest entries are enough, so a long log is not read to its beginning. */
const NEWEST = 2000;

export async function examineLog({ log }: Store): Promise<LogFacts> {
  const entries = await log.list({ limit: NEWEST });
  const last = entries.at(-1);
  const asked = new Set<string>();
  const kinds = new Map<EventKind, number>();
  for (const entry of entries) {
    if (isAct(entry.kind)) continue;
    kinds.set(entry.kind, (kinds.get(entry.kind) ?? 0) + 1);
    for (const hook of listIn(entry.outcome, 'hooks')) {
      const id = textOf(hook['id']);
      if (id !== undefined && hook['status'] !== 'skipped') asked.add(id);
    }
  }
  const added = addedIn(entries);
  const { seq: pruned } = await log.anchor();
  const report = { entries: (last?.seq ?? pruned) - pruned, ...(last && { newest: last.at }) };
  return { report, asked, kinds, alarms: alarmsIn(entries), added, lastRuns: lastRunsIn(entries) };
}

/** A call that was given up shows nothing about its hook. */
function lastRunsIn(entries: readonly LogEntry[]): ReadonlyMap<string, LastRun> {
  const runs = new Map<string, LastRun>();
  for (const entry of entries) {
    for (const report of readRecorded(entry).hooks) {
      const hasRun = report.status === 'answered' || (report.status === 'faulted' && report.fault?.kind !== 'cancelled');
      if (hasRun) runs.set(runKey(report), { entry, report });
    }
  }
  return runs;
}

function addedIn(entries: readonly LogEntry[]): ReadonlyMap<string, number> {
  const added = new Map<string, number>();
  for (const entry of entries) {
    const { context, contextSources } = readRecorded(entry);
    for (const [index, text] of context.entries()) {
      const name = contextSources[index]?.name;
      if (name !== undefined) added.set(name, Math.max(added.get(name) ?? 0, text.length));
    }
  }
  return added;
}

function alarmsIn(entries: readonly LogEntry[]): Diagnostic[] {
  return entries.flatMap(({ id, outcome, at }) =>
    listIn(outcome, 'diagnostics')
      .filter((said) => said['code'] === ALARM)
      .map((said): Diagnostic => {
        const message = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}: ${textOf(said['message']) ?? 'a denied call ran'}`;
        return {
          severity: 'error',
          code: ALARM,
          message,
          hint: `The agent does not obey its hooks. Run \`hookline why ${id}\` for details.`,
        };
      }),
  );
}

const ALARM = 'denied-but-ran';

function listIn(outcome: Json, key: string) {
  const list = isObject(outcome) ? outcome[key] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}
