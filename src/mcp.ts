/** `hookline/mcp`: puts the hooks before the tools of an MCP server, or before every call of an MCP client. */

export { HaltError } from './sdk/kit/errors.ts';
export type { GuardContext, McpCall, McpCaller } from './sdk/mcp/caller.ts';
export { guardClient } from './sdk/mcp/client.ts';
export { TICKET_KEY } from './sdk/mcp/results.ts';
export { guardServer } from './sdk/mcp/server.ts';
