/** Where an agent's own settings or its own trust keep it from running what stands in its file. */
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Host } from '../core/host.ts';
import type { HostLimits } from '../core/host-limits.ts';
import type { Look } from './host-look.ts';
import type { InstalledFile } from './installed.ts';

export function objectionsTo(host: Host, { objections }: HostLimits, file: InstalledFile, look: Look): Diagnostic[] {
  if (file.lines.length === 0) return [];
  return (objections?.(look(file)) ?? []).map(({ because, mend, file: where = file.file, ...rest }) => ({
    ...rest,
    file: where,
    message: because.includes(host.title) ? because : `${host.title}: ${because}`,
    hint: mend,
  }));
}
