/** Prints trust: what a hook would do, which hooks are trusted, which have changed, and which wait for review. */

import { sep } from 'node:path';
import type { TrustState } from '../../core/contracts/hook.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { TrustEntry } from '../../trust/trust-file.ts';
import { renderBriefly } from '../print/diagnostics.ts';
import { preview } from '../print/event-line.ts';
import type { Style } from '../print/style.ts';
import { block, oneLine, placeText, plural, shortName } from '../print/text.ts';
import type { Review } from './trust-review.ts';

export function renderReview(hook: Review, style: Style): string {
  const head = `${style.bold(oneLine(hook.name))}  ${style.dim(`${hook.dialect} · ${oneLine(hook.event)}`)}  ${style.dim(placeText(hook.source))}`;
  const rows: [string, string][] = [];
  if (hook.description !== undefined) rows.push(['about', hook.description]);
  if (hook.matcher !== '') rows.push(['matches', hook.matcher]);
  // Shows the whole command, because a part of it is not what would run.
  rows.push([
    hook.handler === 'command' ? 'runs' : hook.handler,
    typeof hook.runs === 'string' ? hook.runs : preview(hook.runs) || 'without options',
  ]);
  const { files, folders, leftOut } = hook.covers;
  if (files.length > 0) rows.push(['files', files.map(shortName).join('\n')]);
  if (folders.length > 0) rows.push(['folders', folders.map((folder) => folderText(folder, hook)).join('\n')]);
  if (leftOut.length > 0) rows.push(['without', leftOut.join(', ')]);
  rows.push(['digest', hook.digest]);
  const lines = rows.map(([label, text]) => `  ${style.dim(label.padEnd(8))}${block(text, ' '.repeat(10), style.columns).trimStart()}`);
  return `${[head, ...lines, ...unknownLines(hook, style), ...auditLines(hook, style)].join('\n')}\n`;
}

function folderText(folder: string, { files }: Review): string {
  return `${shortName(folder)}: ${plural(files.filter((file) => file.startsWith(`${folder}${sep}`)).length, 'file')}`;
}

/** Says which parts of a hook are known only at run time, and whether a whole folder is covered for them. */
function unknownLines({ covers }: Review, style: Style): string[] {
  return covers.unknown.map(({ what, why, folder, file, line }) => {
    const instead = folder === undefined ? style.yellow('not covered') : `covered by every file of ${shortName(folder)}`;
    const place = placeText({ file, ...(line !== undefined && { line }) });
    return `  ${style.dim('unknown ')}${oneLine(what)}: ${oneLine(why)} (${instead})  ${style.dim(place)}`;
  });
}

export interface TrustOverview {
  readonly root: string;
  readonly trusted: readonly TrustEntry[];
  readonly denied: readonly TrustEntry[];
  readonly hooks: readonly Review[];
  readonly diagnostics: readonly Diagnostic[];
}

const SIGNS: Readonly<Record<TrustState, string>> = { trusted: '✓', untrusted: '?', modified: '!', denied: '✗' };

export function renderTrust({ root, trusted, denied, hooks, diagnostics }: TrustOverview, style: Style): string {
  const untrusted = hooks.filter((hook) => !hook.trusted);
  const modified = untrusted.some(({ trust }) => trust === 'modified');
  const entries = (sign: string, list: readonly TrustEntry[]): string =>
    lines(
      list.map(({ name, dialect, file, at, by }) => {
        const who = by === undefined ? '' : ` by ${oneLine(by)}`;
        return `  ${sign} ${oneLine(name)}  ${style.dim(`${dialect}  ${shortName(file)}  since ${at.slice(0, 10)}${who}`)}`;
      }),
    );
  const waiting = untrusted.map(
    (hook) =>
      `  ${style.yellow(SIGNS[hook.trust])} ${hook.trust === 'untrusted' ? '' : `${hook.trust}: `}${indented(renderReview(hook, style))}`,
  );
  const here = hooks.filter((hook) => hook.trusted).map((hook) => `  ${style.green(SIGNS.trusted)} ${indented(renderReview(hook, style))}`);
  return [
    `${style.bold(`${plural(trusted.length, 'hook')} trusted`)}\n${entries(style.green(SIGNS.trusted), trusted)}`,
    denied.length === 0 ? '' : `${style.bold(`${plural(denied.length, 'hook')} denied`)}\n${entries(style.red(SIGNS.denied), denied)}`,
    here.length === 0 ? '' : `${style.bold(`${plural(here.length, 'hook')} trusted in ${shortName(root)}`)}\n${here.join('')}`,
    `${style.bold(`${plural(untrusted.length, 'hook')} not trusted in ${shortName(root)}`)}\n${waiting.join('')}`,
    untrusted.length === 0 ? '' : `${style.cyan('next:')} \`hookline trust add\` shows what each of them would run, and asks.\n`,
    modified ? `${style.cyan('next:')} \`hookline trust diff\` shows the changes since they were trusted.\n` : '',
    renderBriefly(diagnostics, style),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

export function renderAdded(
  added: readonly Review[],
  { of, denied }: { readonly of: number; readonly denied: number },
  diagnostics: readonly Diagnostic[],
  style: Style,
): string {
  if (of === 0) return `No untrusted hook was found.\n${renderBriefly(diagnostics, style)}`;
  const out = added.filter(({ keptOut }) => keptOut).length;
  const note =
    out === 0
      ? ''
      : style.yellow(`The audit still blocks ${plural(out, 'hook')}. Fix the findings to let ${out === 1 ? 'it' : 'them'} run.\n`);
  const left = of - added.length - denied;
  const deniedText = denied === 0 ? '' : `, ${denied} denied (name the path to be asked again)`;
  return `${style.bold(`${plural(added.length, 'hook')} trusted`)}${left > 0 ? `, ${left} unchanged` : ''}${deniedText}.\n${note}${renderBriefly(diagnostics, style)}`;
}

export function renderRemoved(removed: readonly TrustEntry[], style: Style): string {
  return `${style.bold(`${plural(removed.length, 'hook')} no longer trusted`)}\n${lines(removed.map(({ name, file }) => `  - ${oneLine(name)}  ${style.dim(shortName(file))}`))}`;
}

function auditLines({ findings, keptOut }: Review, style: Style): string[] {
  if (findings.length === 0) return [`  ${style.dim('audit   ')}${style.green('no findings')}`];
  const rows = findings.map((finding) => {
    const paint = { catastrophic: style.red, high: style.red, medium: style.yellow, low: style.dim }[finding.severity];
    const place = placeText(finding);
    return `  ${style.dim('audit   ')}${paint(`${finding.severity}: ${oneLine(finding.message)}`)}  ${style.dim(`${oneLine(finding.text)}  ${place}`)}`;
  });
  return keptOut ? [...rows, `          ${style.red('The audit blocks this hook: it does not run even if it is trusted.')}`] : rows;
}

function indented(text: string): string {
  return text.replaceAll(/\n(?=.)/g, '\n  ');
}

function lines(list: readonly string[]): string {
  return list.map((line) => `${line}\n`).join('');
}
