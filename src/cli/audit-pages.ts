/** The log page by page, oldest first, and one entry by its id or the beginning of it. */
import type { AuditEntry, AuditStore } from '../core/audit.ts';
import { findByPrefix } from './id-prefix.ts';

const PAGE = 1000;

export async function findEntry(audit: AuditStore, id: string): Promise<AuditEntry> {
  const exact = await audit.get(id);
  return exact ?? findByPrefix(id, auditPages(audit), { what: 'decision', code: 'not-found', list: 'hookline log' });
}

async function* auditPages(audit: AuditStore): AsyncGenerator<readonly AuditEntry[]> {
  let { seq: last } = await audit.anchor();
  for (;;) {
    const page = await audit.list({ after: last, limit: PAGE });
    const end = page.at(-1);
    if (!end) return;
    yield page;
    last = end.seq;
  }
}
