/** `wrapTool`: a loop of one's own. It has the tools alone, so the model calls are the loop's to fire. */
import type { SdkFacts, Support } from '../kit/capabilities.ts';

const OURS: Support = { no: 'the loop fires `llm.before` and `llm.after` itself' };

export const sdk: SdkFacts = {
  id: 'plain',
  title: 'A loop of your own',
  package: null,
  node: '>=20.19',
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
    severalHeld: 'yes',
    llmBefore: OURS,
    llmRetries: OURS,
    llmAfter: OURS,
    stream: { no: 'the loop streams what it wants' },
  },
};
