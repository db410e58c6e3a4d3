/**
 * Publishes and finds the server of a user: one small file, readable by the user alone and written atomically. A shell reads it line by
 * line without starting a program. `linesOf` defines the order of the lines; `bin/hookline-hook` reads the same.
 */

import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export interface Endpoint {
  readonly version: string;
  readonly pid: number;
  readonly port: number;
  /** The client sends this secret. It changes at every start. */
  readonly token: string;
  /** The server sends this secret in its answers. No request contains it. */
  readonly proof: string;
  readonly socket: string;
  /** The path of Node and of the program, for clients that run without the server. */
  readonly node: string;
  readonly program: string;
}

export interface ServeFiles {
  readonly folder: string;
  readonly endpoint: string;
  readonly socket: string;
  /** The token as a header, for `curl -H @FILE`. On a command line, every user of the machine could read it. */
  readonly headers: string;
  /** The token for hosts that call the address themselves. It never changes. */
  readonly token: string;
  /** The port in the entries of agents. The server uses it unless another port is requested. */
  readonly port: string;
  /** If this file exists, a client that finds no server may start one. */
  readonly auto: string;
  /** If this file exists, a person has decided that clients start none. */
  readonly manual: string;
}

/**
 * Returns the paths of the server's files.
 * @param stateFolder the user's state folder
 */
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
    manual: file('manual'),
  };
}

/** Creates a folder for the user alone. Throws if another user owns it, which is possible below a shared temporary folder. */
export function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid } = lstatSync(folder);
  if (process.getuid !== undefined && uid !== process.getuid()) throw new Error(`${folder} belongs to another user`);
  chmodSync(folder, 0o700);
}

export function publishEndpoint(files: ServeFiles, endpoint: Endpoint): void {
  writeWhole(files.headers, `x-hookline-token: ${endpoint.token}\n`);
  writeWhole(files.endpoint, `${linesOf(endpoint).join('\n')}\n`);
}

/** Returns undefined if there is no usable endpoint. */
export function readEndpoint(files: ServeFiles): Endpoint | undefined {
  const [format, version = '', pid, port, token = '', proof = '', socket = '', node = '', program = ''] = linesIn(files.endpoint);
  if (format !== FORMAT || !/^\d+$/.test(pid ?? '') || !/^\d+$/.test(port ?? '') || token === '' || proof === '') return undefined;
  return { version, pid: Number(pid), port: Number(port), token, proof, socket, node, program };
}

/** Removes this server's own files. If another server has taken over, its files stay. */
export function withdrawEndpoint(files: ServeFiles, { token, socket }: Endpoint): void {
  if (readEndpoint(files)?.token !== token) return;
  for (const file of [files.endpoint, files.headers, socket]) rmSync(file, { force: true });
}

/** Removes the files in which clients keep a payload. A client only empties its file, and a killed client cannot do even that. */
export function sweepSpool({ folder }: ServeFiles, now: number): void {
  for (const name of readdirSync(folder)) {
    if (!/^in\.\d+$/.test(name)) continue;
    const file = path.join(folder, name);
    const { size, mtimeMs } = lstatSync(file, { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: now };
    if (now - mtimeMs > (size === 0 ? EMPTIED_MS : FORGOTTEN_MS)) rmSync(file, { force: true });
  }
}

/** Returns the permanent token and creates it on first use. */
export function readOrCreateToken(files: ServeFiles): string {
  const [known = ''] = linesIn(files.token);
  if (/^[0-9a-f]{64}$/.test(known)) return known;
  const fresh = newSecret();
  writeWhole(files.token, `${fresh}\n`);
  return fresh;
}

/** Returns the port that agents were configured with, or undefined if there is none. */
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
/** A hook may take long, and the client may need its payload once more. */
const FORGOTTEN_MS = 24 * 60 * 60 * 1000;

/** Systems limit the path of a socket to about 100 bytes. This leaves room for a process id. */
const MOST_SOCKET_BYTES = 90;

function socketIn(folder: string): string {
  const socket = path.join(folder, 'socket');
  if (Buffer.byteLength(socket) <= MOST_SOCKET_BYTES) return socket;
  const short = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return path.join(tmpdir(), `hookline-${process.getuid?.() ?? 0}-${short}`, 'socket');
}

function linesOf({ version, pid, port, token, proof, socket, node, program }: Endpoint): string[] {
  const lines = [FORMAT, version, String(pid), String(port), token, proof, socket, node, program];
  // A path with a line break does not fit this format. The client then works without it.
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
