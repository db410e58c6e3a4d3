/**
 * The socket as a lock: one server for each user. It is bound under a name of its own and then given the real one in one step, so there is
 * never a moment without a socket, and one that was left over by a server that died is replaced.
 */
import { chmodSync, linkSync, renameSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { ListenOptions } from 'node:net';

/** False, and nothing is bound: another server answers there. */
export async function claimSocket(server: Server, socket: string, isAnswering: () => Promise<boolean>): Promise<boolean> {
  const own = `${socket}.${process.pid}`;
  rmSync(own, { force: true });
  await listening(server, { path: own });
  chmodSync(own, 0o600);
  try {
    linkSync(own, socket);
    rmSync(own, { force: true });
    return true;
  } catch {
    // The name is taken, or this file system has no links.
  }
  if (await isAnswering()) {
    await new Promise((done) => server.close(done));
    rmSync(own, { force: true });
    return false;
  }
  renameSync(own, socket);
  return true;
}

export function listening(server: Server, where: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(where, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
