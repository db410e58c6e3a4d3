/** MCP servers as Codex writes them: the tables `[mcp_servers.NAME]` in `config.toml` of the project and of the user. */
import type { ServerDefinition, ServerFile } from '../../core/contracts/tool-server.ts';
import { type JsonObject, textOf } from '../../core/values/json.ts';
import { listOf, textsOf } from '../kit/tool-hook.ts';

export const SERVER_FILES: readonly ServerFile[] = [
  { base: 'root', path: '.codex/config.toml', format: 'toml', at: ['mcp_servers'] },
  { base: 'home', path: '.codex/config.toml', format: 'toml', at: ['mcp_servers'] },
];

export function readServer(entry: JsonObject): ServerDefinition | string {
  const { command, url } = entry;
  if (entry['enabled'] === false) return 'is disabled';
  if (command !== undefined) return stdioServer(entry, command);
  if (typeof url !== 'string' || url === '') return 'has neither a `command` nor a `url`';
  const [headers, named] = [textsOf(entry['http_headers']), textsOf(entry['env_http_headers'])];
  if (!headers || !named) return 'has headers that are no map of texts';
  const bearer = textOf(entry['bearer_token_env_var']);
  const fromVariables = {
    ...Object.fromEntries(Object.entries(named).map(([header, name]) => [header, { name, before: '' }])),
    ...(bearer !== undefined && { authorization: { name: bearer, before: 'Bearer ' } }),
  };
  return { transport: 'http', url, headers, ...(Object.keys(fromVariables).length > 0 && { fromVariables }), expands: false };
}

function stdioServer(entry: JsonObject, command: JsonObject[string]): ServerDefinition | string {
  const [args, env, passes] = [listOf(entry['args']), textsOf(entry['env']), listOf(entry['env_vars'])];
  if (typeof command !== 'string' || command === '') return 'has a `command` that is no text';
  if (!args) return 'has `args` that are no list of texts';
  if (!env) return 'has an `env` that is no map of texts';
  if (!passes) return 'has `env_vars` that are no list of names';
  const cwd = textOf(entry['cwd']);
  return {
    ...{ transport: 'stdio', command, args, env, expands: false },
    ...(cwd !== undefined && { cwd }),
    ...(passes.length > 0 && { passes }),
  };
}
