/** Finds out whose action an event is: the account, the machine, and the project with its repository. It starts no process. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import path from 'node:path';
import type { Caller, Project, Who } from '../core/contracts/who.ts';
import { projectOf } from './repository.ts';

export interface Identity {
  /** The id of the state folder: it names the machine, and the key that seals the log. */
  readonly origin: string;
  who(caller?: Caller): Who;
}

/** How long the commit of a project is believed, because it is read for each entry. */
const FRESH_MS = 1000;

/** @param stateFolder null if nothing outlives the process: the machine then has another id in each */
export function createIdentity(stateFolder: string | null, root: string, tick: () => number): Identity {
  let origin: string | undefined;
  let account: Pick<Who, 'osUser' | 'userId'> | undefined;
  let project: { readonly at: number; readonly found: Project } | undefined;
  const identity: Identity = {
    get origin() {
      origin ??= stateFolder === null ? randomUUID() : originOf(stateFolder);
      return origin;
    },
    who(caller = {}) {
      account ??= accountOf();
      if (!project || tick() - project.at > FRESH_MS) project = { at: tick(), found: projectOf(root) };
      return { ...account, machine: { id: identity.origin, name: hostname() }, ...caller, project: project.found };
    },
  };
  return identity;
}

function accountOf(): Pick<Who, 'osUser' | 'userId'> {
  try {
    const { username, uid } = userInfo();
    return { osUser: username, userId: uid < 0 ? username : String(uid) };
  } catch {
    // Some containers have users without an entry in the system's table.
    const uid = process.getuid?.();
    const id = uid === undefined ? 'unknown' : String(uid);
    return { osUser: id, userId: id };
  }
}

/** Several processes may make the file at once: the first one wins, and the others read its id. */
function originOf(stateFolder: string): string {
  const file = path.join(stateFolder, 'hookline', 'origin');
  const read = (): string | undefined => {
    try {
      return /^[0-9a-f-]{36}$/.exec(readFileSync(file, 'utf8').trim())?.[0];
    } catch {
      return undefined;
    }
  };
  const known = read();
  if (known !== undefined) return known;
  const made = randomUUID();
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${made}\n`, { flag: 'wx', mode: 0o600 });
    return made;
  } catch {
    return read() ?? made;
  }
}
