/**
 * Results that one process of Hookline keeps for the next one, in `<state>/hookline/memory`: audits that passed, the hooks in files, and calls
 * that concern no hook. A process that can write there can change what runs. So nothing is read where a managed policy is in force, where the
 * user could not change the program itself, or where the folder is open to others. The guard protects the folder from agents.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { systemPolicyFile } from './settings/policy-file.ts';

export interface Memory {
  /** Returns what was kept under this key, or undefined. */
  read(key: string): unknown;
  /** Keeps a value. A value that cannot be kept is worked out again next time. */
  write(key: string, value: unknown): void;
  hash(data: string | Uint8Array): string;
}

/** Set by the build to a digest of all sources, so that another version remembers nothing of this one. */
declare const __HOOKLINE_BUILD__: string | undefined;

interface Program {
  readonly build: string | undefined;
  /** If the user may write it, the memory is no weaker than the program itself. Undefined in a bundle that does not know its own place. */
  readonly folder: string | undefined;
  /** The file of the machine's policy. */
  readonly policy: string;
}

const PLAIN = /^[\w-]{1,64}$/;
/** Beyond this, all entries go: a memory is never worth a search. */
const MOST_ENTRIES = 512;

/** @param given The policy file that the caller named, for machines that have none. */
export function openMemory(
  stateFolder: string,
  given: string | undefined,
  { build, folder: programFolder, policy }: Program = runningProgram(),
): Memory | undefined {
  if (build === undefined || programFolder === undefined || given !== undefined) return undefined;
  if (existsSync(policy) || !isWritable(programFolder)) return undefined;
  const own = join(stateFolder, 'hookline');
  const folder = join(own, 'memory');
  // A plain key needs no digest, whose function takes long to load.
  const fileOf = (key: string): string => join(folder, `${PLAIN.test(key) ? `${key}-${build}` : hash(`${build}\n${key}`)}.json`);
  // Checked at the first use: most processes never get that far.
  let usable: boolean | undefined;
  const isUsable = (): boolean => (usable ??= isPrivate(own, 0o022) && isPrivate(folder, 0o077));
  return {
    hash,
    read(key) {
      try {
        const file = fileOf(key);
        return isUsable() && isPrivate(file, 0o022) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
      } catch {
        // Absent, cut short or no JSON: all of them mean that nothing is remembered.
        return undefined;
      }
    },
    write(key, value) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        usable = undefined;
        if (!isUsable()) return;
        if (readdirSync(folder).length >= MOST_ENTRIES) rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const file = fileOf(key);
        writeFileSync(`${file}.${process.pid}`, JSON.stringify(value), { mode: 0o600 });
        renameSync(`${file}.${process.pid}`, file);
      } catch {
        // A full disk or a folder that is read-only costs time at the next start and changes no decision.
      }
    },
  };
}

/**
 * Returns a short key for a longer text, without the hash function, whose module takes longer to load than most answers. Two texts may share a key,
 * so a value must hold its text.
 */
export function plainKey(topic: string, text: string): string {
  let [high, low] = [0, 0];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = (Math.imul(high, 31) + code) >>> 0;
    low = (Math.imul(low ^ code, 0x01000193) + i) >>> 0;
  }
  return `${topic}-${high.toString(36)}-${low.toString(36)}`;
}

function runningProgram(): Program {
  return {
    build: typeof __HOOKLINE_BUILD__ === 'string' ? __HOOKLINE_BUILD__ : undefined,
    folder: import.meta.dirname,
    policy: systemPolicyFile(),
  };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** On Windows Node reports neither the owner of a folder nor who else may write to it, so nothing is remembered there. */
function isPrivate(folder: string, forbidden: number): boolean {
  const stats = statSync(folder, { throwIfNoEntry: false });
  return stats !== undefined && stats.uid === process.getuid?.() && (stats.mode & forbidden) === 0;
}

/** The module is loaded when something is hashed, which most starts of the command never do. */
function hash(data: string | Uint8Array): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', data);
}
