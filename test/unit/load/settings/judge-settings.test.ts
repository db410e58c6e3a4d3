/** The settings of judges: the user's and the machine's, and what is said of those that cannot be used. */
import { expect, test } from 'vitest';
import { flawOfJudge, judgeLimits } from '../../../../src/core/contracts/judge-settings.ts';
import { readPolicy } from '../../../../src/load/settings/policy.ts';
import { readSettings } from '../../../../src/load/settings/settings.ts';
import { createWorkspace } from '../../../support/workspace.ts';

async function read(judge: unknown) {
  const workspace = createWorkspace({ '~/.config/hookline/settings.json': JSON.stringify({ judge }) });
  const { settings, diagnostics } = await readSettings(workspace.at('~/.config'));
  return { judge: settings.judge, diagnostics };
}

test('a model, its limits, its budget and its prices are read', async () => {
  const judge = {
    ...{ model: 'anthropic:claude-haiku-4-5', maxTokens: 500, maxEventBytes: 1000, maxSteps: 3 },
    ...{ budget: { tokens: 10_000, money: 0.5 }, prices: { input: 1, output: 5 } },
  };
  expect(await read(judge)).toEqual({ judge, diagnostics: [] });
});

test.each([
  [{ budget: { tokens: 5 } }, 'bad-judge', 'no usable `model`'],
  [{ model: 'claude' }, 'bad-judge', '`claude` does not name a model'],
  [{ model: 'a:b', budget: { money: 1 } }, 'bad-judge', '`budget.money` needs `prices`'],
  [{ model: 'a:b', prices: { input: 1 } }, 'bad-judge', 'both `input` and `output`'],
  [{ model: 'a:b', prices: { input: -1, output: 1 } }, 'wrong-type', 'a number of at least 0'],
  [{ model: 'a:b', maxTokens: 0 }, 'wrong-type', 'a whole number above 0'],
  [{ model: 'a:b', budgets: {} }, 'unknown-key', 'no setting `budgets`'],
  ['anthropic:claude', 'wrong-type', 'must be a map'],
])('%j is reported with its place', async (judge, code, says) => {
  const { diagnostics } = await read(judge);
  expect(diagnostics).toContainEqual(expect.objectContaining({ code, message: expect.stringContaining(says), line: 1 }));
});

test('the policy of the machine has a judge too, and one that cannot be used breaks the policy', async () => {
  const workspace = createWorkspace({ 'good.json': '{"judge": {"model": "a:b"}}', 'bad.json': '{"judge": {"model": "a"}}' });
  const policyIn = (name: string) => readPolicy(workspace.at(name), [], workspace.at('none.json'));
  expect(await policyIn('good.json')).toMatchObject({ policy: { judge: { model: 'a:b' } } });
  expect(await policyIn('bad.json')).toMatchObject({ broken: { code: 'broken-policy' } });
});

test('every limit has a default, and the budget in tokens is never without one', () => {
  expect(judgeLimits({})).toEqual({ maxTokens: 1024, maxEventBytes: 131_072, maxSteps: 8, budget: { tokens: 1_000_000 } });
  expect(judgeLimits({ budget: { money: 1 }, prices: { input: 1, output: 1 } })).toMatchObject({ budget: { tokens: 1_000_000, money: 1 } });
});

test.each([
  [{ maxSteps: 1.5 }, '`maxSteps`'],
  [{ budget: { tokens: Number.NaN } }, '`budget.tokens`'],
  [{ budget: { money: -1 }, prices: { input: 1, output: 1 } }, '`budget.money`'],
  [{ prices: { input: Number.POSITIVE_INFINITY, output: 1 } }, '`prices.input`'],
] as const)('the options %j have a flaw that is named', (options, says) => {
  expect(flawOfJudge(options)).toContain(says);
});
