/** Whether an agent's own files have Hookline's entry for an event, unchanged since an installation wrote it. */
import type { Host } from '../core/contracts/host.ts';
import { type Folders, hostFiles } from './host-files.ts';
import { installedFiles } from './installed.ts';
import { isUnfit } from './shapes/shape.ts';

/** Returns the event by which an installation covers this one; undefined if that is not certain. */
export function coveredBy({ entry, dialect }: Host, event: string): string | undefined {
  if (entry.events.includes(event)) return event;
  // The same event in another spelling: only if no other one could be meant.
  const kinds = dialect.profile.events[event]?.kinds.join(' ');
  const alike = entry.events.filter((other) => dialect.profile.events[other]?.kinds.join(' ') === kinds);
  return alike.length === 1 ? alike[0] : undefined;
}

/** An entry that was changed, for example by a matcher, does not count. */
export function hasOwnEntry(host: Host, event: string, folders: Folders): boolean {
  return installedFiles(host, folders).some(({ scope, file, lines, config }) => {
    const line = lines.find((one) => one.via === 'command' && (one.event ?? event) === event);
    if (line === undefined || config?.text === undefined) return false;
    const { program, installed } = line;
    const reach = { via: 'command', program, ...(installed !== undefined && { installed }) } as const;
    const wanted = hostFiles(host, scope, folders, reach).find((one) => one.file === file);
    const planned = wanted?.shape.install(config.text, host.id, wanted.wanted, wanted.head);
    return planned !== undefined && !isUnfit(planned) && planned.entries.some((one) => one.event === event && one.state === 'kept');
  });
}
