/** What a loader, an audit or a firing has to tell a person: where, what is wrong, what to do. */

export type Severity = 'error' | 'warning' | 'info';

export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Diagnostic {
  readonly severity: Severity;
  /** Stable, kebab-case; documented in docs/diagnostics.md. */
  readonly code: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
}
