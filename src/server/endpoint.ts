/**
 * Where the server of a user is found: one small file for the user alone, written whole, in lines that a shell reads without starting a
 * program. Its fields are `ENDPOINT_LINES`, in this order; bin/hookline-hook reads the same.
 */

import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Endpoint {
  readonly version: string;
  readonly pid: number;
  readonly port: number;
  /** What a client shows; another one after every start. */
  readonly token: string;
  /** What the server shows in its answers, and no request contains. */
  readonly proof: string;
  readonly socket: string;
  /** How to do without the server: Node, and the program. */
  readonly node: string;
  readonly program: string;
}

export interface ServeFiles {
  readonly folder: string;
  readonly endpoint: string;
  readonly socket: string;
  /** The token as a header, for `curl -H @FILE`: on a command line every user of the machine could read it. */
  readonly headers: string;
  /** The token for hosts that call the address themselves; stays the same. */
  readonly token: string;
  /** The port that entries of agents name: taken unless another is asked for. */
  readonly port: string;
  /** If it is there, a client that finds no server may start one. */
  readonly auto: string;
}

/** `stateFolder`: the user's, as everywhere. */
export function serveFiles(stateFolder: string): ServeFiles {
  const folder = path.join(stateFolder, 'hookline', 'serve');
  const file = (name: string): string => path.join(folder, name);
  return {
    folder,
    endpoint: file('endpoint'),
    socket: socketIn(folder),
    headers: file('headers'),
    token: file('token'),
    port: file('port'),
    auto: file('auto'),
  };
}

/** For the user alone. Throws if somebody else has it already, as may happen where everybody can make folders. */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(folder);
  if (process.getuid !== undefined && uid !== process.getuid()) throw new Error(`${folder} belongs to somebody else`);
  chmodSync(folder, 0o700);
}

export function publishEndpoint(files: ServeFiles, endpoint: Endpoint): void {
  writeWhole(files.headers, `x-hookline-token: ${endpoint.token}\n`);
  writeWhole(files.endpoint, `${linesOf(endpoint).join('\n')}\n`);
}

/** Undefined if there is none that can be used. */
export function readEndpoint(files: ServeFiles): Endpoint | undefined {
  const [format, version = '', pid, port, token = '', proof = '', socket = '', node = '', program = ''] = linesIn(files.endpoint);
  if (format !== FORMAT || !/^\d+$/.test(pid ?? '') || !/^\d+$/.test(port ?? '') || token === '' || proof === '') return undefined;
  return { version, pid: Number(pid), port: Number(port), token, proof, socket, node, program };
}

/** Only what is this server's own: another may have taken its place. */
export function withdrawEndpoint(files: ServeFiles, { token, socket }: Endpoint): void {
  if (readEndpoint(files)?.token !== token) return;
  for (const file of [files.endpoint, files.headers, socket]) rmSync(file, { force: true });
}

/** Clients empty the files they kept a payload in, and leave it to us to remove them; one that was killed could not even do that. */
export function sweepSpool({ folder }: ServeFiles, now: number): void {
  for (const name of readdirSync(folder)) {
    if (!/^in\.\d+$/.test(name)) continue;
    const file = path.join(folder, name);
    const { size, mtimeMs } = lstatSync(file, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: now };
    if (now - mtimeMs > (size === 0 ? EMPTIED_MS : FORGOTTEN_MS)) rmSync(file, { force: true });
  }
}

/** The lasting token, made when it is first wanted. */
export function readOrCreateToken(files: ServeFiles): string {
  const [known = ''] = linesIn(files.token);
  if (/^[0-9a-f]{64}$/.test(known)) return known;
  const fresh = newSecret();
  writeWhole(files.token, `${fresh}\n`);
  return fresh;
}

/** The port that agents were told; undefined if none was. */
export function readPort(files: ServeFiles): number | undefined {
  const [port = ''] = linesIn(files.port);
  return /^\d{1,5}$/.test(port) ? Number(port) : undefined;
}

export function writePort(files: ServeFiles, port: number): void {
  writeWhole(files.port, `${port}\n`);
}

export function newSecret(): string {
  return randomBytes(32).toString('hex');
}

const FORMAT = 'hookline-serve 2';

const EMPTIED_MS = 10_000;
/** A hook may take long, and its payload may be wanted once more. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1000;

/** The system takes no longer path for a socket; room for the number of a process is left. */
const MOST_SOCKET_BYTES = 90;

function socketIn(folder: string): string {
  const socket = path.join(folder, 'socket');
  if (Buffer.byteLength(socket) <= MOST_SOCKET_BYTES) return socket;
  const short = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return path.join(tmpdir(), `hookline-${process.getuid?.() ?? 0}-${short}`, 'socket');
}

function linesOf({ version, pid, port, token, proof, socket, node, program }: Endpoint): string[] {
  const lines = [FORMAT, version, String(pid), String(port), token, proof, socket, node, program];
  // A path with a line break in it can't be written here, and a client does without it.
  return lines.map((line) => (/[\r\n]/.test(line) ? '' : line));
}

function linesIn(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
  renameSync(draft, file);
}
