/** Prints what an installation changed: the files, the events, the line, and the next step. */
import path from 'node:path';
import type { Host } from '../../core/contracts/host.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { type FileChange, isChanged } from '../../install/install.ts';
import type { EntryState } from '../../install/shapes/shape.ts';
import { renderBriefly } from '../print/diagnostics.ts';
import type { Style } from '../print/style.ts';
import { block, oneLine, plural, shortName } from '../print/text.ts';

export interface Installed {
  readonly host: Host;
  readonly files: readonly FileChange[];
  /** The line in the entries, with EVENT for the event's name. */
  readonly line?: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly next: string;
}

export function renderInstalled({ host, files, line, diagnostics, next }: Installed, style: Style): string {
  const parts = together(files).map((file) => renderFile(host, file, style));
  const runs = line === undefined ? '' : `  ${style.dim('each asks')}  ${oneLine(line)}\n`;
  const warnings = renderBriefly(diagnostics, style);
  return `${parts.join('')}${runs}${warnings === '' ? '' : `\n${warnings}`}\n${style.cyan('next:')} ${next}\n`;
}

/** A host may want a file for every event: they are shown as their folder. */
function together(files: readonly FileChange[]): readonly FileChange[] {
  const [first, ...more] = files;
  if (!first || more.length === 0) return files;
  return [
    { ...first, config: { ...first.config, file: path.dirname(first.config.file) }, entries: files.flatMap(({ entries }) => entries) },
  ];
}

const VERBS: readonly (readonly [EntryState, string])[] = [
  ['added', 'added to'],
  ['updated', 'brought up to date in'],
  ['removed', 'taken out of'],
  ['kept', 'already in'],
];

function renderFile({ title }: Host, file: FileChange, style: Style): string {
  const { config, entries, backup, after } = file;
  const name = shortName(config.file);
  const lines = VERBS.flatMap(([state, verb]) => {
    const events = entries.filter((entry) => entry.state === state).map(({ event }) => event);
    if (events.length === 0) return [];
    const mark = state === 'kept' ? style.dim('=') : state === 'removed' ? style.yellow('-') : style.green('✓');
    const head = `${mark} ${style.bold(title)}: ${plural(events.length, 'entry', 'entries')} ${verb} ${name}`;
    return [head, style.dim(block(events.join(', '), '  ', style.columns))];
  });
  const kept = backup === undefined || !isChanged(file) ? [] : [style.dim(`  the file as it was: ${shortName(backup)}`)];
  const gone =
    after === undefined && config.text !== undefined && entries.length > 0
      ? [style.dim('  nothing else was in it, so the file is gone')]
      : [];
  return [...lines, ...kept, ...gone].map((text) => `${text}\n`).join('');
}
