/** The quirks of an agent's format, read from its folder: only tests and docs need them. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Quirk } from '../../src/core/contracts/dialect.ts';

/** Returns an empty list for a format without surprises. */
export async function quirksOf(id: string): Promise<readonly Quirk[]> {
  const file = path.join(import.meta.dirname, '../../src/agents', id, 'quirks.ts');
  return existsSync(file) ? ((await import(file)) as { readonly quirks: readonly Quirk[] }).quirks : [];
}
