/** Every file that a hook runs, and every file that those run or import: found, read and judged once each, within limits. */
import type { Scope } from '../../core/contracts/hook.ts';
import { type Accusation, type Finding, finding } from '../findings.ts';
import type { JudgeOptions } from '../judge.ts';
import { shown } from '../shell/marks.ts';
import type { Files, Followed } from './files.ts';
import { inspectFile } from './inspect-file.ts';
import { accuse } from './rules.ts';

export type AuditedFinding = Finding & { readonly file: string; readonly column?: number };

export interface Unaudited {
  /** A file, or a part of the hook. */
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

export function followAll(start: readonly Followed[], files: Files, judging: JudgeOptions, from: Place, scope: Scope): Closure {
  const findings: AuditedFinding[] = [];
  const unaudited: Unaudited[] = [];
  const seen = new Set<string>();
  const asked = new Set<string>();
  const named = new Map<Followed, Place>(start.map((run) => [run, from]));
  const queue = [...start];
  // The queue grows while it is read.
  for (const run of queue) {
    const key = JSON.stringify(run);
    if (asked.has(key)) continue;
    asked.add(key);
    const path = files.locate(run);
    const by = named.get(run) ?? from;
    const say = (accusation: Accusation, place: Place): number => findings.push({ ...finding(accusation, shown(run.path)), ...place });
    if (path === undefined) {
      if (!files.isMissing(run)) continue;
      say(accuse('missing-script', `Runs \`${shown(run.path)}\`, which is not there.`), by);
      unaudited.push({ what: shown(run.path), why: 'Is not there now.', ...by });
    }
    if (path === undefined || seen.has(path)) continue;
    if (seen.size >= (run.how === 'import' ? MOST_IMPORTED : MOST_FILES)) {
      say(accuse('unaudited-file', `Runs more than ${seen.size} files.`), { file: path });
      unaudited.push({ what: path, why: `Is one of more than ${seen.size} files.`, file: path });
      break;
    }
    seen.add(path);
    if (isForeign(scope) && files.isOutside(path))
      say(accuse('file-outside', `Runs ${path}, which is neither in its folder nor in the project.`), by);
    const inspected = inspectFile(path, run, judging, files);
    findings.push(...inspected.findings.map((item) => ({ ...item, file: path })));
    unaudited.push(...inspected.unaudited.map((why) => ({ what: path, why, file: path })));
    for (const next of inspected.runs) named.set(next, { file: path });
    queue.push(...inspected.runs);
  }
  return { findings, files: [...seen], unaudited };
}

/** Whoever keeps hooks of their own may keep scripts wherever they like. */
function isForeign(scope: Scope): boolean {
  return scope === 'project' || scope === 'plugin' || scope === 'skill';
}
