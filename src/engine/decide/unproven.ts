/** The report on an approval that the log does not know. */
import type { Diagnostic } from '../../core/values/diagnostic.ts';

export function unprovenApproval(ticket: string): Diagnostic {
  return {
    severity: 'error',
    code: 'approval-unproven',
    message: `The approval of ticket ${ticket} is not in the log, so it releases nothing.`,
    hint: 'Another program has changed the store, or the approval is of an older version. `hookline log verify` shows more. Decide about the action again.',
  };
}
