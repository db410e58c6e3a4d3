/** The file about the dashboard that runs for a store: a second `hookline ui` asks it for another link. Only its user can read it. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { isObject, textOf } from '../../core/values/json.ts';
import type { LoginAnswer } from '../../ui/api.ts';

export interface RunningFile {
  readonly port: number;
  readonly pid: number;
  readonly secret: string;
  readonly version: string;
}

export type GivenCode = Omit<LoginAnswer, 'token'> & { readonly code: string };

/** @param store the name of the store */
export function runningFile(stateFolder: string, store: string): string {
  const digest = createHash('sha256').update(store).digest('hex').slice(0, 16);
  return path.join(stateFolder, 'hookline', 'ui', `${digest}.json`);
}

export function publish(file: string, running: RunningFile): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, `${JSON.stringify(running)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}

/** Removes the file, unless another dashboard has replaced it. */
export function withdraw(file: string, { secret }: RunningFile): void {
  if (readRunning(file)?.secret === secret) rmSync(file, { force: true });
}

export function readRunning(file: string): RunningFile | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObject(found)) return undefined;
    const { port, pid, secret, version } = found;
    if (!Number.isSafeInteger(port) || !Number.isSafeInteger(pid)) return undefined;
    return { port: port as number, pid: pid as number, secret: textOf(secret) ?? '', version: textOf(version) ?? '' };
  } catch {
    return undefined;
  }
}

const ANSWER_MS = 3000;

/** Asks the dashboard that runs for a code. Undefined if none answers. */
export function askForCode({ port, pid, secret }: RunningFile): Promise<GivenCode | undefined> {
  if (!isAlive(pid)) return Promise.resolve(undefined);
  const headers = { 'x-hookline-ui': secret, 'x-hookline-pid': String(process.pid), origin: `http://127.0.0.1:${port}` };
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', port, path: '/code', method: 'POST', headers, timeout: ANSWER_MS }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        text += part;
      });
      answer.on('end', () => resolve(codeIn(text)));
      answer.on('error', () => resolve(undefined));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(undefined));
    asked.end();
  });
}

function codeIn(text: string): GivenCode | undefined {
  try {
    const found: unknown = JSON.parse(text);
    const code = isObject(found) ? textOf(found['code']) : undefined;
    if (!isObject(found) || code === undefined) return undefined;
    return { code, may: found['may'] === 'settle' ? 'settle' : 'read', because: textOf(found['because']) ?? null };
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
