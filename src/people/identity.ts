/** Finds out whose action an event is: the account, the machine, and the project with its repository. It starts no process. */
import { createHash, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import path from 'node:path';
import type { Caller, Project, Who } from '../core/record/who.ts';
import { unchanging } from '../core/values/digest.ts';
import { projectOf } from './repository.ts';

export interface Identity {
  /** The id of the state folder: it names the machine, and the key that seals the log. */
  readonly origin: string;
  who(caller?: Caller): Who;
}

/** How long the commit of a project is believed, because it is read for each entry. */
const FRESH_MS = 1000;

/**
 * Creates the identity of this process.
 * @param stateFolder null if nothing outlives the process: the machine then has another id in each
 * @param store the name of the store that has the log; undefined if the log is not known, or is gone with the process
 */
export function createIdentity(stateFolder: string | null, root: string, tick: () => number, store?: string): Identity {
  let origin: string | undefined;
  let fixed: Pick<Who, 'osUser' | 'userId' | 'machine' | 'origin'> | undefined;
  let project: { readonly at: number; readonly found: Project } | undefined;
  let last: Who | undefined;
  const identity: Identity = {
    get origin() {
      origin ??= stateFolder === null ? randomUUID() : originOf(stateFolder);
      return origin;
    },
    who(caller) {
      if (!fixed) {
        const account = accountOf();
        const log = store === undefined ? {} : { origin: idOf(`${identity.origin}\n${account.userId}\n${store}`) };
        fixed = { ...account, machine: { id: identity.origin, name: hostname() }, ...log };
      }
      if (!project || tick() - project.at > FRESH_MS) project = { at: tick(), found: projectOf(root) };
      // The same agent fires many events in a row.
      if (last?.project !== project.found || !isSame(last, caller)) last = unchanging({ ...caller, ...fixed, project: project.found });
      return last;
    },
  };
  return identity;
}

function isSame(one: Caller, other: Caller = {}): boolean {
  return one.host === other.host && one.hostVersion === other.hostVersion && one.agent === other.agent && one.parent === other.parent;
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

/** Returns the id of a state folder, and makes it if there is none. Of several processes that make it at once, all return the same. */
function originOf(stateFolder: string): string {
  const file = path.join(stateFolder, 'hookline', 'origin');
  const known = readOrigin(file);
  if (known !== undefined) return known;
  const made = `${file}.${randomUUID()}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(made, `${randomUUID()}\n`, { flag: 'wx', mode: 0o600 });
    publish(made, file);
    rmSync(made, { force: true });
  } catch {
    // A folder that cannot be written is told apart by its place.
  }
  return readOrigin(file) ?? idOf(`${hostname()}\n${stateFolder}`);
}

/** Puts a complete file in its place, unless another process has done so. A file that holds no id is replaced. */
function publish(made: string, file: string): void {
  try {
    linkSync(made, file);
  } catch {
    if (readOrigin(file) === undefined) renameSync(made, file);
  }
}

function readOrigin(file: string): string | undefined {
  try {
    return /^[0-9a-f-]{36}$/.exec(readFileSync(file, 'utf8').trim())?.[0];
  } catch {
    return undefined;
  }
}

/** Returns an id in the form of the others, the same for the same text. */
function idOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
