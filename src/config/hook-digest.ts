/** The digest by which a hook is trusted: what it is defined as, and the bytes of the files it runs. Any change of either is a new digest. */
import { createHash, randomUUID } from 'node:crypto';
import { relative } from 'node:path';
import { digestOf } from '../core/digest.ts';
import type { Hook } from '../core/hook.ts';
import { readBytes } from './read-text.ts';

/** A file beyond this is never hashed, so a hook that runs one is never trusted. */
const MAX_HASHED = 64 * 1024 * 1024;

export function hookDigest(hook: Hook, files: readonly string[]): string {
  const { dialect, event, name, when, handler, timeoutMs, priority, detach, strict, env, cwd, folder, skipAudit } = hook;
  const seen = (path: string) => (folder === undefined ? path : relative(folder, path));
  const definition = { dialect, event, name, when, handler, timeoutMs, priority, detach, strict, env, skipAudit };
  const contents = new Map(files.map((file) => [seen(file), digestOfFile(file)]));
  // Canonical: the order in which files are named does not matter.
  return digestOf({ definition, cwd: cwd === undefined ? null : seen(cwd), files: Object.fromEntries(contents) }, hash);
}

function digestOfFile(file: string): string {
  const bytes = readBytes(file, MAX_HASHED);
  if (bytes === undefined) return 'missing';
  if (bytes instanceof Uint8Array) return hash(bytes);
  return bytes.code === 'file-too-large' ? randomUUID() : bytes.code;
}

function hash(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
