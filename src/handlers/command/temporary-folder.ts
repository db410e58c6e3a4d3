/** Where short-lived files go: memory if the system offers it, else the folder for temporary files. */
import { tmpdir } from 'node:os';

/** Tries `make` in one place after the other; throws what the last one threw. */
export function inTemporaryFolder<T>(make: (folder: string) => T): T {
  try {
    return make(MEMORY);
  } catch {
    // No such folder here, or no room left in memory.
    return make(tmpdir());
  }
}

const MEMORY = '/dev/shm';
