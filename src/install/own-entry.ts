/** Whether an agent has an entry of ours in its own files that is asked about an event whatever it is about: as an installation writes it. */
import type { Host } from '../core/contracts/host.ts';
import { type Folders, hostFiles } from './host-files.ts';
import { installedFiles } from './installed.ts';
import { isUnfit } from './shapes/shape.ts';

/** The event under which an installation would tell us of this one; undefined if that is not sure. */
export function coveredBy({ entry, dialect }: Host, event: string): string | undefined {
  if (entry.events.includes(event)) return event;
  // The same event in another spelling: only if no other one could be meant.
  const kinds = dialect.profile.events[event]?.kinds.join(' ');
  const alike = entry.events.filter((other) => dialect.profile.events[other]?.kinds.join(' ') === kinds);
  return alike.length === 1 ? alike[0] : undefined;
}

/** One that somebody has changed, say by a matcher, is not counted on. */
export function hasOwnEntry(host: Host, event: string, folders: Folders): boolean {
  return installedFiles(host, folders).some(({ scope, file, lines, config }) => {
    const line = lines.find((one) => one.via === 'command' && (one.event ?? event) === event);
    if (line === undefined || config?.text === undefined) return false;
    const wanted = hostFiles(host, scope, folders, { via: 'command', program: line.program }).find((one) => one.file === file);
    const planned = wanted?.shape.install(config.text, host.id, wanted.wanted, wanted.head);
    return planned !== undefined && !isUnfit(planned) && planned.entries.some((one) => one.event === event && one.state === 'kept');
  });
}
