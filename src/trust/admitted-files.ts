/** The files of a hook when it was admitted, to be compared when it has ended: the code that answered must be the code that was trusted. */
import type { Hook } from '../core/contracts/hook.ts';
import { type FileMarks, markFiles } from './file-marks.ts';
import { type Fingerprint, fingerprintOf } from './hook-digest.ts';

export interface AdmittedFiles extends Pick<FileMarks, 'unsettled'> {
  readonly print: Fingerprint;
  /** Returns a change since then, as a clause. */
  changedSince(): string | undefined;
}

/** Beyond this the bytes are not read again, because the marks show every ordinary change. */
const MOST_READ_AGAIN = 1024 * 1024;

/**
 * Marks the files, then reads them, so that a later change of what was read shows.
 * @param filesNow returns the files that the hook runs, found again
 */
export function admitFiles(hook: Hook, root: string, files: readonly string[], filesNow: () => readonly string[]): AdmittedFiles {
  const marks = markFiles(files, root);
  const print = fingerprintOf(hook, files, root);
  return {
    print,
    unsettled: marks.unsettled,
    changedSince() {
      if (files.length === 0) return undefined;
      const change = marks.change();
      if (change !== undefined && change !== 'entries') return change.what;
      if (change === undefined && marks.bytes > MOST_READ_AGAIN) return undefined;
      // A new file next to a script may be one that the script runs.
      const { digest } = fingerprintOf(hook, change === 'entries' ? filesNow() : files, root);
      return digest === print.digest ? undefined : 'its files have other content than those that were trusted';
    },
  };
}
