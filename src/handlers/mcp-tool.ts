/** Hooks that are tools of an MCP server. Hookline has no client for that protocol; a program that has one provides a handler of this type. */
import type { Handler } from '../core/contracts/handler.ts';
import { fault } from '../core/decision/reply.ts';
import { unknownType } from './kit/describe.ts';

export const mcpToolHandler: Handler = {
  type: 'mcp_tool',
  inFiles: false,
  describe: () => ({ does: 'ask', why: unknownType('mcp_tool') }),
  handle: () => fault('unavailable', 'no MCP client is configured; give createHookline a handler `mcp_tool`'),
};
