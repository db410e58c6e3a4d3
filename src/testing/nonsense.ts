/** Values and documents nobody expects: what reads them answers with data and never throws. */
import type { Document, Node } from '../core/document.ts';
import type { Json } from '../core/json.ts';

const at = { line: 1, column: 1 };

export const NONSENSE_JSON: readonly Json[] = [
  null,
  true,
  0,
  -1e308,
  '',
  'text',
  [],
  [[[]]],
  {},
  { decision: 7, reason: {}, ok: 'yes', cancel: 'no', continue_execution: 'false' },
  { decision: 'deny', reason: null },
  JSON.parse('{"__proto__": {"decision": "deny"}, "constructor": 1, "toString": null}'),
  { event: 1, session_id: {}, tool_name: [], tool_input: 'x', timestamp: 'never', metadata: 3, context: [], hooks: null },
];

export function nonsenseValues(): unknown[] {
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  return [...NONSENSE_JSON, undefined, () => 'deny', Symbol('deny'), 10n, Number.NaN, new Map(), new Date(Number.NaN), cycle];
}

/** A document of every shape at the top, and of every shape below `hooks` and `hook`. */
export function nonsenseDocuments(): Document[] {
  const shapes: Node[] = [
    ...[null, true, 7, 'text'].map((value): Node => ({ kind: 'scalar', at, value })),
    { kind: 'list', at, items: [] },
    { kind: 'list', at, items: [{ kind: 'scalar', at, value: null }] },
    { kind: 'map', at, entries: [] },
    { kind: 'map', at, entries: [{ key: '__proto__', at, value: { kind: 'scalar', at, value: 'x' } }] },
  ];
  const below = ['hooks', 'hook', 'trigger', 'name'].flatMap((key) =>
    shapes.map((value): Node => ({ kind: 'map', at, entries: [{ key, at, value }] })),
  );
  return [{ file: 'nonsense', diagnostics: [] }, ...[...shapes, ...below].map((root) => ({ file: 'nonsense', root, diagnostics: [] }))];
}
