/** Remembers the notifications that are shown, because another process withdraws them. Each is a file with the name of its ticket. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { keepNewest } from '../../stores/keep-newest.ts';

export interface ShownNotices {
  /** A notification that cannot be remembered stays until the person closes it. */
  add(ticket: string, handle: string): void;
  /** Returns the name of the notification, and forgets it. */
  take(ticket: string): string | undefined;
}

const MOST = 512;

export function openShown(stateFolder: string): ShownNotices {
  const folder = path.join(stateFolder, 'hookline', 'notices');
  const fileOf = (ticket: string): string | undefined => (/^[\w-]{1,100}$/.test(ticket) ? path.join(folder, ticket) : undefined);
  return {
    add(ticket, handle) {
      const file = fileOf(ticket);
      if (file === undefined) return;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(file, handle, { mode: 0o600 });
        keepNewest(folder, MOST);
      } catch {
        // The person was told, which is all that matters.
      }
    },
    take(ticket) {
      const file = fileOf(ticket);
      if (file === undefined) return undefined;
      try {
        const handle = readFileSync(file, 'utf8');
        rmSync(file, { force: true });
        return handle;
      } catch {
        return undefined;
      }
    },
  };
}
