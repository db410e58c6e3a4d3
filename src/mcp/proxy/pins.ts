/**
 * The pinned definitions of a server's tools, in `<state>/hookline/mcp-pins`, one file for each project and server command. The proxy writes the
 * file once, with the first list that the server sends; from then on only a person changes it. Definitions that differ wait in a file of their own
 * until a person has seen them. A broken file pins nothing and is reported, so every tool is held.
 */
import { linkSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { digestOf, type Hash } from '../../core/values/digest.ts';
import { isObject, type JsonObject } from '../../core/values/json.ts';
import { redactText } from '../../core/values/redact.ts';
import { readBytes } from '../../load/find/read-text.ts';
import { writeAtomically } from '../../trust/kept-texts.ts';

/** The definition of a tool as the server sent it, and its digest. */
export interface Definition {
  readonly digest: string;
  readonly definition: JsonObject;
}

export interface Pin extends Definition {
  /** ISO 8601. */
  readonly at: string;
  /** `first`: in the first list that the server sent. Otherwise a person accepted it. */
  readonly by: string;
}

export type Definitions<T extends Definition = Definition> = ReadonlyMap<string, T>;

/** A server in a project. */
export interface PinnedServer {
  readonly id: string;
  readonly root: string;
  /** As it is shown, with secrets masked. */
  readonly command: string;
  readonly server: string;
}

export interface PinFile extends PinnedServer {
  /** Undefined if there are none yet. */
  readonly pins: Definitions<Pin> | undefined;
  /** Definitions that no person has accepted yet. */
  readonly waiting: Definitions;
  /** Why the pins cannot be read. */
  readonly broken?: string;
}

export const FIRST = 'first';

/** Identifies a server by its project and its whole command. */
export function pinnedServer(root: string, command: readonly string[], server: string, hash: Hash): PinnedServer {
  const id = hash(JSON.stringify([root, ...command])).slice(0, 16);
  return { id, root, command: redactText(command.join(' ')), server };
}

export function definitionOf(tool: JsonObject, hash: Hash): Definition {
  return { digest: digestOf(tool, hash), definition: tool };
}

export interface Pins {
  list(): readonly PinFile[];
  read(server: PinnedServer): PinFile;
  /** Pins the first list. If another process was first, its list counts. */
  first(server: PinnedServer, tools: Definitions, at: string): PinFile;
  /** Keeps the definitions that wait, in place of those that waited before. */
  wait(server: PinnedServer, waiting: Definitions): void;
  /** Pins these definitions, which a person has seen, and takes them from those that wait. */
  accept(file: PinFile, accepted: Definitions, at: string, by: string): void;
  remove(server: PinnedServer): void;
  /** A text that changes with the pins. */
  version(server: PinnedServer): string;
}

export function openPins(stateFolder: string): Pins {
  const folder = path.join(stateFolder, 'hookline', 'mcp-pins');
  const pinsOf = ({ id }: Pick<PinnedServer, 'id'>): string => path.join(folder, `${id}.json`);
  const waitingOf = ({ id }: Pick<PinnedServer, 'id'>): string => path.join(folder, `${id}.waiting.json`);
  const read = (server: PinnedServer): PinFile => {
    const found = readFile(pinsOf(server), isPin);
    const { tools: waiting = NONE } = readFile(waitingOf(server), isDefinition);
    const { id, root, command, server: name } = { ...server, ...found.named };
    const { tools, broken } = found;
    return { id, root, command, server: name, pins: tools, waiting, ...(broken !== undefined && { broken }) };
  };
  const write = (server: PinnedServer, pins: Definitions<Pin>): void => writeAtomically(pinsOf(server), textOf(server, pins));
  const wait: Pins['wait'] = (server, waiting) => {
    if (waiting.size > 0) writeAtomically(waitingOf(server), textOf(server, waiting));
    else rmSync(waitingOf(server), { force: true });
  };
  return {
    list: () =>
      namesIn(folder).flatMap((name) => {
        const id = /^([0-9a-f]{16})\.json$/.exec(name)?.[1];
        return id === undefined ? [] : [read({ id, root: '', command: '', server: '' })];
      }),
    read,
    first(server, tools, at) {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const draft = `${pinsOf(server)}.${process.pid}`;
      const pins = new Map([...tools].map(([name, one]) => [name, { ...one, at, by: FIRST }]));
      writeFileSync(draft, textOf(server, pins), { mode: 0o600 });
      try {
        linkSync(draft, pinsOf(server));
      } catch {
        // Another process has pinned a list, or the file is there and broken. Reading it tells which.
      } finally {
        rmSync(draft, { force: true });
      }
      return read(server);
    },
    wait,
    accept(file, accepted, at, by) {
      const now = read(file);
      write(file, new Map([...(now.pins ?? NONE), ...[...accepted].map(([name, one]) => [name, { ...one, at, by }] as const)]));
      const left = [...now.waiting].filter(([name, { digest }]) => accepted.get(name)?.digest !== digest);
      wait(file, new Map(left));
    },
    remove(server) {
      rmSync(pinsOf(server), { force: true });
      rmSync(waitingOf(server), { force: true });
    },
    version(server) {
      const found = statSync(pinsOf(server), { throwIfNoEntry: false });
      return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`;
    },
  };
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>();

function textOf({ root, command, server }: PinnedServer, tools: Definitions): string {
  return `${JSON.stringify({ root, command, server, tools: Object.fromEntries(tools) }, null, 2)}\n`;
}

interface Read<T extends Definition> {
  readonly named?: Pick<PinnedServer, 'root' | 'command' | 'server'>;
  readonly tools?: Definitions<T>;
  readonly broken?: string;
}

function readFile<T extends Definition>(file: string, isTool: (value: unknown) => value is T): Read<T> {
  const found = readBytes(file, MOST_BYTES);
  if (found === undefined) return {};
  if (!(found instanceof Uint8Array)) return { broken: found.message };
  try {
    const value: unknown = JSON.parse(found.toString('utf8'));
    if (!isObject(value) || !isObject(value['tools'])) return { broken: 'The file has no list of tools.' };
    const { root, command, server, tools } = value;
    const entries = Object.entries(tools);
    if (typeof root !== 'string' || typeof command !== 'string' || typeof server !== 'string' || !entries.every(([, one]) => isTool(one)))
      return { broken: 'A field of the file is missing or has the wrong type.' };
    return { named: { root, command, server }, tools: new Map(entries as unknown as [string, T][]) };
  } catch {
    return { broken: 'The file is not JSON.' };
  }
}

/** A server may have hundreds of tools. */
const MOST_BYTES = 32 * 1024 * 1024;

function isDefinition(value: unknown): value is JsonObject & Definition {
  return isObject(value) && typeof value['digest'] === 'string' && isObject(value['definition']);
}

function isPin(value: unknown): value is JsonObject & Pin {
  return isDefinition(value) && typeof value['at'] === 'string' && typeof value['by'] === 'string';
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // There is no folder, so no server was guarded yet.
    return [];
  }
}
