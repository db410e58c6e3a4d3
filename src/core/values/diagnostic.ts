/** A message for people from a loader, an audit or a firing: where the problem is, what it is, and how to fix it. */

export type Severity = 'error' | 'warning' | 'info';

export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Diagnostic {
  readonly severity: Severity;
  /** A stable name in kebab-case, documented in `docs/diagnostics.md`. */
  readonly code: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /** How to fix it. */
  readonly hint?: string;
}
