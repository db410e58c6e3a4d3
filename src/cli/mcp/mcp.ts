/** `hookline mcp`: the server of MCP about the hooks of a project, the proxy before other servers, and the tools that are pinned there. */
import { suggest } from '../../core/values/suggest.ts';
import { type Arguments, usageError } from '../arguments.ts';
import type { CommandResult } from '../command.ts';

export { mcpSpec as spec } from './mcp-spec.ts';

export async function run(args: Arguments): Promise<CommandResult> {
  const [action, ...words] = args.positionals;
  if (action === undefined) return (await import('./serve-mcp.ts')).serveMcp(args);
  if (action === 'proxy') return (await import('./proxy.ts')).runProxy(args, words);
  if (action === 'pins') return (await import('./pins.ts')).runPins(args, words);
  const near = suggest(action, ['proxy', 'pins']);
  const hint = near ? `Did you mean \`hookline mcp ${near}\`?` : 'Actions: proxy, pins. Without one it serves the hooks of this project.';
  throw usageError(`\`hookline mcp\` has no action \`${action}\`.`, hint);
}
