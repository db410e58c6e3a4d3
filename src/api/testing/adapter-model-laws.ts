/** Laws for the model calls of every adapter: a denied one is not made, and no person sees an answer that was replaced. */
import type { JobHook } from './adapter-job.ts';
import { READ } from './adapter-tool-laws.ts';
import type { AdapterBench } from './describe-adapter.ts';
import type { Suite } from './suite.ts';

export function modelLaws({ expect }: Suite, { law }: AdapterBench): void {
  law('a denied model call is not made, and the client gets the reason', ['llmBefore'], async (perform) => {
    const hooks: readonly JobHook[] = [{ on: 'llm.before', does: { decision: 'deny', reason: 'the budget is used up' } }];
    for (const stream of [false, true]) {
      const { modelCalls, ran, output, error } = await perform({ hooks, calls: [READ], stream });
      expect([modelCalls, ran]).toEqual([0, []]);
      expect(`${output} ${error}`.includes('the budget is used up')).toBe(true);
    }
  });

  law('llm.before and llm.after fire once for each model call', ['llmBefore', 'llmAfter'], async (perform) => {
    for (const stream of [false, true]) {
      const { fired } = await perform({ calls: [READ], stream });
      const events = fired.filter(({ kind }) => kind.startsWith('llm.')).map(({ kind }) => kind);
      expect(events).toEqual(['llm.before', 'llm.after', 'llm.before', 'llm.after']);
    }
  });

  law('llm.before fires once for a model call that is retried', ['llmRetries'], async (perform) => {
    const { fired, error } = await perform({ calls: [READ], failures: 1 });
    expect([error, fired.filter(({ kind }) => kind === 'llm.before').length]).toEqual([null, 2]);
  });

  law('a model call that cannot be checked is not made', ['llmBefore'], async (perform) => {
    const { modelCalls, ran } = await perform({ calls: [READ], closed: true });
    expect([modelCalls, ran]).toEqual([0, []]);
  });

  const replace: readonly JobHook[] = [{ on: 'llm.after', does: { replace: 'a redacted answer' } }];

  law('a replaced answer is what the client sees', ['llmAfter'], async (perform) => {
    const { output } = await perform({ hooks: replace, answer: 'the key is SECRET' });
    expect([output.includes('a redacted answer'), output.includes('SECRET')]).toEqual([true, false]);
  });

  law('a stream shows nothing of an answer that was replaced', ['llmAfter', 'stream'], async (perform) => {
    const { output } = await perform({ hooks: replace, answer: 'the key is SECRET', stream: true });
    expect([output.includes('a redacted answer'), output.includes('SECRET')]).toEqual([true, false]);
  });
}
