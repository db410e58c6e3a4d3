/** Examines one agent: where Hookline is installed in it, and whether the entries can run. */

import type { Host } from '../../core/contracts/host.ts';
import type { HostLimits } from '../../core/contracts/host-limits.ts';
import { isBlockingEvent } from '../../core/meaning/profile.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { Folders } from '../../install/host-files.ts';
import { objectionsTo, type ReadHostFile } from '../../install/host-look.ts';
import { type InstalledFile, installedFiles } from '../../install/installed.ts';
import { whyNotStarted } from '../../install/launcher.ts';
import { coverageOf } from './coverage.ts';
import type { HostFileReport, HostReport } from './report.ts';

export interface Examined {
  readonly report: HostReport;
  readonly limits: HostLimits;
  readonly files: readonly InstalledFile[];
  readonly findings: readonly Diagnostic[];
}

export interface HostContext {
  readonly hosts: readonly Host[];
  readonly folders: Folders;
  readonly path: string;
  readonly look: ReadHostFile;
}

export async function examineHost(host: Host, { hosts, folders, path, look }: HostContext): Promise<Examined> {
  const limits = await host.limits();
  const files = installedFiles(host, folders);
  const findings: Diagnostic[] = [];
  const installed = files.some(({ lines }) => lines.length > 0);
  const reports = files.map((file): HostFileReport => {
    const report = examineFile(host, file, path, installed, findings);
    const objections = objectionsTo(host, limits, file, look);
    findings.push(...sayTwice(host, file), ...objections);
    const isIgnored = report.state !== 'dead' && objections.some(({ severity }) => severity === 'error');
    return isIgnored ? { ...report, state: 'ignored' } : report;
  });
  const coverage = coverageOf(host, hosts, limits.blind);
  return { report: { id: host.id, title: host.title, installed, files: reports, coverage }, limits, files, findings };
}

function examineFile(host: Host, found: InstalledFile, path: string, installed: boolean, findings: Diagnostic[]): HostFileReport {
  const { scope, file, lines, missing, problem, config } = found;
  const events = lines.flatMap(({ event }) => event ?? []);
  const base = { scope, file, events, missing };
  if (problem) {
    findings.push({ ...problem, severity: installed ? 'error' : 'warning' });
    return { ...base, state: 'unreadable' };
  }
  const [first] = lines;
  if (!first && missing.length === 0) return { ...base, state: config?.text === undefined ? 'absent' : 'not-installed' };
  const dead = [...new Set(lines.flatMap(({ program }) => whyNotStarted(program, path) ?? []))];
  const again = `Run \`hookline install ${host.id}${scope === 'user' ? '' : ' --scope project'}\` again.`;
  for (const why of dead) {
    const message = `${host.title} runs no hook: ${why}. Its actions are not judged.`;
    findings.push({ severity: 'error', code: 'dead-entry', file, message, hint: again });
  }
  const gates = missing.filter((event) => {
    const rule = host.dialect.profile.events[event];
    return rule !== undefined && isBlockingEvent(rule);
  });
  if (missing.length > 0) {
    const message = `${host.title} has no entry of Hookline for ${missing.join(', ')}.`;
    findings.push({ severity: gates.length > 0 ? 'error' : 'warning', code: 'missing-entry', file, message, hint: again });
  }
  return { ...base, ...(first && { via: first.via }), state: dead.length > 0 ? 'dead' : missing.length > 0 ? 'partly' : 'installed' };
}

/** The agent runs each of several equal entries. */
function sayTwice(host: Host, { file, lines }: InstalledFile): Diagnostic[] {
  const events = lines.flatMap(({ event }) => event ?? []);
  const twice = [...new Set(events.filter((event, index) => events.indexOf(event) !== index))];
  if (twice.length === 0) return [];
  const message = `Hookline's entry for ${twice.join(', ')} is more than once in this file, so ${host.title} runs it as often.`;
  return [{ severity: 'warning', code: 'duplicate-entry', file, message, hint: `Run \`hookline install ${host.id}\` again.` }];
}
