/** Examines one agent: where Hookline is installed in it, and whether the entries can run. */

import type { Host } from '../../core/contracts/host.ts';
import type { HostLimits } from '../../core/contracts/host-limits.ts';
import { isBlockingEvent } from '../../core/meaning/profile.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { flawsOf } from '../../install/entry-reading.ts';
import type { Folders } from '../../install/host-files.ts';
import { objectionsTo, type ReadHostFile } from '../../install/host-look.ts';
import { droppedBy } from '../../install/host-reading.ts';
import { type InstalledFile, installedFiles } from '../../install/installed.ts';
import { vanishing } from '../../install/lasting-path.ts';
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
    const objections = [...notRead(host, file), ...objectionsTo(host, limits, file, look)];
    const changes = changesIn(host, file);
    findings.push(...sayTwice(host, file), ...objections, ...changes);
    const isIgnored = objections.some(({ severity }) => severity === 'error');
    const isChanged = changes.some(({ severity }) => severity === 'error');
    if (report.state === 'dead' || !(isIgnored || isChanged)) return report;
    return { ...report, state: isIgnored ? 'ignored' : 'changed' };
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
  for (const remark of new Map(lines.flatMap(({ program }) => vanishing(program, host.id, path)).map((one) => [one.message, one])).values())
    findings.push({ ...remark, file });
  if (missing.length > 0) {
    const message = `${host.title} has no entry of Hookline for ${missing.join(', ')}.`;
    findings.push({
      severity: gatesAmong(host, missing).length > 0 ? 'error' : 'warning',
      code: 'missing-entry',
      file,
      message,
      hint: again,
    });
  }
  return { ...base, ...(first && { via: first.via }), state: dead.length > 0 ? 'dead' : missing.length > 0 ? 'partly' : 'installed' };
}

/** The agent's own parser refuses the file, or it is a script that may not be executed. Without an entry of Hookline, only its own hooks are lost. */
function notRead(host: Host, { lines, config }: InstalledFile): Diagnostic[] {
  if (config === undefined) return [];
  const dropped = droppedBy(host, config);
  if (dropped) return [lines.length > 0 ? dropped : { ...dropped, severity: 'warning' }];
  const { file, text, mode = 0 } = config;
  if (lines.length === 0 || process.platform === 'win32' || !text?.startsWith('#!') || (mode & 0o111) !== 0) return [];
  const message = `${host.title} does not run this file, because it may not be executed.`;
  return [{ severity: 'error', code: 'dead-entry', file, message, hint: `Run \`hookline install ${host.id}\` again, or \`chmod +x\` it.` }];
}

/** Entries that the agent runs for fewer calls, or at another event, than an installation asks for. */
function changesIn(host: Host, found: InstalledFile): Diagnostic[] {
  const { misplaced, changed } = flawsOf(host, found);
  const rows = [
    ...misplaced.map((event) => ({ event, what: `is not where ${host.title} looks for it` })),
    ...changed.map(({ event, keys }) => ({ event, what: `is not as it was installed (${keys.join(', ')})` })),
  ];
  const byText = new Map<string, string[]>();
  for (const { event, what } of rows) byText.set(what, [...(byText.get(what) ?? []), event]);
  return [...byText].map(([what, events]) => ({
    severity: gatesAmong(host, events).length > 0 ? 'error' : 'warning',
    code: 'changed-entry',
    file: found.file,
    message: `Hookline's entry for ${events.join(', ')} ${what}, so ${host.title} may not ask it about every call.`,
    hint: `Run \`hookline install ${host.id}${found.scope === 'user' ? '' : ' --scope project'}\` again.`,
  }));
}

function gatesAmong({ dialect }: Host, events: readonly string[]): readonly string[] {
  return events.filter((event) => {
    const rule = dialect.profile.events[event];
    return rule !== undefined && isBlockingEvent(rule);
  });
}

/** The agent runs each of several equal entries. */
function sayTwice(host: Host, { file, lines }: InstalledFile): Diagnostic[] {
  const events = lines.flatMap(({ event }) => event ?? []);
  const twice = [...new Set(events.filter((event, index) => events.indexOf(event) !== index))];
  if (twice.length === 0) return [];
  const message = `Hookline's entry for ${twice.join(', ')} is more than once in this file, so ${host.title} runs it as often.`;
  return [{ severity: 'warning', code: 'duplicate-entry', file, message, hint: `Run \`hookline install ${host.id}\` again.` }];
}
