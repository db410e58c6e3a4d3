/** Functions that every loader needs: they collect diagnostics with positions and read single values. */

import type { Diagnostic, Position, Severity } from './diagnostic.ts';
import { entryOf, kindName, type Node } from './document.ts';
import { suggest } from './suggest.ts';

export interface Problems {
  readonly list: readonly Diagnostic[];
  report(severity: Severity, code: string, at: Position | undefined, message: string, hint?: string): void;
}

export function problemsIn(file: string): Problems {
  const list: Diagnostic[] = [];
  return {
    list,
    report(severity, code, at, message, hint) {
      list.push({ severity, code, file, ...(at && { line: at.line, column: at.column }), message, ...(hint !== undefined && { hint }) });
    },
  };
}

export function reportUnknownEvent(
  complaints: Problems,
  severity: Severity,
  entry: { key: string; at: Position },
  known: readonly string[],
): void {
  const near = suggest(entry.key, known);
  const hint = near ? `Did you mean \`${near}\`?` : `Known events: ${known.join(', ')}.`;
  problems.report(severity, 'unknown-event', entry.at, `There is no event \`${entry.key}\`, so its hooks never run.`, hint);
}

/** Returns a scalar of the expected type under `key`, or undefined. Reports a value of another type. */
export function readScalar<T extends 'string' | 'number' | 'boolean'>(
  owner: Node,
  key: string,
  type: T,
  complaints: Problems,
): { readonly value: { string: string; number: number; boolean: boolean }[T]; readonly at: Position } | undefined {
  const entry = entryOf(owner, key);
  if (!entry || (entry.value.kind === 'scalar' && entry.value.value === null)) return undefined;
  if (entry.value.kind === 'scalar' && typeof entry.value.value === type) {
    return { value: entry.value.value as never, at: entry.value.at };
  }
  const wanted = { string: 'text', number: 'a number', boolean: 'true or false' }[type];
  problems.report('error', 'wrong-type', entry.value.at, `\`${key}\` must be ${wanted}, found ${kindName(entry.value)}.`);
  return undefined;
}

/** Returns the texts of a list; undefined if it is empty or contains anything else. */
export function stringsIn(node: Node | undefined): readonly string[] | undefined {
  if (node?.kind !== 'list' || node.items.length === 0) return undefined;
  const strings = node.items.flatMap((item) => (item.kind === 'scalar' && typeof item.value === 'string' ? [item.value] : []));
  return strings.length === node.items.length ? strings : undefined;
}
