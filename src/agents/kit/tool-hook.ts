/** Hooks that call a tool of an MCP server: the agent's own files define the server, and its definition becomes part of the hook. */
import type { LoadContext } from '../../core/contracts/dialect.ts';
import type { HookHandler } from '../../core/contracts/hook.ts';
import type { ServerDefinition } from '../../core/contracts/tool-server.ts';
import type { Position } from '../../core/values/diagnostic.ts';
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';
import type { Problems } from '../../core/values/read-document.ts';

interface NamedTool {
  readonly server: string;
  readonly tool: string;
  readonly input?: Json;
  /** Where the file names the server. */
  readonly at: Position | undefined;
}

/**
 * Returns the handler with the definition of its server. Trust and the audit cover the definition; of a server of the project they cover every
 * value of it. The values of variables and headers are kept apart, so that no text shows them.
 * @param read reads the entry of a server; a string is the problem with it, as a clause
 */
export function toolHandler(
  { server, tool, input, at }: NamedTool,
  context: LoadContext,
  read: (entry: JsonObject) => ServerDefinition | string,
  problems: Problems,
): HookHandler {
  const config = { server, tool, ...(input !== undefined && { input }) };
  const found = context.toolServer?.(server);
  if (!found) return { type: 'mcp_tool', config };
  const definition = 'missing' in found ? found.missing : isObject(found.entry) ? read(found.entry) : 'is not a map';
  if (typeof definition === 'string') {
    const missing = 'missing' in found ? definition : `its definition in ${found.file} ${definition}`;
    const hint = "Define the server in the agent's own file, or fix its name.";
    problems.report('warning', 'unknown-server', at, `The server \`${server}\` cannot be asked: ${missing}.`, hint);
    // The reason names folders of this machine, so it is no part of what is trusted.
    return { type: 'mcp_tool', config: { ...config, definition: { from: 'nowhere' } }, aside: { missing } };
  }
  const origin = 'missing' in found ? {} : found.from === 'project' ? { from: found.from, digest: found.digest } : { from: found.from };
  return { type: 'mcp_tool', ...splitUp(config, origin, definition) };
}

function splitUp(config: JsonObject, origin: JsonObject, definition: ServerDefinition): Pick<HookHandler, 'config' | 'aside'> {
  if (definition.transport === 'stdio') {
    const { env, ...rest } = definition;
    return { config: { ...config, definition: { ...origin, ...rest, env: Object.keys(env).sort() } }, aside: { env } };
  }
  const { headers, fromVariables, ...rest } = definition;
  const shown = { ...origin, ...rest, headers: Object.keys(headers).sort(), ...(fromVariables && { fromVariables }) };
  return { config: { ...config, definition: shown as JsonObject }, aside: { headers } };
}

/** Returns a map of names to texts; undefined if it is something else. Numbers and booleans are texts. */
export function textsOf(value: Json | undefined): Readonly<Record<string, string>> | undefined {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  if (entries.some(([, one]) => !['string', 'number', 'boolean'].includes(typeof one))) return undefined;
  return Object.fromEntries(entries.map(([name, one]) => [name, String(one)]));
}

/** Returns a list of texts; undefined if it is something else. */
export function listOf(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined;
}
