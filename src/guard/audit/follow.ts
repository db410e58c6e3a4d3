/** Finds, reads and judges every file that a hook runs, and every file that those files run or import: once each and within limits. */
import type { Scope } from '../../core/contracts/hook.ts';
import { type Finding, finding, type Violation } from '../findings.ts';
import type { JudgeOptions } from '../judge.ts';
import { printable } from '../shell/marks.ts';
import type { Files, FollowedFile } from './files.ts';
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

export interface Closure {
  readonly findings: readonly AuditedFinding[];
  readonly files: readonly string[];
  readonly unaudited: readonly Unaudited[];
}

interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

const MOST_FILES = 50;
const MOST_IMPORTED = 200;

export function followAll(start: readonly FollowedFile[], files: Files, judging: JudgeOptions, from: Place, scope: Scope): Closure {
  const findings: AuditedFinding[] = [];
  const unaudited: Unaudited[] = [];
  const seen = new Set<string>();
  const asked = new Set<string>();
  const named = new Map<FollowedFile, Place>(start.map((run) => [run, from]));
  const queue = [...start];
  // The loop appends to the queue while it reads it.
  for (const run of queue) {
    const key = JSON.stringify(run);
    if (asked.has(key)) continue;
    asked.add(key);
    const path = files.locate(run);
    const by = named.get(run) ?? from;
    const say = (violation: Violation, place: Place): number => findings.push({ ...finding(violation, printable(run.path)), ...place });
    if (files.isMissing(run)) {
      const where = path === undefined ? 'does not exist' : "is in the hook's folder, but not in the folder in which the hook runs";
      say(auditViolation('missing-script', `The hook runs \`${printable(run.path)}\`, which ${where}.`), by);
      if (path === undefined) unaudited.push({ what: printable(run.path), why: 'The file does not exist now.', ...by });
    }
    if (path === undefined || seen.has(path)) continue;
    if (seen.size >= (run.how === 'import' ? MOST_IMPORTED : MOST_FILES)) {
      say(auditViolation('unaudited-file', `The hook runs more than ${seen.size} files.`), { file: path });
      unaudited.push({ what: path, why: `The hook runs more than ${seen.size} files.`, file: path });
      break;
    }
    seen.add(path);
    if (isForeign(scope) && files.isOutside(path))
      say(auditViolation('file-outside', `The hook runs ${path}, which is neither in its folder nor in the project.`), by);
    const inspected = inspectFile(path, run, judging, files);
    findings.push(...inspected.findings.map((item) => ({ ...item, file: path })));
    unaudited.push(...inspected.unaudited.map((why) => ({ what: path, why, file: path })));
    for (const next of inspected.runs) named.set(next, { file: path });
    queue.push(...inspected.runs);
  }
  return { findings, files: [...seen], unaudited };
}

/** Returns whether the hook comes from somewhere else. A user's own hooks can use scripts in any folder. */
function isForeign(scope: Scope): boolean {
  return scope === 'project' || scope === 'plugin' || scope === 'skill';
}
