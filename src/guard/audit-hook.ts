/**
 * The audit of a hook: judges the decoded object that will run, and the files it runs, and nothing else. The analysis of a command
 * decides which files are followed, so that what is judged, what is trusted and what runs are the same.
 */

import type { Hook } from '../core/hook.ts';
import { textOf } from '../core/json.ts';
import { hiddenInConfig, judgeUrl } from './audit-text.ts';
import { auditFolder, createFiles, type Files } from './files.ts';
import { type Finding, finding, tidy } from './findings.ts';
import { inspectFile } from './inspect-file.ts';
import { judge } from './judge.ts';
import type { Run } from './shell/machine.ts';

export type AuditedFinding = Finding & { readonly file: string };

export interface AuditReport {
  readonly findings: readonly AuditedFinding[];
  /** The files that the hook runs, as far as they are found. */
  readonly files: readonly string[];
}

export interface AuditOptions {
  /** Also look at every file of the hook's folder: none may be too large to read or a link that leads out. */
  readonly folder?: boolean;
  /** Where the hook's commands run if the hook itself does not say. */
  readonly cwd?: string;
}

export function auditHook(hook: Hook, options: AuditOptions = {}): AuditReport {
  const { type, config } = hook.handler;
  if (type === 'command') return auditCommand(hook, options);
  const { file, line } = hook.source;
  const url = type === 'http' ? textOf(config['url']) : undefined;
  const found = [...(url === undefined ? [] : judgeUrl(url)), ...(type === 'function' ? [] : hiddenInConfig(config))];
  return { findings: tidy(found.map((item) => ({ ...item, ...(line === undefined ? {} : { line }), file }))), files: [] };
}

/** The files that the hook runs: what its digest must cover. */
export function scriptFiles(hook: Hook, options: AuditOptions = {}): readonly string[] {
  return hook.handler.type === 'command' ? auditCommand(hook, options).files : [];
}

/** Whether the hook must not become active. */
export function isKeptOut(report: AuditReport): boolean {
  return report.findings.some(({ severity }) => severity !== 'medium');
}

const MOST_FILES = 50;

function auditCommand(hook: Hook, options: AuditOptions): AuditReport {
  const files = createFiles(hook, options.cwd);
  const findings: AuditedFinding[] = [];
  const queue: Run[] = [];
  const script = textOf(hook.handler.config['script']);
  const command = textOf(hook.handler.config['command']);
  const { file, line } = hook.source;
  if (command !== undefined) {
    const { findings: own, analysis } = judge(command, { variables: hook.env ?? {} });
    findings.push(...own.map(({ line: _, ...item }) => ({ ...item, file, ...(line === undefined ? {} : { line }) })));
    queue.push(...analysis.runs);
  }
  if (script !== undefined) queue.push({ path: script, cwd: '', how: 'script' });
  const seen = followed(queue, files, hook, findings);
  if (options.folder && hook.folder !== undefined) findings.push(...auditFolder(hook.folder));
  return { findings: tidy(findings), files: seen };
}

/** Every file that is run, and every file that those run; adds what is found in them. */
function followed(queue: Run[], files: Files, hook: Hook, findings: AuditedFinding[]): readonly string[] {
  const seen = new Set<string>();
  const asked = new Set<string>();
  // The queue grows while it is read.
  for (const run of queue) {
    const key = JSON.stringify(run);
    if (asked.has(key)) continue;
    asked.add(key);
    const path = files.locate(run);
    if (path === undefined || seen.has(path)) continue;
    if (seen.size >= MOST_FILES) {
      const hint = 'Put what the hook needs into fewer files.';
      findings.push({
        ...finding({ rule: 'unaudited-file', severity: 'high', message: `Runs more than ${MOST_FILES} files.`, hint }, path),
        file: path,
      });
      break;
    }
    seen.add(path);
    const inspected = inspectFile(path, run, { ...hook.env }, files);
    findings.push(...inspected.findings.map((item) => ({ ...item, file: path })));
    queue.push(...inspected.runs);
  }
  return [...seen];
}
