/** Runs the shell client as an agent does: a process of its own with the payload on stdin, beside a program that stands in for Node's way. */
import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { type ServeFiles, serveFiles } from '../../../src/server/endpoint.ts';
import type { FrameContent } from '../../../src/server/frame.ts';
import type { EventRequest } from '../../../src/server/request.ts';
import { type RunningServer, type ServerOptions, startServer } from '../../../src/server/server.ts';

export const CLIENT = path.join(import.meta.dirname, '../../../bin/hookline-hook');
export const VERSION: string = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../package.json'), 'utf8')).version;

export interface Ran extends FrameContent {
  readonly ms: number;
}

export interface Bench {
  readonly home: string;
  readonly files: ServeFiles;
  /** The working directory of the client; there is a blank in its name, and one at its end. */
  readonly cwd: string;
  serve(answer: (asked: EventRequest) => Promise<FrameContent>, more?: Partial<ServerOptions>): Promise<RunningServer>;
  ask(payload: string | Uint8Array, options?: AskOptions): Promise<Ran>;
}

/** What a host would be told by a server that can't answer. */
export const refuse: ServerOptions['deny'] = (_, why) => ({ stdout: JSON.stringify({ refused: why }), stderr: '', exit: 0 });

export interface AskOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Instead of the environment of this process. */
  readonly only?: Readonly<Record<string, string>>;
  /** By curl, as where there is no bash. */
  readonly curl?: boolean;
}

/** The program that stands in says that it was asked, with what, and denies: as a whole answer, with the proof that the client wants. */
const IN_PROCESS = `
const [proof] = process.argv.flatMap((word) => (word.startsWith('--proof=') ? [word.slice(8)] : []));
const words = process.argv.slice(2).filter((word) => !word.startsWith('--proof='));
const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
  const bytes = Buffer.concat(chunks);
  const out = 'in process: ' + JSON.stringify([words, bytes.length, bytes.toString('utf8').slice(0, 100), process.env.LC_ALL ?? '']);
  const exit = Number(process.env.STUB_EXIT ?? 2);
  process.stdout.write('hookline-answer 1 ' + proof + ' ' + exit + ' ' + Buffer.byteLength(out) + ' 0\\n' + out + '\\x1e\\x1e' + proof + '\\n');
});`;

/** To be called within a test. `program`: what stands beside the client; null for nothing. */
export function createBench(program: string | null = IN_PROCESS): Bench {
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'hookline client-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
  const [home, bin, cwd] = ['home', 'a bin', 'some "project" é '].map((name) => path.join(base, name)) as [string, string, string];
  for (const folder of [home, bin, cwd]) mkdirSync(folder);
  const client = path.join(bin, 'hookline-hook');
  copyFileSync(CLIENT, client);
  chmodSync(client, 0o755);
  if (program !== null) writeFileSync(path.join(bin, 'hookline.js'), program);
  const files = serveFiles(path.join(home, '.local', 'state'));
  return {
    home,
    files,
    cwd,
    async serve(answer, more = {}) {
      const server = await startServer({ files, idleMs: 0, version: VERSION, program: '', answer, deny: refuse, ...more });
      if ('running' in server) throw new Error('a server is running already');
      onTestFinished(() => void server.stop('the test is over'));
      return server;
    },
    ask(payload, { args = ['claude-code', 'PreToolUse'], env = {}, only, curl = false } = {}) {
      const { HOOKLINE_SERVE: _, HOOKLINE_DEPTH: __, ...ours } = only ?? process.env;
      const all = { ...ours, HOOKLINE_HOME: home, ...(curl && { HOOKLINE_HOOK_BASH: 'no' }), ...env };
      const started = performance.now();
      const child = spawn(client, args, { cwd, env: all, stdio: 'pipe' });
      child.stdin.on('error', () => {}).end(payload);
      const said = { stdout: '', stderr: '' };
      for (const stream of ['stdout', 'stderr'] as const)
        child[stream].setEncoding('utf8').on('data', (text: string) => (said[stream] += text));
      return new Promise((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (exit) => resolve({ ...said, exit: exit ?? -1, ms: performance.now() - started }));
      });
    },
  };
}
