/**
 * Computes the digest by which a hook is trusted: its definition and the bytes of the files it runs. Any change of either gives a new
 * digest. The path of the project is not part of it, so that a digest from one machine can be pinned on another.
 */
import { isUtf8 } from 'node:buffer';
import { relative } from 'node:path';
import type { Hook } from '../core/contracts/hook.ts';
import { digestOf } from '../core/values/digest.ts';
import { isBelow } from '../load/find/folders.ts';
import { readBytes } from '../load/find/read-text.ts';

/** The digests of a hook as it is now. */
export interface Fingerprint {
  readonly digest: string;
  /** The digest as versions before pins computed it, so that hooks they trusted stay trusted. */
  legacy(): string;
}

/** The texts of a hook, to be compared with those that were trusted. */
export interface Snapshot extends Fingerprint {
  /** The definition as JSON, one line for each value. */
  readonly definition: string;
  readonly files: readonly SnapshotFile[];
}

export interface SnapshotFile {
  /** Relative to the hook's folder. */
  readonly name: string;
  /** SHA-256 of its bytes, or the reason why there is none. */
  readonly hash: string;
  /** Absent if the file is too large or not text. */
  readonly text?: string;
}

/** A larger file is never hashed, so a hook that runs one is never trusted. */
const MAX_HASHED = 64 * 1024 * 1024;
/** Of a larger file only the hash is kept. */
const MAX_KEPT = 256 * 1024;

/** The bytes of a file with their hash, or the reason why there are none. */
interface HashedFile {
  readonly bytes: ReturnType<typeof readBytes>;
  readonly hash: string;
}

type ReadFile = (file: string) => HashedFile;

function readHashed(file: string): HashedFile {
  const bytes = readBytes(file, MAX_HASHED);
  return { bytes, hash: hashOf(bytes) };
}

/** Returns a reader for the digests of several hooks at one time. Hooks share files, and each file is read once. */
export function readOnce(): ReadFile {
  const read = new Map<string, HashedFile>();
  return (file) => {
    const found = read.get(file) ?? readHashed(file);
    read.set(file, found);
    return found;
  };
}

export function hookDigest(hook: Hook, files: readonly string[], root?: string, read: ReadFile = readHashed): string {
  return fingerprint(hook, root, new Map(files.map((file) => [file, read(file).hash]))).digest;
}

export function fingerprintOf(hook: Hook, files: readonly string[], root?: string): Fingerprint {
  return fingerprint(hook, root, new Map(files.map((file) => [file, readHashed(file).hash])));
}

export function snapshotOf(hook: Hook, files: readonly string[], root?: string, read: ReadFile = readHashed): Snapshot {
  const name = namesFrom(hook, root);
  const hashes = new Map<string, string>();
  const shown: SnapshotFile[] = [];
  for (const file of files) {
    const { bytes, hash } = read(file);
    hashes.set(file, hash);
    const text = bytes instanceof Uint8Array && bytes.length <= MAX_KEPT && isUtf8(bytes) ? bytes.toString('utf8') : undefined;
    shown.push({ name: name(file), hash, ...(text !== undefined && { text }) });
  }
  return { ...fingerprint(hook, root, hashes), definition: definitionText(hook, name), files: shown };
}

/** Loads the module when something is hashed, because most starts of the command never hash. */
export function hash(data: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', data);
}

function fingerprint(hook: Hook, root: string | undefined, hashes: ReadonlyMap<string, string>): Fingerprint {
  const { folder, cwd } = hook;
  const named = (name: (path: string) => string) => ({
    cwd: cwd === undefined ? null : name(cwd),
    // `digestOf` sorts keys, so the order of the files does not matter.
    files: Object.fromEntries([...hashes].map(([file, found]) => [name(file), found])),
  });
  const portable = { version: 2, definition: withoutPlace(definitionOf(hook), folder), ...named(namesFrom(hook, root)) };
  const old = (path: string): string => (folder === undefined ? path : relative(folder, path));
  return {
    digest: digestOf(portable, hash),
    legacy: () => digestOf({ definition: definitionOf(hook), ...named(old) }, hash),
  };
}

/** A name that was made counts as earlier versions made it, so that a hook they trusted stays trusted. */
function definitionOf({
  dialect,
  event,
  name: now,
  formerName: name = now,
  when,
  handler: asked,
  timeoutMs,
  priority,
  detach,
  strict,
  env,
  skipAudit,
  required,
}: Hook) {
  const { aside: _, ...handler } = asked;
  return { dialect, event, name, when, handler, timeoutMs, priority, detach, strict, env, skipAudit, required };
}

/** Names files of the project relative to the hook's folder, and other files by their whole path. */
function namesFrom({ folder }: Hook, root: string | undefined): (path: string) => string {
  return (path) => {
    if (folder === undefined) return path;
    return isBelow(path, folder) || root === undefined || isBelow(path, root) ? relative(folder, path) : path;
  };
}

/** Replaces the hook's folder in paths by a mark. No hook can contain the mark, because every NUL in a hook is doubled. */
function withoutPlace(value: unknown, folder: string | undefined): unknown {
  if (typeof value === 'string') {
    const plain = value.replaceAll('\0', '\0\0');
    return folder === undefined ? plain : plain.replaceAll(folder, '\0folder');
  }
  if (Array.isArray(value)) return value.map((item) => withoutPlace(item, folder));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutPlace(item, folder)]));
}

function definitionText(hook: Hook, name: (path: string) => string): string {
  const { cwd, description } = hook;
  const shown = { description, ...definitionOf(hook), ...(cwd !== undefined && { cwd: name(cwd) }) };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

function hashOf(bytes: ReturnType<typeof readBytes>): string {
  if (bytes === undefined) return 'missing';
  if (bytes instanceof Uint8Array) return hash(bytes);
  return bytes.code === 'file-too-large' ? process.getBuiltinModule('node:crypto').randomUUID() : bytes.code;
}
