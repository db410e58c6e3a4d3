/**
 * Real Postgres for tests: a fresh database each, on one server per run. The server is the one of TEST_DATABASE_URL, else Debian's, else the
 * one from npm. The global setup owns it; whoever asks first waits for it to start.
 */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { debianBinaries, startDebianServer } from './debian-server.ts';
import { startEmbeddedServer } from './embedded-server.ts';

export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** Where the global setup tells the server's address. */
export const BROKER = 'HOOKLINE_TEST_POSTGRES';

export async function testDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const server = await serverUrl();
  const name = `hookline_test_${randomUUID().replaceAll('-', '')}`;
  await sql(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      await sql(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** One statement on a connection of its own, behind the back of every store. */
export async function sql(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

export async function startServer(): Promise<Server> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given) return { url: given, stop: async () => undefined };
  const failures: string[] = [];
  const binaries = debianBinaries();
  if (binaries) {
    try {
      return await startDebianServer(binaries);
    } catch (error) {
      failures.push(`${binaries}: ${error}`);
    }
  } else failures.push('/usr/lib/postgresql: no server is installed');
  try {
    return await startEmbeddedServer();
  } catch (error) {
    failures.push(`npm: ${error}`);
  }
  throw new Error(`The tests need Postgres. Set TEST_DATABASE_URL, or install Debian's "postgresql".\n${failures.join('\n')}`);
}

async function serverUrl(): Promise<string> {
  const broker = process.env[BROKER];
  if (!broker) throw new Error('test/flows/postgres/global-setup.ts must be a globalSetup of this run.');
  const response = await fetch(broker);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
