/**
 * Verdicts of judges that were given before: in this process, and in files below the state folder for other processes. Both are bounded, and a
 * verdict is forgotten after a week, because the provider may change the model behind a name.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownVerdict, Look, Verdicts } from '../core/contracts/judge-memory.ts';
import { isObject, type Json } from '../core/values/json.ts';
import { keepNewest } from './keep-newest.ts';

const MOST = 1000;
const LIFE_MS = 7 * 24 * 60 * 60 * 1000;

export function openVerdictFiles(stateFolder: string, now: () => number = Date.now): Verdicts {
  const folder = join(stateFolder, 'hookline', 'judge-verdicts');
  const here = new Map<string, { readonly known: KnownVerdict; readonly at: number }>();
  const fileOf = (digest: string): string => join(folder, `${digest.replace(/\W/g, '-')}.json`);
  const keep = (digest: string, known: KnownVerdict, at: number): void => {
    here.delete(digest);
    if (here.size >= MOST) here.delete(here.keys().next().value as string);
    here.set(digest, { known, at });
  };
  return {
    get(digest) {
      const kept = here.get(digest) ?? readFile(fileOf(digest), digest);
      if (!kept || now() - kept.at > LIFE_MS || kept.at > now() + LIFE_MS) return undefined;
      keep(digest, kept.known, kept.at);
      return kept.known;
    },
    set(digest, known) {
      const at = now();
      keep(digest, known, at);
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        const file = fileOf(digest);
        // Written next to it and moved into place, so that no process reads half a verdict.
        const fresh = `${file}.${process.pid}.${here.size}`;
        writeFileSync(fresh, JSON.stringify({ digest, at, ...known }), { mode: 0o600 });
        renameSync(fresh, file);
        keepNewest(folder, MOST);
      } catch {
        // The next process asks the model again.
      }
    },
  };
}

/** Returns what the file says, if it is exactly a verdict on this question. */
function readFile(file: string, digest: string): { readonly known: KnownVerdict; readonly at: number } | undefined {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Json;
    if (!isObject(kept) || kept['digest'] !== digest || typeof kept['at'] !== 'number') return undefined;
    const { verdict, looks, at } = kept;
    if (!isObject(verdict) || typeof verdict['ok'] !== 'boolean' || !Array.isArray(looks) || !looks.every(isLook)) return undefined;
    return { known: { verdict, looks: looks as readonly Look[] }, at };
  } catch {
    return undefined;
  }
}

function isLook(value: unknown): value is Look {
  return isObject(value) && typeof value['tool'] === 'string' && isObject(value['input']) && typeof value['digest'] === 'string';
}
