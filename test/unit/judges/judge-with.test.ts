/** `judgeWith`: which models and options it takes. */
import { expect, test } from 'vitest';
import { judgeIn, judgeWith } from '../../../src/judges/judge-with.ts';
import { scriptedJudge } from '../../support/scripted-judge.ts';

test('a judge has the id of its model, and its options with defaults', () => {
  const judge = judgeIn(judgeWith(scriptedJudge(''), { maxSteps: 2 }));
  expect(judge).toMatchObject({ id: 'scripted:one', limits: { maxSteps: 2, maxTokens: 1024 } });
  expect(judgeIn({ judge: async () => ({ ok: true }) })).toBeUndefined();
  expect(judgeIn(undefined)).toBeUndefined();
});

test.each(['anthropic/claude', {}, null, { modelId: 'x', provider: 'y' }])('%j is no language model', (model) => {
  expect(() => judgeWith(model as never)).toThrow(expect.objectContaining({ code: 'bad-option' }));
});

test('options that cannot be used are an error', () => {
  expect(() => judgeWith(scriptedJudge(''), { budget: { money: 1 } })).toThrow('`budget.money` needs `prices`');
});

test('a judge answers hooks of an engine only, because its budget is there', async () => {
  await expect(judgeWith(scriptedJudge('')).judge({ prompt: '', payload: {}, signal: new AbortController().signal })).rejects.toMatchObject(
    {
      code: 'bad-option',
    },
  );
});
