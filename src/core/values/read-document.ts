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

/** Whether people write this key as a note for themselves: `_comment`, `//`, `id`. No agent reads such a key, and none needs to. */
export function isComment(key: string): boolean {
  return /^(?:[_#$]|\/\/)/.test(key) || key === 'comment' || key === 'id';
}

/** The known events are listed once in a file. */
export function reportUnknownEvent(
  problems: Problems,
  severity: Severity,
  entry: { key: string; at: Position },
  known: readonly string[],
): void {
  if (isComment(entry.key)) return;
  const near = suggest(entry.key, known);
  const isListed = problems.list.some(({ code, hint = '' }) => code === 'unknown-event' && hint.startsWith(KNOWN));
  const others = isListed ? undefined : `${KNOWN} ${known.join(', ')}.`;
  const hint = near ? `Did you mean \`${near}\`?` : others;
  problems.report(severity, 'unknown-event', entry.at, `There is no event \`${entry.key}\`, so its hooks never run.`, hint);
}

const KNOWN = 'Known events:';

/** Returns a scalar of the expected type under `key`, or undefined. Reports a value of another type. */
export function readScalar<T extends 'string' | 'number' | 'boolean'>(
  owner: Node,
  key: string,
  type: T,
  problems: Problems,
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

/** Returns a list of strings; undefined if the node is anything else, also if the list is empty. */
export function stringsIn(node: Node | undefined): readonly string[] | undefined {
  if (node?.kind !== 'list' || node.items.length === 0) return undefined;
  const strings = node.items.flatMap((item) => (item.kind === 'scalar' && typeof item.value === 'string' ? [item.value] : []));
  return strings.length === node.items.length ? strings : undefined;
}
