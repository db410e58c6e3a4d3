/** LangChain: one middleware. LangGraph enters a suspended call again, so the hooks themselves find the approval. */
import type { SdkFacts } from '../kit/capabilities.ts';

export const sdk: SdkFacts = {
  id: 'langchain',
  title: 'LangChain',
  package: { name: 'langchain', versions: '1.0.1 and later' },
  node: '>=20.19',
  capabilities: {
    deny: 'yes',
    rewrite: 'yes',
    context: 'yes',
    replace: 'yes',
    error: 'yes',
    abort: 'yes',
    halt: 'yes',
    hold: { partly: 'needs a checkpointer; without one a held call is refused' },
    siblings: 'yes',
    severalHeld: 'yes',
    llmBefore: 'yes',
    llmRetries: { partly: '`modelRetryMiddleware` before Hookline asks the hooks for each attempt' },
    llmAfter: 'yes',
    stream: { partly: '`streamEvents` and callback handlers see the tokens of the model' },
  },
};
