/** What the guard has to say about a command: one finding per rule and place, each with what to do instead. */
import { shown } from './shell/marks.ts';

/** `low` is told only where somebody wants to hear everything. */
export type FindingSeverity = 'catastrophic' | 'high' | 'medium' | 'low';

export interface Finding {
  /** Stable, kebab-case. */
  readonly rule: string;
  readonly severity: FindingSeverity;
  readonly message: string;
  /** What to do about it. */
  readonly hint: string;
  /** Within the text that was judged, from 1. */
  readonly line?: number;
  /** The offending command, cut to 120 characters. */
  readonly text: string;
  /** Where it stands in the judged text. */
  readonly span?: readonly [start: number, end: number];
  /** What it is run by, outermost first. */
  readonly via?: readonly string[];
  readonly category?: string;
  readonly locked?: boolean;
}

/** One rule's words; severity may differ by how bad the case at hand is. */
export interface Accusation {
  readonly rule: string;
  readonly severity: FindingSeverity;
  readonly message: string;
  readonly hint: string;
  readonly category?: string;
  readonly locked?: boolean;
}

const ORDER: readonly FindingSeverity[] = ['catastrophic', 'high', 'medium', 'low'];
const TEXT_LIMIT = 120;

export function finding(accusation: Accusation, text: string, line?: number): Finding {
  const clean = shown(text.slice(0, 1000)).replace(/\s+/g, ' ').trim();
  const cut = clean.length > TEXT_LIMIT ? `${clean.slice(0, TEXT_LIMIT - 1)}…` : clean;
  return { ...accusation, text: cut, ...(line === undefined ? {} : { line }) };
}

/** Bad enough to keep a hook out. */
export function isGrave({ severity }: Pick<Finding, 'severity'>): boolean {
  return severity === 'catastrophic' || severity === 'high';
}

/** Most severe first, one per rule, place and text: a command reached by two ways is told once. */
export function tidy<T extends Finding & { readonly file?: string }>(findings: readonly T[]): readonly T[] {
  const seen = new Map<string, T>();
  for (const item of findings) {
    const key = JSON.stringify([item.rule, item.severity, item.file, item.line, item.text]);
    if (!seen.has(key)) seen.set(key, item);
  }
  return [...seen.values()].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}
