/** Leaves the processor to agents on a busy machine, so that a dashboard that follows them does not delay them. */
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';

/** Linux gives each thread a priority of its own, and a new thread gets that of its maker. */
const THREADS = '/proc/self/task';

export function yieldToAgents(): void {
  for (const thread of threads()) {
    try {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
    } catch {
      // Some systems do not permit it, and a thread can end meanwhile. The dashboard works without.
    }
  }
}

/** The threads of this process, which collect garbage and compile; 0 is the process as a whole. */
function threads(): readonly number[] {
  try {
    return readdirSync(THREADS).map(Number);
  } catch {
    return [0];
  }
}

/**
 * From now on hot code is no longer compiled anew, for which V8 has threads of its own. They delay agents, and faster code saves little here: most of
 * the work is that of SQLite. Views that are far behind the log are another matter, so this is for those that have caught up.
 */
export function leaveCodeAsItIs(): void {
  for (const compiler of ['turbofan', 'maglev']) setFlagsFromString(`--no-${compiler}`);
}
