/** Findings of the guard. A finding names one rule, the place where the rule applies, and a safer alternative. */
import { printable } from './shell/marks.ts';

/** A `low` finding leads to a decision only under the presets `strict` and `paranoid`. */
export type FindingSeverity = 'catastrophic' | 'high' | 'medium' | 'low';

export interface Finding {
  /** Stable, kebab-case. */
  readonly rule: string;
  readonly severity: FindingSeverity;
  readonly message: string;
  /** The safer alternative. */
  readonly hint: string;
  /** Line in the judged text, counted from 1. */
  readonly line?: number;
  /** The command that the finding is about, cut to 120 characters. */
  readonly text: string;
  /** Position in the judged text. */
  readonly span?: readonly [start: number, end: number];
  /** The commands that run it, outermost first. */
  readonly via?: readonly string[];
  readonly category?: string;
  readonly locked?: boolean;
  /** Whether a limit of the guard was reached, so that a part of the text is not judged. */
  readonly limit?: true;
  /** The call that leads to it, if that is not in the judged text itself: the file, the line in it, and the line's text. */
  readonly source?: { readonly file?: string; readonly line?: number; readonly call?: string };
  /** Position of the statement in a file in another language, if the judged text runs a known file. */
  readonly at?: number;
}

/** One rule that applies to one effect. The severity may be lower than the rule's own if this case is less dangerous. */
export interface Violation {
  readonly rule: string;
  readonly severity: FindingSeverity;
  readonly message: string;
  readonly hint: string;
  readonly category?: string;
  readonly locked?: boolean;
}

const ORDER: readonly FindingSeverity[] = ['catastrophic', 'high', 'medium', 'low'];
const TEXT_LIMIT = 120;

export function finding(violation: Violation, text: string, line?: number): Finding {
  const clean = printable(text.slice(0, 1000)).replace(/\s+/g, ' ').trim();
  const cut = clean.length > TEXT_LIMIT ? `${clean.slice(0, TEXT_LIMIT - 1)}…` : clean;
  return { ...violation, text: cut, ...(line === undefined ? {} : { line }) };
}

/** Returns whether a hook with this finding must not run. */
export function isSevere({ severity }: Pick<Finding, 'severity'>): boolean {
  return severity === 'catastrophic' || severity === 'high';
}

/** Sorts findings by severity and removes duplicates, because the analysis can reach one command by two paths. */
export function sortFindings<T extends Finding & { readonly file?: string }>(findings: readonly T[]): readonly T[] {
  const seen = new Map<string, T>();
  for (const item of findings) {
    const key = JSON.stringify([item.rule, item.severity, item.file, item.line, item.text]);
    if (!seen.has(key)) seen.set(key, item);
  }
  return [...seen.values()].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}
