/** Compares the tools that a server lists with the pinned ones: a tool is usable as long as its definition is the pinned one. */
import type { Hash } from '../../core/values/digest.ts';
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';
import { type Definition, type Definitions, definitionOf, type PinFile, type PinnedServer, type Pins } from './pins.ts';

export interface PinnedTools {
  /** Takes a whole list of the server. The first one is pinned. Returns the names that were pinned now. */
  takeAll(tools: readonly JsonObject[]): readonly string[];
  /** Returns one page of a list as the client may see it: pinned definitions alone. */
  shown(tools: readonly Json[]): readonly Json[];
  /** Reads the pins again if a person has changed them, and returns whether one has. */
  refresh(): boolean;
  /** Returns why a tool may not be called, or undefined. */
  problem(tool: string): string | undefined;
  /** The definitions that wait for a person. */
  waiting(): Definitions;
}

export interface PinnedToolsOptions {
  readonly pins: Pins;
  readonly server: PinnedServer;
  readonly hash: Hash;
  readonly now: () => string;
}

export function createPinnedTools({ pins, server, hash, now }: PinnedToolsOptions): PinnedTools {
  let version = pins.version(server);
  let file: PinFile = pins.read(server);
  /** The definitions that the server sent last, by name. */
  const seen = new Map<string, Definition>();
  const refresh = (): boolean => {
    const next = pins.version(server);
    if (next === version) return false;
    version = next;
    file = pins.read(server);
    return true;
  };
  const isPinned = (name: string, { digest }: Definition): boolean => file.pins?.get(name)?.digest === digest;
  const waiting = (): Definitions => new Map([...seen].filter(([name, one]) => !isPinned(name, one)));
  /** A name that occurs twice has no single definition, so the one that is not pinned counts. */
  const take = (tools: readonly JsonObject[]): void => {
    const here = new Map<string, Definition>();
    for (const tool of tools) {
      const name = tool['name'];
      if (typeof name !== 'string') continue;
      const found = definitionOf(tool, hash);
      const twin = here.get(name);
      if (twin === undefined || isPinned(name, twin)) here.set(name, found);
    }
    for (const [name, found] of here) seen.set(name, found);
  };
  const keepWaiting = (): void => {
    if (file.broken === undefined) pins.wait(server, waiting());
  };
  return {
    takeAll(tools) {
      refresh();
      seen.clear();
      take(tools);
      if (file.pins !== undefined || file.broken !== undefined) {
        keepWaiting();
        return [];
      }
      file = pins.first(server, seen, now());
      version = pins.version(server);
      // Of a name that occurs twice, the definition that is not pinned counts from now on.
      take(tools);
      keepWaiting();
      return [...seen.keys()].filter((name) => file.pins?.has(name));
    },
    shown(tools) {
      refresh();
      const known = tools.filter(isObject);
      const before = waiting().size;
      take(known);
      if (waiting().size !== before) keepWaiting();
      const names = new Set(known.flatMap(({ name }) => (typeof name === 'string' ? [name] : [])));
      return [...names].flatMap((name): readonly JsonObject[] => {
        const pin = file.pins?.get(name);
        return pin === undefined ? [] : [pin.definition];
      });
    },
    problem(tool) {
      refresh();
      const review = `\`hookline mcp pins show ${server.id}\` shows it to a person, who accepts it with \`hookline mcp pins accept ${server.id}\`.`;
      if (file.broken !== undefined)
        return `The pinned tools of this MCP server cannot be read: ${file.broken} A person must look at \`hookline mcp pins show ${server.id}\`.`;
      const found = seen.get(tool);
      if (found === undefined) return `The MCP server lists no tool \`${tool}\`.`;
      if (isPinned(tool, found)) return undefined;
      return file.pins?.has(tool)
        ? `The MCP server has changed the definition of \`${tool}\` since it was pinned. ${review}`
        : `\`${tool}\` is a new tool of the MCP server, and no person has seen its definition. ${review}`;
    },
    refresh,
    waiting,
  };
}
