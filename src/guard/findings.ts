/** What the guard has to say about a command: one finding per rule and place, each with what to do instead. */
import { shown } from './shell/marks.ts';

export type FindingSeverity = 'catastrophic' | 'high' | 'medium';

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
}

/** One rule's words; severity may differ by how bad the case at hand is. */
export interface Accusation {
  readonly rule: string;
  readonly severity: FindingSeverity;
  readonly message: string;
  readonly hint: string;
}

const ORDER: readonly FindingSeverity[] = ['catastrophic', 'high', 'medium'];
const TEXT_LIMIT = 120;

export function finding(accusation: Accusation, text: string, line?: number): Finding {
  const clean = shown(text.slice(0, 1000)).replace(/\s+/g, ' ').trim();
  const cut = clean.length > TEXT_LIMIT ? `${clean.slice(0, TEXT_LIMIT - 1)}…` : clean;
  return { ...accusation, text: cut, ...(line === undefined ? {} : { line }) };
}

/** Most severe first, one per rule, line and text: a command reached by two ways is told once. */
export function tidy<T extends Finding>(findings: readonly T[]): readonly T[] {
  const seen = new Map<string, T>();
  for (const item of findings) {
    const key = JSON.stringify([item.rule, item.severity, item.line, item.text]);
    if (!seen.has(key)) seen.set(key, item);
  }
  return [...seen.values()].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
}
