/** The versions of each SDK that the contract is tested with: the oldest and the newest that are supported. */

export interface SdkVersion {
  /** Names it in the tests. */
  readonly version: string;
  /** Everything to install, by name. */
  readonly packages: Readonly<Record<string, string>>;
  /** The major version of Node that runs it; absent: the one that runs the tests. */
  readonly node?: string;
}

export const VERSIONS = {
  ai: [
    { version: '6.0.0', packages: { ai: '6.0.0', zod: '4.6.7' } },
    { version: '7.0.0', packages: { ai: '7.0.0', zod: '4.6.7' }, node: '24' },
    { version: '7.0.169', packages: { ai: '7.0.169', zod: '4.6.7' }, node: '24' },
  ],
  'claude-agent-sdk': [
    { version: '0.3.319', packages: { '@anthropic-ai/claude-agent-sdk': '0.3.319', zod: '4.6.7' } },
    { version: '0.3.326', packages: { '@anthropic-ai/claude-agent-sdk': '0.3.326', zod: '4.6.7' } },
  ],
  langchain: [
    {
      version: '1.5.14',
      packages: {
        langchain: '1.5.14',
        '@langchain/langgraph': '1.4.18',
        '@langchain/core': '1.2.13',
        '@langchain/langgraph-sdk': '1.12.3',
      },
    },
    {
      version: '1.0.1',
      packages: {
        langchain: '1.0.1',
        '@langchain/langgraph': '1.0.0',
        '@langchain/core': '1.0.1',
        '@langchain/langgraph-checkpoint': '1.0.0',
        zod: '4.6.7',
      },
    },
  ],
  mastra: [
    { version: '1.71.0', packages: { '@mastra/core': '1.71.0', '@mastra/libsql': '1.23.1', zod: '4.6.7' }, node: '24' },
    { version: '1.4.0', packages: { '@mastra/core': '1.4.0', '@mastra/libsql': '1.4.0', zod: '4.6.7' }, node: '24' },
  ],
  mcp: [
    {
      version: '2.4.0',
      packages: { '@modelcontextprotocol/client': '2.4.0', '@modelcontextprotocol/server': '2.4.0' },
    },
    {
      version: '2.0.0',
      packages: { '@modelcontextprotocol/client': '2.0.0', '@modelcontextprotocol/server': '2.0.0' },
    },
  ],
  'openai-agents': [
    { version: '0.20.0', packages: { '@openai/agents': '0.20.0', zod: '4.6.7' } },
    { version: '0.8.0', packages: { '@openai/agents': '0.8.0', zod: '4.6.7' } },
  ],
  plain: [{ version: 'on Node 24', packages: {}, node: '24' }],
} as const satisfies Record<string, readonly SdkVersion[]>;
