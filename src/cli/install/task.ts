/** Carries out what `install` or `uninstall` has planned, or shows it, and says what came of it. */
import type { Diagnostic } from '../core/diagnostic.ts';
import { type Change, carryOut, type FileChange, isChanged } from '../install/install.ts';
import { CommandError } from './answer.ts';
import { EXIT } from './exit-codes.ts';
import { diffLines, unified } from './line-diff.ts';

const TRIES = 3;

/** Planned anew as long as somebody else writes to the same files. */
export function change(plan: () => Change, dryRun: boolean): Change {
  for (let tries = 0; tries < TRIES; tries++) {
    const planned = plan();
    if ('problems' in planned || dryRun || written(planned.files)) return planned;
  }
  throw new CommandError({
    exit: EXIT.negative,
    code: 'usage',
    message: 'The file changes all the time, so nothing was written to it.',
    hint: 'Quit the agent, and try again.',
  });
}

function written(files: readonly FileChange[]): boolean {
  try {
    return carryOut(files);
  } catch (cause) {
    const message = `It can not be written: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new CommandError({ exit: EXIT.config, code: 'usage', message, hint: 'Give yourself the right to write there.' });
  }
}

/** As `diff -u` prints it. */
export function diffOf(change: FileChange): string {
  const { config, after } = change;
  if (!isChanged(change)) return '';
  const [from, to] = [config.text === undefined ? '/dev/null' : config.file, after === undefined ? '/dev/null' : config.file];
  return [`--- ${from}`, `+++ ${to}`, ...unified(diffLines(config.text ?? '', after ?? '')), ''].join('\n');
}

/** The files as one JSON document has them. */
export function filesAsJson(files: readonly FileChange[], dryRun: boolean) {
  return files.map((file) => {
    const { config, after, entries, backup } = file;
    const state = !isChanged(file) ? 'unchanged' : config.text === undefined ? 'created' : after === undefined ? 'removed' : 'changed';
    return { file: config.file, state, entries, backup: backup ?? null, ...(dryRun && { diff: diffOf(file) }) };
  });
}

export function problemsOf(change: Change): readonly Diagnostic[] {
  return 'problems' in change ? change.problems : [];
}
