/**
 * A Postgres of our own from Debian's package: initialised in a temporary folder, reachable on loopback, gone without a trace after `stop`.
 * Postgres refuses to run as root: there the folder and the processes belong to the user `postgres`.
 */
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Server } from './server.ts';

export interface DebianServer extends Server {
  /** Dies at once, as in a crash: nothing is finished, nothing is written out. */
  crash(): void;
  restart(): void;
}

const VERSIONS = '/usr/lib/postgresql';

export function debianBinaries(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined;
  const folders = readdirSync(VERSIONS)
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(VERSIONS, version, 'bin'));
  return folders.find((folder) => existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'pg_ctl')));
}

export async function startDebianServer(binaries: string): Promise<DebianServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-pg-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    if (isRoot()) chownSync(folder, idOf('-u'), idOf('-g'));
    const data = path.join(folder, 'data');
    run(binaries, 'initdb', ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
    const port = await freePort();
    // The tests stop processes, never the machine: what was written to the system's cache is safe.
    const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off -c max_connections=200`;
    const start = () => run(binaries, 'pg_ctl', ['-D', data, '-w', '-t', '60', '-l', path.join(folder, 'log'), '-o', settings, 'start']);
    const halt = () => run(binaries, 'pg_ctl', ['-D', data, '-w', '-m', 'immediate', 'stop']);
    const end = () => {
      if (existsSync(path.join(data, 'postmaster.pid'))) halt();
      remove();
    };
    start();
    // Should whoever started it not come to stop it.
    process.once('exit', end);
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      crash: halt,
      restart: start,
      async stop() {
        process.off('exit', end);
        end();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

function run(binaries: string, program: string, args: readonly string[]): void {
  const file = path.join(binaries, program);
  const [command, rest] = isRoot() ? ['runuser', ['-u', 'postgres', '--', file, ...args]] : [file, args];
  execFileSync(command, [...rest], { stdio: ['ignore', 'ignore', 'inherit'], cwd: '/' });
}

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
}
