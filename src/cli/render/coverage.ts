/** What the hooks of each agent never see, for a person: nobody should count on a guard that is not asked. */
import type { HostReport } from '../doctor/report.ts';
import type { Style } from './style.ts';
import { block, oneLine } from './text.ts';

export function renderCoverage(hosts: readonly HostReport[], style: Style): string {
  const installed = hosts.filter((host) => host.installed);
  if (installed.length === 0) return '';
  return `${style.bold('What the hooks of these agents never see')}\n${installed.map((host) => renderOne(host, style)).join('')}`;
}

function renderOne({ title, coverage: { noEvent, onlyTold, leftOut, blind } }: HostReport, style: Style): string {
  const rows = [
    ...blind.map(({ of, what, because }) => row(of, `${what}: ${because}`, style)),
    ...listRow('no event', noEvent, style),
    ...listRow('only told', onlyTold, style),
    ...listRow('not asked', leftOut, style),
  ];
  return `  ${style.bold(title)}\n${rows.join('')}`;
}

function listRow(name: string, list: readonly string[], style: Style): string[] {
  return list.length === 0 ? [] : [row(name, list.join(', '), style)];
}

function row(name: string, text: string, style: Style): string {
  return `    ${style.cyan(name.padEnd(9))}  ${style.dim(block(oneLine(text), ' '.repeat(15), style.columns).trimStart())}\n`;
}
