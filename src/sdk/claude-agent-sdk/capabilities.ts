/** The Claude Agent SDK: its hook callbacks are asked for every tool call, also for those of Claude Code's own tools. It has none for model calls. */
import type { SdkFacts, Support } from '../kit/capabilities.ts';

const NO_MODEL: Support = { no: 'Claude Code makes the model calls itself' };

export const sdk: SdkFacts = {
  id: 'claude-agent-sdk',
  title: 'Claude Agent SDK',
  package: { name: '@anthropic-ai/claude-agent-sdk', versions: '0.3, since 0.3.319' },
  node: '>=20.19',
  capabilities: {
    deny: 'yes',
    rewrite: 'yes',
    context: 'yes',
    replace: { partly: 'results of MCP tools, `Bash` and `Read`; a result of another tool that may not be shown ends the run' },
    error: 'yes',
    abort: 'yes',
    halt: 'yes',
    hold: 'yes',
    siblings: 'yes',
    severalHeld: { no: 'Claude Code keeps one deferred call of a step; the others are denied, and the model may make them again' },
    llmBefore: NO_MODEL,
    llmRetries: NO_MODEL,
    llmAfter: NO_MODEL,
    stream: NO_MODEL,
  },
};
