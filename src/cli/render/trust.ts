/** Trust, for a person: what a hook would do, what is trusted, and what still waits to be looked at. */
import type { TrustEntry } from '../../config/trust.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Review } from '../trust-review.ts';
import { renderBriefly } from './diagnostics.ts';
import { preview } from './input.ts';
import { placeText, shortName } from './place.ts';
import type { Style } from './style.ts';
import { block, oneLine, plural } from './text.ts';

export function renderReview(hook: Review, style: Style): string {
  const head = `${style.bold(oneLine(hook.name))}  ${style.dim(`${hook.dialect} · ${oneLine(hook.event)}`)}  ${style.dim(placeText(hook.source))}`;
  const rows: [string, string][] = [];
  if (hook.description !== undefined) rows.push(['about', hook.description]);
  // A command is shown whole: half of it is not what would run.
  rows.push([hook.handler === 'command' ? 'runs' : hook.handler, typeof hook.runs === 'string' ? hook.runs : preview(hook.runs)]);
  if (hook.files.length > 0) rows.push(['files', hook.files.map(shortName).join('\n')]);
  const lines = rows.map(([label, text]) => `  ${style.dim(label.padEnd(8))}${block(text, ' '.repeat(10), style.columns).trimStart()}`);
  return `${[head, ...lines, ...auditLines(hook, style)].join('\n')}\n`;
}

export function renderTrust(
  state: {
    readonly root: string;
    readonly trusted: readonly TrustEntry[];
    readonly untrusted: readonly Review[];
    readonly diagnostics: readonly Diagnostic[];
  },
  style: Style,
): string {
  const { root, trusted, untrusted, diagnostics } = state;
  const entries = trusted.map(({ name, dialect, file, at }) => {
    return `  ${style.green('✓')} ${oneLine(name)}  ${style.dim(`${dialect}  ${shortName(file)}  since ${at.slice(0, 10)}`)}`;
  });
  const waiting = untrusted.map(
    (hook) =>
      `  ${style.yellow('?')} ${oneLine(hook.name)}  ${style.dim(`${hook.dialect} · ${oneLine(hook.event)}  ${placeText(hook.source)}`)}`,
  );
  return [
    `${style.bold(`${plural(trusted.length, 'hook')} trusted`)}\n${lines(entries)}`,
    `${style.bold(`${plural(untrusted.length, 'hook')} not trusted in ${shortName(root)}`)}\n${lines(waiting)}`,
    untrusted.length === 0 ? '' : `${style.cyan('next:')} \`hookline trust add\` shows what each of them would run, and asks.\n`,
    renderBriefly(diagnostics, style),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

export function renderAdded(added: readonly Review[], of: number, diagnostics: readonly Diagnostic[], style: Style): string {
  if (of === 0) return `There is nothing to trust: no untrusted hook was found.\n${renderBriefly(diagnostics, style)}`;
  const out = added.filter(({ keptOut }) => keptOut).length;
  const note = out === 0 ? '' : style.yellow(`The audit still keeps ${plural(out, 'hook')} out: mend what it found.\n`);
  return `${style.bold(`${plural(added.length, 'hook')} trusted`)}${added.length < of ? `, ${of - added.length} left as before` : ''}.\n${note}`;
}

export function renderRemoved(removed: readonly TrustEntry[], style: Style): string {
  return `${style.bold(`${plural(removed.length, 'hook')} no longer trusted`)}\n${lines(removed.map(({ name, file }) => `  - ${oneLine(name)}  ${style.dim(shortName(file))}`))}`;
}

function auditLines({ findings, keptOut }: Review, style: Style): string[] {
  if (findings.length === 0) return [`  ${style.dim('audit   ')}${style.green('nothing was found')}`];
  const rows = findings.map((finding) => {
    const paint = finding.severity === 'medium' ? style.yellow : style.red;
    const place = placeText(finding);
    return `  ${style.dim('audit   ')}${paint(`${finding.severity}: ${oneLine(finding.message)}`)}  ${style.dim(`${oneLine(finding.text)}  ${place}`)}`;
  });
  return keptOut ? [...rows, `          ${style.red('The audit keeps it out: it does not run even if it is trusted.')}`] : rows;
}

function lines(list: readonly string[]): string {
  return list.map((line) => `${line}\n`).join('');
}
