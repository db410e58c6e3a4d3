/** MCP: the tools of a server, or the calls of a client, are wrapped. A call that is held is answered at once, and is made again later. */
import type { SdkFacts, Support } from '../kit/capabilities.ts';

const NO_MODEL: Support = { no: 'the agent calls its model itself; hooks see `sampling/createMessage` of a guarded client' };

export const sdk: SdkFacts = {
  id: 'mcp',
  title: 'Model Context Protocol',
  package: { name: '@modelcontextprotocol/server', versions: '2.0.0 and later, or `@modelcontextprotocol/client` 2.0.0 and later' },
  node: '>=20.19',
  capabilities: {
    deny: 'yes',
    rewrite: 'yes',
    context: 'yes',
    replace: 'yes',
    error: { partly: 'for errors of the protocol; an error of the tool is a result with `isError`, which `tool.after` sees' },
    abort: 'yes',
    halt: { partly: 'with `guardClient`; a server cannot end the run of its client, so it refuses the call' },
    hold: { partly: 'the call is answered at once with its ticket, and the same call runs once a person has approved it' },
    siblings: 'yes',
    severalHeld: 'yes',
    llmBefore: NO_MODEL,
    llmRetries: NO_MODEL,
    llmAfter: NO_MODEL,
    stream: { no: 'a result has no parts' },
  },
};

/** The facts of a guarded server alone. */
export const ofServer: SdkFacts = {
  ...sdk,
  capabilities: { ...sdk.capabilities, halt: { no: 'a server cannot end the run of its client' } },
};
