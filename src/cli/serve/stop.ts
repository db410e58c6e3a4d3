/**
 * Stops the running server by a signal: the system lets only the same user send it. The token of the server permits events and nothing else.
 */
import { type Endpoint, readEndpoint, type ServeFiles } from '../../server/endpoint.ts';

/** Tells the server to finish its events and end. Windows knows no signals, and ends the process. */
export const STOP_SIGNAL = process.platform === 'win32' ? 'SIGTERM' : 'SIGUSR2';

/** Returns whether the server accepts no more events. The server must have answered just now: its id may belong to another process later. */
export async function stopServer({ pid, token }: Endpoint, files: ServeFiles): Promise<boolean> {
  try {
    process.kill(pid, STOP_SIGNAL);
  } catch {
    return false;
  }
  const isGone = (): boolean => readEndpoint(files)?.token !== token;
  for (const until = performance.now() + STOP_MS; performance.now() < until && !isGone(); )
    await new Promise((done) => setTimeout(done, 20));
  return isGone();
}

/** The server withdraws its address first, before it waits for its events. */
const STOP_MS = 5000;
