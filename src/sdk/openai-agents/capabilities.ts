/** The OpenAI Agents SDK: the tools of agents and their models are wrapped. A run that is held is saved and resumed as a `RunState`. */
import type { SdkFacts } from '../kit/capabilities.ts';

export const sdk: SdkFacts = {
  id: 'openai-agents',
  title: 'OpenAI Agents SDK',
  package: { name: '@openai/agents', versions: '0.8.0 and later' },
  node: '>=20.19',
  capabilities: {
    deny: 'yes',
    rewrite: 'yes',
    context: 'yes',
    replace: 'yes',
    error: { partly: 'for a tool with `errorFunction: null`; of other tools the SDK makes the error a result, which `tool.after` sees' },
    abort: 'yes',
    halt: 'yes',
    hold: 'yes',
    siblings: 'yes',
    severalHeld: 'yes',
    llmBefore: 'yes',
    llmRetries: { partly: '`retry` of the model settings asks the hooks for each attempt' },
    llmAfter: 'yes',
    stream: 'yes',
  },
};
