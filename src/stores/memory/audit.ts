/** The log in memory. Entries are kept as text, so that nobody who holds a record can change what was written of it. */
import { type Anchor, type AuditEntry, type AuditFilter, type AuditRecord, type AuditStore, chain, GENESIS } from '../../core/audit.ts';
import type { Hash } from '../../core/digest.ts';
import { isObject, type Json, textOf } from '../../core/json.ts';
import { refuseClosed } from './closed.ts';

export function createMemoryAudit(closed: AbortSignal): AuditStore {
  let texts: string[] = [];
  let anchor: Anchor = GENESIS;
  let last: Anchor = GENESIS;
  const entries = (): AuditEntry[] => texts.map((text) => JSON.parse(text) as AuditEntry);
  return {
    append(record: AuditRecord, hash: Hash) {
      refuseClosed(closed);
      const entry = chain(record, last, hash);
      texts.push(JSON.stringify(entry));
      last = { seq: entry.seq, hash: entry.hash };
      return undefined;
    },
    async list(filter) {
      refuseClosed(closed);
      const found = entries().filter((entry) => matches(entry, filter));
      const { limit, after } = filter;
      if (limit === undefined) return found;
      return after === undefined ? found.slice(Math.max(0, found.length - limit)) : found.slice(0, limit);
    },
    async get(id) {
      refuseClosed(closed);
      return entries().find((entry) => entry.id === id);
    },
    async prune(before) {
      refuseClosed(closed);
      const all = entries();
      // Only a beginning can go: a gap would break the chain.
      const kept = all.findIndex(({ at }) => at >= before);
      const gone = all.slice(0, kept === -1 ? all.length : kept);
      const end = gone.at(-1);
      if (end) anchor = { seq: end.seq, hash: end.hash };
      texts = texts.slice(gone.length);
      return gone.length;
    },
    async anchor() {
      refuseClosed(closed);
      return anchor;
    },
  };
}

function matches(entry: AuditEntry, { session, tool, decision, hook, since, until, after }: AuditFilter): boolean {
  return (
    (session === undefined || entry.session === session) &&
    (tool === undefined || entry.tool === tool) &&
    (decision === undefined || entry.decision === decision) &&
    (since === undefined || entry.at >= since) &&
    (until === undefined || entry.at <= until) &&
    (after === undefined || entry.seq > after) &&
    (hook === undefined || hookNames(entry.outcome).some((name) => name.includes(hook)))
  );
}

/** Names and ids of the hooks an outcome reports on. */
function hookNames(outcome: Json): string[] {
  const hooks = isObject(outcome) ? outcome['hooks'] : undefined;
  if (!Array.isArray(hooks)) return [];
  return hooks.flatMap((hook: Json) => (isObject(hook) ? [textOf(hook['name']) ?? '', textOf(hook['id']) ?? ''] : []));
}
