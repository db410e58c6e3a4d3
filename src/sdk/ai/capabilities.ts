/** The AI SDK: tools and models are wrapped, so hooks are asked wherever the SDK uses them. */
import type { SdkFacts } from '../kit/capabilities.ts';

export const sdk: SdkFacts = {
  id: 'ai',
  title: 'Vercel AI SDK',
  package: { name: 'ai', versions: '6 and 7' },
  node: '>=20.19 (version 7: >=22)',
  capabilities: {
    deny: 'yes',
    rewrite: 'yes',
    context: 'yes',
    replace: 'yes',
    error: 'yes',
    abort: 'yes',
    halt: { partly: 'a halt of `tool.after`, or of a call that is resumed, is an error result, and the run continues' },
    hold: 'yes',
    siblings: 'yes',
    severalHeld: 'yes',
    llmBefore: 'yes',
    llmRetries: 'yes',
    llmAfter: 'yes',
    stream: 'yes',
  },
};
