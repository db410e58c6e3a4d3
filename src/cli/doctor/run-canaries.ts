/** A probe through every installed file, one after the other, and what it says about protection. */
import { resolveHome } from '../../config/home.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Host } from '../../core/host.ts';
import { lastingToken, makeFolder, serveFiles } from '../../daemon/endpoint.ts';
import { type Arguments, optionValue } from '../arguments.ts';
import { withStore } from '../store.ts';
import { probe } from './canary.ts';
import type { Examined } from './examine-host.ts';
import type { CanaryReport, HostReport } from './report.ts';

export interface Probed {
  readonly reports: readonly HostReport[];
  readonly findings: readonly Diagnostic[];
}

export async function canaries(args: Arguments, hosts: readonly Host[], examined: readonly Examined[]): Promise<Probed> {
  const home = optionValue(args, 'home');
  const env = { ...process.env, ...(home !== undefined && { HOOKLINE_HOME: resolveHome({ home }, {}).home }) };
  const findings: Diagnostic[] = [];
  const reports: HostReport[] = [];
  for (const [index, { report, files }] of examined.entries()) {
    const host = hosts[index] as Host;
    const probed = [];
    for (const [at, file] of report.files.entries()) {
      const lines = files[at]?.lines ?? [];
      const canary = lines.length === 0 ? undefined : await probe({ host, lines, env, token: () => tokenOf(home), isLogged: logged(args) });
      if (canary) findings.push(...failure(host, file.file, canary));
      probed.push({ ...file, ...(canary && { canary }) });
    }
    reports.push({ ...report, files: probed });
  }
  return { reports, findings };
}

function logged(args: Arguments): (session: string) => Promise<boolean> {
  return (session) => withStore(args, async ({ audit }) => (await audit.list({ session, limit: 1 })).length > 0).catch(() => false);
}

function tokenOf(home: string | undefined): string {
  const files = serveFiles(resolveHome({ home }, process.env).stateFolder);
  makeFolder(files.folder);
  return lastingToken(files);
}

function failure(host: Host, file: string, { arrived, denies, event, detail }: CanaryReport): Diagnostic[] {
  if (arrived && denies) return [];
  const what = arrived
    ? `half an event was not denied, so what can not be judged goes ahead in ${host.title}`
    : `${host.title} runs the line and the hooks never hear of it`;
  const message = `The canary on ${event} failed: ${what}.${detail === undefined ? '' : ` It said: ${detail}`}`;
  return [
    {
      severity: 'error',
      code: 'canary-failed',
      file,
      message,
      hint: `Run \`hookline install ${host.id}\` again, or try the line by hand.`,
    },
  ];
}
