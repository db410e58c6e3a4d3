/** The doctor's report for a person: the agents, the hooks, the record, then the problems, worst first, each with its fix. */
import path from 'node:path';
import type { Severity } from '../../core/values/diagnostic.ts';
import { INSTALL_SCOPES } from '../../install/host-files.ts';
import { renderBriefly } from '../print/diagnostics.ts';
import type { Style } from '../print/style.ts';
import { block, cutWords, oneLine, pad, plural, shortName, widthOf } from '../print/text.ts';
import { span } from '../print/time.ts';
import type { CanaryReport, DoctorReport, HostFileReport, HostReport } from './report.ts';

/** Prints what the hooks of each agent never see, so that no person relies on a guard that does not run. */
export function renderCoverage(hosts: readonly HostReport[], style: Style): string {
  const installed = hosts.filter((host) => host.installed);
  if (installed.length === 0) return '';
  return `${style.bold('Calls that the hooks of these agents never see')}\n${installed.map((host) => renderOne(host, style)).join('')}`;
}

function renderOne(
  { title, coverage: { noEvent, onlyTold, deniedEarlier, byReplyOnly, leftOut, blind } }: HostReport,
  style: Style,
): string {
  const rows = [
    ...blind.map(({ of, what, because }) => row(of, `${what}: ${because}`, style)),
    ...listRow('no event', noEvent, style),
    ...listRow('only told', onlyTold, style),
    ...deniedEarlier.map(({ kind, calls }) => row('earlier', `${kind} can be denied on ${calls} only`, style)),
    ...byReplyOnly.slice(0, 1).map(() => row('by reply', `${byReplyOnly.join(', ')}: happen if Hookline itself cannot start`, style)),
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

export function renderDoctor(report: DoctorReport, style: Style, now: number = Date.now()): string {
  const parts = [
    renderHead(report, style),
    section('Agents', renderHosts(report, style), style),
    renderCoverage(report.hosts, style),
    section('Hooks', renderHooks(report, style), style),
    section('Record', [recordLine(report, style, now)], style),
    renderBriefly(report.findings, style),
    verdict(report, style),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

const ORDER: readonly Severity[] = ['error', 'warning', 'info'];

function renderHead({ hookline, node, platform, root, home }: DoctorReport, style: Style): string {
  const versions = `${style.bold(`Hookline ${hookline}`)}${style.dim(` · Node ${node} · ${platform}`)}`;
  return `${versions}\n${style.dim(`project ${shortName(root) || root} · home ${oneLine(home)}`)}\n`;
}

function section(title: string, lines: readonly string[], style: Style): string {
  return `${style.bold(title)}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function renderHosts({ hosts, home }: DoctorReport, style: Style): string[] {
  if (hosts.length === 0) return [style.dim('no agent was found: `hookline install <host>` works all the same')];
  const wide = Math.max(...hosts.map(({ title }) => widthOf(title)));
  return hosts.flatMap((host) => renderHost(host, wide, home, style));
}

function renderHost({ id, title, installed, ignored, files }: HostReport, wide: number, home: string, style: Style): string[] {
  const name = style.bold(pad(title, wide));
  const there = files.filter(({ state }) => state !== 'absent' && state !== 'not-installed');
  if (there.length === 0 || (!installed && there.every(({ state }) => state !== 'unreadable')))
    return [`${style.yellow('○')} ${name}  ${ignored ? 'left out on purpose' : 'not installed'}  ${style.dim(`hookline install ${id}`)}`];
  return INSTALL_SCOPES.flatMap((scope) => asOne(there.filter((file) => file.scope === scope))).flatMap((file, index) => {
    const lead = index === 0 ? name : pad('', wide);
    const about = `${file.scope.padEnd(7)}  ${tilde(file.file, home)}  ${style.dim(stateText(file))}`;
    const canary = file.canary ? [`  ${pad('', wide)}  ${canaryText(file.canary, style)}`] : [];
    return [`${markOf(file, style)} ${lead}  ${about}`, ...canary];
  });
}

/** A host may have a file for every event: they are shown as their folder. */
function asOne(files: readonly HostFileReport[]): readonly HostFileReport[] {
  const [first, ...more] = files;
  if (!first || more.length === 0) return files;
  const worst = WORST.find((state) => files.some((file) => file.state === state)) ?? first.state;
  const canary = files.find((file) => file.canary)?.canary;
  const [events, missing] = [files.flatMap((file) => file.events), files.flatMap((file) => file.missing)];
  return [{ ...first, file: path.dirname(first.file), state: worst, events, missing, ...(canary && { canary }) }];
}

const WORST: readonly HostFileReport['state'][] = ['unreadable', 'dead', 'ignored', 'changed', 'partly', 'installed'];

function markOf({ state, canary }: HostFileReport, style: Style): string {
  if (['dead', 'ignored', 'changed', 'unreadable'].includes(state) || (canary && !(canary.arrived && canary.denies))) return style.red('✗');
  return state === 'partly' ? style.yellow('!') : style.green('✓');
}

function stateText({ state, events, via }: HostFileReport): string {
  const by = via === 'http' ? 'asked over http' : 'asked by command';
  const count = events.length === 0 ? 'all events' : plural(events.length, 'event');
  switch (state) {
    case 'installed':
      return `${count}, ${by}`;
    case 'partly':
      return `${count}, not all of them`;
    case 'changed':
      return 'the entry is there, but not as it was installed';
    case 'ignored':
      return 'the entry is there, but the agent does not run it';
    case 'dead':
      return 'the entry is there, but its line cannot run';
    default:
      return 'cannot be read';
  }
}

function canaryText({ arrived, denies, shownBy, event, ms, detail, notSent }: CanaryReport, style: Style): string {
  const lead = style.dim(`canary on ${event}:`);
  if (arrived && denies) {
    return `${lead} ${style.green('✓')} arrived in ${ms} ms${shownBy === 'log' ? ', the log has it' : ''}, and a deny comes back`;
  }
  if (notSent !== undefined) return `${lead} ${style.red(`✗ not sent: ${notSent}.`)}`;
  const why = detail === undefined ? '' : ` ${style.dim(cutWords(oneLine(detail), Math.max(40, style.columns - 20)))}`;
  return `${lead} ${style.red(arrived ? '✗ it arrived, but half an event was not denied.' : '✗ it did not arrive.')}${why}`;
}

function renderHooks({ hooks }: DoctorReport, style: Style): string[] {
  if (hooks.total === 0) return [style.dim('none were found: `hookline help list` shows where hooks are searched for')];
  const others = Object.entries(hooks.states).filter(([state]) => state !== 'active');
  const counts = [
    `${plural(hooks.total, 'hook')}, ${hooks.active} active`,
    ...others.map(([state, count]) => `${count} ${oneLine(state)}`),
  ];
  const wide = Math.max(0, ...hooks.kinds.map(({ kind }) => kind.length));
  const rows = hooks.kinds.map(({ kind, hooks: names, gates }) => {
    const text = `${style.dim(gates ? 'can deny  ' : 'looks on  ')}${cutWords(oneLine(names.join(', ')), Math.max(20, style.columns - wide - 18))}`;
    return `${style.cyan(pad(kind, wide))}  ${text}`;
  });
  return [counts.join(', '), ...rows, ...renderJudges(hooks.judged, style)];
}

/** Prints one line for each model that answers hooks, and one for the hooks that no model answers. */
function renderJudges(judged: DoctorReport['hooks']['judged'], style: Style): string[] {
  const models = [...new Set(judged.map(({ model }) => model))];
  return models.map((model) => {
    const names = judged.filter((one) => one.model === model).map(({ hook }) => hook);
    const by = model === null ? style.red('✗ no model answers') : `${style.green('✓')} ${oneLine(model)} answers`;
    return `${by} ${cutWords(oneLine(names.join(', ')), Math.max(20, style.columns - 40))}`;
  });
}

function recordLine({ log }: DoctorReport, style: Style, now: number): string {
  if (log.entries === undefined) return `${style.red('✗')} the store cannot be opened`;
  if (log.newest === undefined) return style.dim('nothing is on record yet');
  return `${style.green('✓')} ${plural(log.entries, 'decision')}, the newest ${span(now - log.newest)} ago`;
}

function verdict({ findings, healthy, hosts, hooks }: DoctorReport, style: Style): string {
  const counts = ORDER.map((severity) => findings.filter((one) => one.severity === severity).length);
  const [errors = 0, warnings = 0] = counts;
  if (!healthy) return `${style.red(style.bold(`✗ ${plural(errors, 'problem')}: protection is not in force.`))}\n`;
  const checked = `${plural(hosts.filter(({ installed }) => installed).length, 'agent')}, ${plural(hooks.total, 'hook')}`;
  const waiting = hooks.total - hooks.active - (hooks.states['disabled'] ?? 0);
  const more = [
    ...(warnings === 0 ? [] : [`${plural(warnings, 'warning')}.`]),
    ...(hooks.total === 0 ? ['There is no hook yet, so nothing is judged.'] : []),
    ...(waiting === 0 ? [] : [`${plural(waiting, 'hook is', 'hooks are')} not in force.`]),
  ];
  return `${style.green(style.bold(`✓ ${checked}: no ${warnings === 0 ? 'problems' : 'errors'} found.`))}${more.map((one) => ` ${style.yellow(one)}`).join('')}\n`;
}

function tilde(file: string, home: string): string {
  const short = shortName(file);
  return short.startsWith(`${home}/`) ? `~${short.slice(home.length)}` : short;
}
