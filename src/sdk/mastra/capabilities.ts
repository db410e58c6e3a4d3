/** Mastra: the tools and the models of an agent are wrapped where a run collects them. Mastra enters a suspended call again. */
import type { SdkFacts } from '../kit/capabilities.ts';

export const sdk: SdkFacts = {
  id: 'mastra',
  title: 'Mastra',
  package: { name: '@mastra/core', versions: '1.4.0 and later' },
  node: '>=22.13',
  capabilities: {
    deny: 'yes',
    rewrite: 'yes',
    context: 'yes',
    replace: 'yes',
    error: 'yes',
    abort: 'yes',
    halt: 'yes',
    hold: 'yes',
    siblings: 'yes',
    severalHeld: { partly: 'each is resumed on its own, by `resumeStream`; `resumeGenerate` rejects while another one waits' },
    llmBefore: { partly: 'a model that a processor chooses for a step is not behind the hooks' },
    llmRetries: 'yes',
    llmAfter: 'yes',
    stream: 'yes',
  },
};
