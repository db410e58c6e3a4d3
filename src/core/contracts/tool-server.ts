/** MCP servers whose tools hooks call. An agent keeps them in files of its own, next to its hooks. */
import type { Json } from '../values/json.ts';

/** A file in which an agent keeps its servers. */
export interface ServerFile {
  /** `root`: the project wrote it. `home`: the user did. */
  readonly base: 'root' | 'home';
  /** Relative to the base, with `/`. */
  readonly path: string;
  readonly format: 'json' | 'toml';
  /** The keys that lead to the map of servers. `PROJECT_KEY` stands for the path of the project. */
  readonly at: readonly string[];
}

/** The key in `ServerFile.at` that stands for the path of the project. */
export const PROJECT_KEY = '<project>';

/** The entry of a server as its file has it, or why there is none, as a clause. */
export type FoundServer =
  | {
      readonly from: 'project' | 'user';
      readonly file: string;
      readonly entry: Json;
      /** The digest of the whole entry. */
      readonly digest: string;
    }
  | { readonly missing: string };

/** How a server is reached. Values are as they were written. */
export type ServerDefinition = StdioServer | HttpServer;

export interface StdioServer {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** The folder in which it runs; absent: that of the hook. */
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
  /** Variables of the caller that it sees in addition to those that every hook sees. */
  readonly passes?: readonly string[];
  /** Whether `${NAME}` and `${NAME:-default}` stand for variables of the caller. */
  readonly expands: boolean;
}

export interface HttpServer {
  readonly transport: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Headers whose values are variables of the caller, each with the text before the value. */
  readonly fromVariables?: Readonly<Record<string, { readonly name: string; readonly before: string }>>;
  readonly expands: boolean;
}
