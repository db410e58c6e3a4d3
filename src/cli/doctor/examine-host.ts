/** One agent: where we are installed in it, and whether what is installed could ever ask a hook. */
import { parse } from 'jsonc-parser';
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Host } from '../../core/host.ts';
import { protects } from '../../core/host-words.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { Folders } from '../../install/host-files.ts';
import { type InstalledFile, installedFiles } from '../../install/installed.ts';
import { whyNotStarted } from '../../install/launcher.ts';
import type { HostFileReport, HostReport } from './report.ts';

export interface Examined {
  readonly report: HostReport;
  readonly files: readonly InstalledFile[];
  readonly findings: readonly Diagnostic[];
}

export function examineHost(host: Host, folders: Folders, path: string): Examined {
  const files = installedFiles(host, folders);
  const findings: Diagnostic[] = [];
  const installed = files.some(({ lines }) => lines.length > 0);
  const reports = files.map((file) => examineFile(host, file, path, installed, findings));
  if (installed) findings.push(...files.flatMap(switchedOff));
  const leftOut = Object.keys(host.speaks.profile.events).filter((event) => !host.entry.events.includes(event));
  return { report: { id: host.id, title: host.title, installed, files: reports, leftOut }, files, findings };
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
    const message = `${host.title} asks nobody: ${why}. What its hooks should judge goes ahead unjudged.`;
    findings.push({ severity: 'error', code: 'dead-entry', file, message, hint: again });
  }
  const gates = missing.filter((event) => {
    const rule = host.speaks.profile.events[event];
    return rule !== undefined && protects(rule);
  });
  if (missing.length > 0) {
    const message = `${host.title} does not tell us of ${missing.join(', ')}.`;
    findings.push({ severity: gates.length > 0 ? 'error' : 'warning', code: 'missing-entry', file, message, hint: again });
  }
  return { ...base, ...(first && { via: first.via }), state: dead.length > 0 ? 'dead' : missing.length > 0 ? 'partly' : 'installed' };
}

/** Settings by which agents switch all hooks off. */
const SWITCHES: readonly { readonly path: readonly string[]; readonly off: boolean }[] = [
  { path: ['disableAllHooks'], off: true },
  { path: ['hooksDisabled'], off: true },
  { path: ['hooksConfig', 'enabled'], off: false },
];

function switchedOff({ config }: InstalledFile): Diagnostic[] {
  if (config?.text === undefined || !config.file.endsWith('.json')) return [];
  const root: unknown = parse(config.text);
  return SWITCHES.flatMap(({ path, off }): Diagnostic[] => {
    const value = path.reduce<unknown>((node, key) => (isObject(node as Json) ? (node as Record<string, unknown>)[key] : undefined), root);
    if (value !== off) return [];
    const message = `\`${path.join('.')}\` is ${off}: no hook is asked, ours included.`;
    return [{ severity: 'error', code: 'hooks-switched-off', file: config.file, message, hint: 'Remove it, or set it the other way.' }];
  });
}
