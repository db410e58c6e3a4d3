/** Rows of profiles that mean the same in several formats: what an exit code or an HTTP status says. */
import type { ExitRow, StatusRow } from '../../core/meaning/profile.ts';

/** Exit code 0 without a look at the output. */
export const EXIT_PASSES: ExitRow = { exit: [0], means: { say: 'pass' } };

/** Any code without a row of its own: the hook could not do its work. */
export const EXIT_FAILS: ExitRow = { exit: 'other', means: { say: 'fault', fault: 'exit' } };

/** Exit code 2 denies, with stderr as the reason. */
export const EXIT_2_DENIES: ExitRow = {
  exit: [2],
  means: { say: 'deny', reason: ['stderr'], otherwise: "Hook '{name}' blocked this with exit code 2 and gave no reason." },
};

/** Exit code 0 with JSON on stdout. Text that only looks like JSON is a fault; other text has this meaning. */
export function exitParsed(text: 'pass' | 'context'): ExitRow {
  return { exit: [0], means: { say: 'parse', notJson: { text } } };
}

/** Exit code 0 with JSON on stdout. Any other output has this meaning. */
export function exitJson(notJson: 'pass' | 'fault'): ExitRow {
  return { exit: [0], means: { say: 'parse', notJson } };
}

/** A success with JSON in the body. Any other body has this meaning. */
export function statusJson(notJson: 'pass' | 'fault'): StatusRow {
  return { status: '2xx', means: { say: 'parse', notJson } };
}

/** A status without a row of its own: the server could not do its work. */
export const STATUS_FAILS: StatusRow = { status: 'other', means: { say: 'fault', fault: 'status' } };
