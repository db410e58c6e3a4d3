/** Hooks that failed when they were last asked: by the log, until they run well again, are changed or removed. */
import { statSync } from 'node:fs';
import type { ListedHook } from '../../api/hookline.ts';
import { describeHandler } from '../../builtins.ts';
import type { HookReport } from '../../core/decision/outcome.ts';
import type { LogEntry } from '../../core/record/decision-record.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { scriptFiles } from '../../guard/index.ts';
import { type FindOptions, findHooks } from '../../load/check-files.ts';
import { loadManaged } from '../../load/managed.ts';
import { canDeny } from './examine-hooks.ts';

/** The last time that a hook was asked. */
export interface LastRun {
  readonly entry: Pick<LogEntry, 'id' | 'at' | 'kind' | 'tool'>;
  readonly report: HookReport;
}

/** The same id may belong to hooks of two projects, so the file counts too. */
export function runKey({ id, source: { file } }: Pick<HookReport, 'id' | 'source'>): string {
  return `${id}\0${file}`;
}

export async function failing(
  find: FindOptions,
  hooks: readonly ListedHook[],
  lastRuns: ReadonlyMap<string, LastRun>,
): Promise<readonly Diagnostic[]> {
  const failed = hooks.flatMap((hook) => {
    const last = lastRuns.get(runKey(hook));
    return hook.state === 'active' && last?.report.status === 'faulted' ? [{ hook, last }] : [];
  });
  if (failed.length === 0) return [];
  const changed = await lastChanges(find);
  return failed
    .filter(({ hook, last }) => (changed.get(runKey(hook)) ?? changedAt(hook.source.file)) <= last.entry.at)
    .map(({ hook, last }) => finding(hook, last));
}

function finding(hook: ListedHook, { entry, report }: LastRun): Diagnostic {
  const { name, source } = hook;
  const at = new Date(entry.at).toISOString().slice(0, 16).replace('T', ' ');
  const subject = entry.tool === null ? entry.kind : `${entry.kind} of ${entry.tool}`;
  const came = report.decision === 'deny' ? 'The action was denied because of it' : 'It has judged nothing there';
  const { kind, detail: why = 'it could not be asked' } = report.fault ?? {};
  const fault = kind === undefined ? '' : `, with fault \`${kind}\``;
  const fix = kind === 'changed' ? 'Find the program that changes its files while it runs.' : 'Fix the hook, or remove it.';
  return {
    severity: canDeny(hook) ? 'error' : 'warning',
    code: 'hook-failed',
    file: source.file,
    ...(source.line !== undefined && { line: source.line }),
    message: `Hook \`${name}\` failed when it was last asked, at ${at} UTC on ${subject}${fault}: ${why}. ${came}.`,
    hint: `${fix} \`hookline why ${entry.id}\` shows the call. This ends when its files change or when it runs well.`,
  };
}

/** Returns when the files of each hook last changed, in milliseconds. */
async function lastChanges(find: FindOptions): Promise<ReadonlyMap<string, number>> {
  const [found, managed] = await Promise.all([findHooks(find), loadManaged(find.policy, find.agents)]);
  return new Map(
    [...found.hooks, ...managed.hooks].map(({ hook }) => {
      const files = [hook.source.file, ...scriptFiles(hook, { describe: describeHandler, cwd: find.root, project: find.root })];
      return [runKey(hook), Math.max(...files.map(changedAt))];
    }),
  );
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
