/** On-demand serving as a step of `init`. The installation switches it on; undo switches it off if `init` was the one that did so. */
import { rmSync, statSync } from 'node:fs';
import { askServer, HEALTH } from '../../server/client.ts';
import { readEndpoint, type ServeFiles } from '../../server/endpoint.ts';
import type { Arguments } from '../arguments.ts';
import { requirePerson } from '../input/by-a-person.ts';
import { stopServer } from '../serve/stop.ts';

/** Identifies the moment at which serving was switched on; null while it is off. A later choice of a person has another mark. */
export function servingMark({ auto }: ServeFiles): string | null {
  const found = statSync(auto, { bigint: true, throwIfNoEntry: false });
  return found ? String(found.mtimeNs) : null;
}

/** Switches serving off and stops the server that an event started. A server that a person started stays. */
export async function stopServing(args: Arguments, files: ServeFiles): Promise<void> {
  const data = { setting: 'serve', auto: false };
  const act = { kind: 'settings.changed', weight: 'installing', does: 'decide who starts the server', data } as const;
  const permitted = await requirePerson(args, act);
  rmSync(files.auto, { force: true });
  const endpoint = readEndpoint(files);
  const health = endpoint && (await askServer(endpoint, HEALTH));
  if (endpoint && health?.['onDemand'] === true) await stopServer(endpoint, files);
  await permitted.record('Clients no longer start a server.');
}
