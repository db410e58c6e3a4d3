/** Finds, reads and judges every file that a hook runs, and every file that those files run or import: once each and within limits. */
import type { Scope } from '../../core/contracts/hook.ts';
import { type Finding, finding, type Violation } from '../findings.ts';
import type { JudgeOptions } from '../judge.ts';
import { isDynamic, printable } from '../shell/marks.ts';
import type { Followed } from './cover/coverage.ts';
import { below } from './cover/lookup.ts';
import type { Unknown } from './cover/reached.ts';
import { type Files, type FollowedFile, isForeign } from './files.ts';
import { inspectFile } from './inspect-file.ts';
import { auditViolation } from './rules.ts';

export type AuditedFinding = Finding & { readonly file: string; readonly column?: number };

export interface Unaudited {
  /** A file or a part of the hook. */
  readonly what: string;
  readonly why: string;
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

export interface Closure extends Followed {
  readonly findings: readonly AuditedFinding[];
  readonly unaudited: readonly Unaudited[];
}

interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

const MOST_FILES = 50;
const MOST_IMPORTED = 200;
const LOADED = /^(import|part|tasks)$/;

export function followAll(start: readonly FollowedFile[], files: Files, judging: JudgeOptions, from: Place, scope: Scope): Closure {
  const findings: AuditedFinding[] = [];
  const unaudited: Unaudited[] = [];
  const unknown: (Unknown & { readonly file: string })[] = [];
  const [folders, packages] = [new Set<string>(), new Set<string>()];
  const seen = new Set<string>();
  const inspected = new Set<string>();
  const asked = new Set<string>();
  const named = new Map<FollowedFile, Place>(start.map((run) => [run, from]));
  const queue = [...start];
  // The loop appends to the queue while it reads it.
  for (const run of queue) {
    const key = JSON.stringify(run);
    if (asked.has(key)) continue;
    asked.add(key);
    if (run.how === 'folder' || run.how === 'package') {
      (run.how === 'folder' ? folders : packages).add(run.path);
      continue;
    }
    const path = files.locate(run);
    const by = named.get(run) ?? from;
    const say = (violation: Violation, place: Place): number => findings.push({ ...finding(violation, printable(run.path)), ...place });
    if (files.isMissing(run)) {
      const where = path === undefined ? 'does not exist' : "is in the hook's folder, but not in the folder in which the hook runs";
      say(auditViolation('missing-script', `The hook runs \`${printable(run.path)}\`, which ${where}.`), by);
      if (path === undefined) unaudited.push({ what: printable(run.path), why: 'The file does not exist now.', ...by });
    }
    if (path === undefined) continue;
    // A script with unknown parts can run its own arguments.
    const runArguments = (): void => {
      if (run.args && unknown.some(({ file }) => file === path))
        queue.push(...run.args.map((arg): FollowedFile => ({ path: arg, cwd: run.cwd, how: 'script' })));
    };
    if (inspected.has(path) && run.how !== 'tasks') {
      runArguments();
      continue;
    }
    if (!seen.has(path) && seen.size >= (LOADED.test(run.how) ? MOST_IMPORTED : MOST_FILES)) {
      const why = `The hook runs more than ${seen.size} files.`;
      say(auditViolation('unaudited-file', why), { file: path });
      unaudited.push({ what: path, why, file: path });
      unknown.push({ what: printable(run.path), why: `the hook runs more than ${seen.size} files`, ...by });
      break;
    }
    seen.add(path);
    if (isForeign(scope) && files.isOutside(path))
      say(auditViolation('file-outside', `The hook runs ${path}, which is neither in its folder nor in the project.`), by);
    if (run.how === 'part') continue;
    inspected.add(path);
    const found = inspectFile(path, run, judging, files);
    findings.push(...found.findings.map((item) => ({ ...item, file: path })));
    unaudited.push(...found.unaudited.map((why) => ({ what: path, why, file: path })));
    unknown.push(...found.unknown.map((one) => ({ ...one, file: path })));
    // A script names files from the folder in which it runs.
    const next = found.runs.map((one) => (run.cwd === '' || isDynamic(run.cwd) ? one : { ...one, cwd: below(run.cwd, one.cwd) }));
    for (const one of next) named.set(one, { file: path });
    queue.push(...next);
    runArguments();
  }
  return { findings, files: [...seen], folders: [...folders], packages: [...packages], unknown, unaudited };
}
