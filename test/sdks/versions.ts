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
  plain: [{ version: 'on Node 24', packages: {}, node: '24' }],
} as const satisfies Record<string, readonly SdkVersion[]>;
