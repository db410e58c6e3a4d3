/**
 * The packs that a project shows to need, by the names of its files. A few folders are listed once. No file is read, and a folder that cannot be
 * listed shows nothing.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { packEvidence } from './compiled.ts';
import { globMatches } from './rule.ts';

/** A pack, and the sign by which it is on. */
export interface ShownPack {
  readonly pack: string;
  readonly by: string;
}

export interface Evidence {
  readonly packs: readonly ShownPack[];
  /** Returns whether the folders that were listed are as they were. */
  isCurrent(): boolean;
}

/** Looks for the signs of every pack. */
export function evidenceIn(root: string, home: string, env: Readonly<Record<string, string | undefined>> = process.env): Evidence {
  const lists = new Map<string, readonly string[]>();
  const stamps = new Map<string, number | undefined>();
  const namesIn = (folder: string): readonly string[] => {
    const known = lists.get(folder);
    if (known !== undefined) return known;
    // The root tells whether a folder below it exists.
    const names = folder === '.' || namesIn('.').includes(folder) ? listOf(path.join(root, folder), stamps) : [];
    lists.set(folder, names);
    return names;
  };
  const find = (sign: string): string | undefined => {
    if (sign.startsWith('$')) return env[sign.slice(1)] ? sign : undefined;
    if (sign.startsWith('~/')) return existsSync(path.join(home, sign.slice(2))) ? sign : undefined;
    const folder = path.posix.dirname(sign);
    const wanted = path.posix.basename(sign);
    const names = namesIn(folder);
    // A folder has many names, and few signs a wildcard.
    if (!wanted.includes('*')) return names.includes(wanted) ? sign : undefined;
    const name = names.find((one) => globMatches(wanted, one));
    return name === undefined ? undefined : path.posix.join(folder, name);
  };
  const packs = Object.entries(packEvidence()).flatMap(([pack, signs]): readonly ShownPack[] => {
    for (const sign of signs) {
      const by = find(sign);
      if (by !== undefined) return [{ pack, by }];
    }
    return [];
  });
  return { packs, isCurrent: () => [...stamps].every(([folder, at]) => changedAt(folder) === at) };
}

function listOf(folder: string, stamps: Map<string, number | undefined>): readonly string[] {
  stamps.set(folder, changedAt(folder));
  try {
    return readdirSync(folder);
  } catch {
    // It is missing, a file, or not readable.
    return [];
  }
}

function changedAt(folder: string): number | undefined {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}
