/** MCP servers as Claude Code writes them: `.mcp.json` of the project, and `.claude.json` of the user, for one project or for all. */
import { PROJECT_KEY, type ServerDefinition, type ServerFile } from '../../core/contracts/tool-server.ts';
import { type JsonObject, textOf } from '../../core/values/json.ts';
import { listOf, textsOf } from '../kit/tool-hook.ts';

/** In the order in which they count: the user's own for this project, those of the project, those of the user. */
export const SERVER_FILES: readonly ServerFile[] = [
  { base: 'home', path: '.claude.json', format: 'json', at: ['projects', PROJECT_KEY, 'mcpServers'] },
  { base: 'root', path: '.mcp.json', format: 'json', at: ['mcpServers'] },
  { base: 'home', path: '.claude.json', format: 'json', at: ['mcpServers'] },
];

export function readServer(entry: JsonObject): ServerDefinition | string {
  const { command, url } = entry;
  const type = textOf(entry['type']) ?? (command === undefined ? 'http' : 'stdio');
  const [args, env, headers] = [listOf(entry['args']), textsOf(entry['env']), textsOf(entry['headers'])];
  if (type === 'stdio') {
    if (typeof command !== 'string' || command === '') return 'has no `command`';
    if (!args) return 'has `args` that are no list of texts';
    return env ? { transport: 'stdio', command, args, env, expands: true } : 'has an `env` that is no map of texts';
  }
  if (type !== 'http' && type !== 'streamable-http') return `has the type \`${type}\`; only \`stdio\` and \`http\` can be asked`;
  if (typeof url !== 'string' || url === '') return 'has neither a `command` nor a `url`';
  return headers ? { transport: 'http', url, headers, expands: true } : 'has `headers` that are no map of texts';
}
