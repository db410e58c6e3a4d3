/**
 * The passphrase of the one who approves. Only a verifier is kept, in a file that the user alone can read: the passphrase cannot be computed
 * from it, but a process that can write it can replace it. So the log says, too, that this machine is protected.
 */
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogEntry, LogStore } from '../core/record/decision-record.ts';
import type { Who } from '../core/record/who.ts';
import { isObject } from '../core/values/json.ts';

export interface Secret {
  /** Whether there is a verifier. No passphrase fits a file that cannot be read or parsed. */
  readonly isSet: boolean;
  /** Keeps the verifier of a new passphrase. */
  set(passphrase: string): void;
  remove(): void;
  /** Whether this is the passphrase. Wrong ones make the next answers slow, in all processes. */
  fits(passphrase: string): Promise<boolean>;
}

/** scrypt with 32 MB: a guess takes a tenth of a second. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 } as const;
const BYTES = 32;
const LONGEST_WAIT_MS = 30_000;
/** Wrong passphrases count for this long. */
const REMEMBERED_MS = 10 * 60 * 1000;
export const SHORTEST_PASSPHRASE = 8;

export function openSecret(stateFolder: string): Secret {
  const file = verifierFile(stateFolder);
  const wrong = `${file}.wrong`;
  return {
    get isSet() {
      return statSync(file, { throwIfNoEntry: false }) !== undefined;
    },
    set(passphrase) {
      const salt = randomBytes(BYTES);
      const verifier = { version: 1, salt: salt.toString('hex'), hash: hashOf(passphrase, salt).toString('hex') };
      mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
      rmSync(file, { force: true });
      writeFileSync(file, `${JSON.stringify(verifier)}\n`, { mode: 0o600, flag: 'wx' });
    },
    remove() {
      for (const one of [file, wrong]) rmSync(one, { force: true });
    },
    async fits(passphrase) {
      const before = wrongTimes(wrong);
      // The attempt counts before its answer is known, so that many at once gain nothing.
      writeFileSync(wrong, 'x'.repeat(before + 1), { mode: 0o600 });
      if (before > 0) await sleep(Math.min(LONGEST_WAIT_MS, 500 * 2 ** before));
      const known = readVerifier(file);
      const isRight = known !== undefined && timingSafeEqual(hashOf(passphrase, known.salt), known.hash);
      if (isRight) rmSync(wrong, { force: true });
      return isRight;
    },
  };
}

export function verifierFile(stateFolder: string): string {
  return path.join(stateFolder, 'hookline', 'approver');
}

function hashOf(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(passphrase.normalize('NFC'), salt, BYTES, COST);
}

function wrongTimes(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && Date.now() - found.mtimeMs < REMEMBERED_MS ? Math.min(found.size, 16) : 0;
}

function readVerifier(file: string): { readonly salt: Buffer; readonly hash: Buffer } | undefined {
  try {
    const found: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (!isObject(found) || found['version'] !== 1) return undefined;
    const [salt, hash] = [found['salt'], found['hash']].map((hex) => Buffer.from(String(hex), 'hex')) as [Buffer, Buffer];
    return salt.length === BYTES && hash.length === BYTES ? { salt, hash } : undefined;
  } catch {
    return undefined;
  }
}

/** The entries about protection have a session of their own, so that they are found without a look at the rest of the log. */
export const PROTECTION_SESSION = 'hookline approvals';
const MOST_LOOKED_AT = 200;

/**
 * Whether the log says that this account of this machine is protected. The machine is known by its id or its name, because a process that removes
 * the verifier can remove the id too.
 */
export async function isProtectedByLog(log: LogStore, { osUser, machine }: Who): Promise<boolean> {
  const entries = await log.list({ session: PROTECTION_SESSION, limit: MOST_LOOKED_AT });
  const isOurs = ({ who, decision }: LogEntry): boolean =>
    decision === 'allow' &&
    who !== undefined &&
    (who.machine.id === machine.id || (who.machine.name === machine.name && who.osUser === osUser));
  return entries.findLast(isOurs)?.kind === 'approvals.protected';
}
