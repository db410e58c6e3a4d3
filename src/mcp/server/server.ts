/** Builds the server of MCP for one project: tools that look at its hooks, the hook files as resources, and a prompt to write a hook. */
import type { McpServer } from '@modelcontextprotocol/server';
import { isObject, type JsonObject } from '../../core/values/json.ts';
import { addressOf, type FormatFacts, type HookDesk, type ResourceGroup } from './desk.ts';
import type { McpSdk } from './load-sdk.ts';
import { writeHookText } from './prompts.ts';
import { type DeskTool, TOOLS } from './tools.ts';

export interface ServerParts {
  readonly sdk: McpSdk;
  readonly version: string;
  readonly desk: HookDesk;
  readonly resources: readonly ResourceGroup[];
  readonly formats: readonly FormatFacts[];
  /** Returns the documentation of a format. */
  page(format: string): Promise<string | undefined>;
}

const INSTRUCTIONS =
  'Shows the hooks that guard this project, and explains their decisions. It runs no hook, trusts none and settles no held action: a person does that.';

/** A client may open several connections, so each gets a server of its own. */
export function createServer(parts: ServerParts): McpServer {
  const { sdk, version, resources } = parts;
  const server = new sdk.server.McpServer({ name: 'hookline', title: 'Hookline', version }, { instructions: INSTRUCTIONS });
  for (const tool of TOOLS) addTool(server, tool, parts);
  for (const group of resources) addResources(server, group, sdk);
  addPrompt(server, parts);
  return server;
}

function addTool(server: McpServer, tool: DeskTool, { sdk, desk }: ServerParts): void {
  const { name, title, description, input, output, run } = tool;
  const { fromJsonSchema } = sdk.server;
  server.registerTool(
    name,
    {
      ...{ title, description, inputSchema: fromJsonSchema(schemaOf(input)), outputSchema: fromJsonSchema(schemaOf(output)) },
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
    },
    async (given: unknown) => {
      const found = (await run(desk, isObject(given) ? given : {})) as Record<string, unknown>;
      return { content: [{ type: 'text', text: JSON.stringify(found, null, 2) }], structuredContent: found };
    },
  );
}

/** The SDK takes a JSON schema of its own type. */
function schemaOf(schema: JsonObject): Parameters<McpSdk['server']['fromJsonSchema']>[0] {
  return schema as unknown as Parameters<McpSdk['server']['fromJsonSchema']>[0];
}

function addResources(server: McpServer, { name, title, description, list, read }: ResourceGroup, { server: sdk }: McpSdk): void {
  const template = new sdk.ResourceTemplate(`hookline://${name}/{key}`, {
    list: async () => ({
      resources: (await list()).map(({ key, ...about }) => ({ ...about, uri: addressOf(name, key), name: `${name}/${key}` })),
    }),
  });
  server.registerResource(name, template, { title, description }, async (uri, { key }) => {
    const found = await read(decodeURIComponent(String(key)));
    if (found === undefined) throw new sdk.ResourceNotFoundError(uri.href);
    return { contents: [{ uri: uri.href, ...found }] };
  });
}

function addPrompt(server: McpServer, { sdk, formats, page }: ServerParts): void {
  const ids = formats.map(({ id }) => id);
  const schema: JsonObject = {
    type: 'object',
    properties: {
      goal: { type: 'string', description: 'The purpose of the hook, in a sentence.' },
      event: { type: 'string', description: 'The event: a canonical kind such as `tool.before`, or a name of the format.' },
      format: { type: 'string', description: `The format: ${ids.join(', ')}.` },
    },
    required: ['goal', 'format'],
  };
  const about = { title: 'Write a hook', description: 'Writes a hook in a format of your choice, and checks it.' };
  server.registerPrompt('write-hook', { ...about, argsSchema: sdk.server.fromJsonSchema(schemaOf(schema)) }, async (given: unknown) => {
    const { goal, event, format: id } = given as { readonly goal: string; readonly event?: string; readonly format: string };
    const format = formats.find((one) => one.id === id);
    if (!format) throw new sdk.server.ProtocolError(sdk.server.INVALID_PARAMS, `There is no format \`${id}\`. Formats: ${ids.join(', ')}.`);
    const text = await page(id);
    const asked = writeHookText({ goal, event, format, isDocumented: text !== undefined });
    const attached = { uri: addressOf('format', id), mimeType: 'text/markdown', text: text ?? '' };
    return {
      messages: [
        { role: 'user', content: { type: 'text', text: asked } },
        ...(text === undefined ? [] : [{ role: 'user' as const, content: { type: 'resource' as const, resource: attached } }]),
      ],
    };
  });
}
