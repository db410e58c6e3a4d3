/** The adapter keeps its contract in the oldest and the newest version of the MCP SDK, on the client and on the server. */
import { describe, expect, test } from 'vitest';
import { describeAdapter } from '../../src/api/testing/index.ts';
import { ofServer, sdk } from '../../src/sdk/mcp/capabilities.ts';
import { inSdkProject } from './install.ts';
import { mcpLaws } from './mcp-laws.ts';
import { describeProject } from './project-laws.ts';
import { VERSIONS } from './versions.ts';

const TYPES = `
  import { Client } from '@modelcontextprotocol/client';
  import { McpServer, Server } from '@modelcontextprotocol/server';
  import type { Hookline } from 'hookline';
  import { type GuardContext, guardClient, guardServer, HaltError, type McpCall, type McpCaller, TICKET_KEY } from 'hookline/mcp';
  declare const hookline: Hookline;
  const who = ({ sessionId, meta }: McpCall): McpCaller => ({ session: sessionId ?? 's', callId: String(meta['app/call']), server: 'files' });
  const context: GuardContext = who;
  export const server: McpServer = guardServer(new McpServer({ name: 'n', version: '1' }), hookline, context);
  export const low: Server = guardServer(new Server({ name: 'n', version: '1' }), hookline, { session: 's', user: 'ann' });
  export const client: Client = guardClient(new Client({ name: 'n', version: '1' }), hookline, { session: 's' });
  export const result = await client.callTool({ name: 'x' });
  export const ticket = result._meta?.[TICKET_KEY];
  export const ended = new HaltError('x');
`;

for (const version of VERSIONS.mcp) {
  describeAdapter({ describe, test, expect }, { sdk, ...inSdkProject(sdk.id, version) });
  const onServer = inSdkProject('mcp-server', version);
  describeAdapter({ describe, test, expect }, { sdk: ofServer, ...onServer, version: `server ${version.version}` });
  describeProject(sdk, version, TYPES, mcpLaws);
}
