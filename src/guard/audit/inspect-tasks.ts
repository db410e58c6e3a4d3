/** Audits the tasks of a file that a hook runs, such as a target of a Makefile or a script of a package. */
import { type JudgeOptions, judge } from '../judge.ts';
import { below } from './cover/lookup.ts';
import { reachOfShell } from './cover/reach.ts';
import { groundOf } from './cover/reach-file.ts';
import { part } from './cover/reached.ts';
import { readTasks } from './cover/tasks.ts';
import type { Files, FollowedFile } from './files.ts';
import type { Inspected } from './inspect-file.ts';

export function inspectTasks(path: string, body: string, run: FollowedFile, options: JudgeOptions, files: Files): Inspected {
  const { tool = 'make', targets = [], cwd } = run;
  const { commands, files: included, unknown } = readTasks(tool, path, body, targets, cwd);
  const each = commands.map(({ text, line }) => {
    const { findings, analysis } = judge(text, options);
    const ground = groundOf(files, options, cwd);
    const reached = ground ? reachOfShell(text, ground, options, analysis) : { runs: [], unknown: [] };
    return {
      findings: findings.map(({ span: _, ...item }) => ({ ...item, line })),
      runs: [...reached.runs, ...analysis.runs.map((one) => ({ ...one, cwd: below(cwd, one.cwd) }))],
      unknown: reached.unknown.map((one) => ({ ...one, line })),
    };
  });
  return {
    findings: each.flatMap(({ findings }) => findings),
    runs: [...included.map(part), ...each.flatMap(({ runs }) => runs)],
    unaudited: [],
    unknown: [...unknown, ...each.flatMap((one) => one.unknown)],
  };
}
