/** Programs of their own on parts of the library, each a real process: what they print comes back line by line. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';
import { bundleSource } from '../../support/bundle-source.mjs';

const PARTS = pathToFileURL(await bundleSource(path.join(import.meta.dirname, 'child-parts.ts'))).href;

export interface Child {
  readonly process: ChildProcess;
  /** Whole lines printed so far. */
  lines(): string[];
  /** The exit code; null if it was killed. */
  readonly ended: Promise<number | null>;
}

/** A place for a database that does not exist yet, gone when the test is over. */
export function newDatabase(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hookline-processes-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return path.join(folder, 'state', 'hookline.db');
}

/** Runs `body`, which has `open()`, `hash`, `say(line)`, the samples and its `args`. */
export function startChild(file: string, body: string, args: readonly string[] = []): Child {
  const program = `
    import { createHash } from 'node:crypto';
    import { writeSync } from 'node:fs';
    import { openPostgresStore, openSqliteStore, sampleLedger, sampleRecord, sampleSettling, sampleTicket } from ${JSON.stringify(PARTS)};
    const hash = (text) => createHash('sha256').update(text).digest('hex');
    const open = () => openSqliteStore(${JSON.stringify(file)});
    const recording = (url) =>
      url.startsWith('postgres') ? openPostgresStore(url, { ledger: sampleLedger() }) : openSqliteStore(url, { ledger: sampleLedger() });
    const say = (line) => writeSync(1, line + '\\n');
    const args = process.argv.slice(1);
    ${body}`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, '--', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { process: child, lines: () => output.split('\n').slice(0, -1), ended };
}
