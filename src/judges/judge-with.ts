/** `judgeWith`: makes a judge for `prompt` and `agent` hooks of a language model of the AI SDK, for `createHookline({ model })`. */
import { JUDGE } from '../core/contracts/judge.ts';
import { flawOfJudge, type JudgeOptions, judgeLimits } from '../core/contracts/judge-settings.ts';
import { HooklineError } from '../core/values/errors.ts';
import type { Model } from '../handlers/model.ts';
import type { Judge } from './judge.ts';
import type { JudgeModel } from './language-model.ts';

/**
 * Returns a judge for `createHookline({ model })`. The engine asks it with a fenced event, checks its verdict, and keeps its budget and its cache.
 * @param languageModel a model of the AI SDK, such as `anthropic('claude-haiku-4-5')`
 */
export function judgeWith(languageModel: JudgeModel, options: JudgeOptions = {}): Model {
  checkModel(languageModel);
  const flaw = flawOfJudge(options);
  if (flaw !== undefined) throw new HooklineError('bad-option', `The options of \`judgeWith\` cannot be used: ${flaw}.`);
  const { provider, modelId } = languageModel;
  const judge: Judge = { id: `${provider}:${modelId}`, limits: judgeLimits(options), open: () => languageModel };
  const model: Model & { readonly [JUDGE]: Judge } = { [JUDGE]: judge, judge: onlyInEngine, verify: onlyInEngine };
  return model;
}

/** Returns the judge in a model that `judgeWith` made. */
export function judgeIn(model: unknown): Judge | undefined {
  return typeof model === 'object' && model !== null && JUDGE in model ? (model[JUDGE] as Judge) : undefined;
}

/** Without the engine there is neither a session nor a cache, and so no budget that could hold. */
async function onlyInEngine(): Promise<never> {
  throw new HooklineError('bad-option', 'A judge of `judgeWith` answers hooks of an engine only. Give it to `createHookline` as `model`.');
}

function checkModel(model: unknown): void {
  const given = (typeof model === 'object' && model !== null ? model : {}) as Partial<Record<keyof JudgeModel, unknown>>;
  if (typeof given.doGenerate === 'function' && typeof given.modelId === 'string' && typeof given.provider === 'string') return;
  const found = typeof model === 'string' ? `the text \`${model}\`` : typeof model;
  throw new HooklineError('bad-option', `\`judgeWith\` needs a language model of the AI SDK, not ${found}.`, {
    hint: "Give the model itself, for example `judgeWith(anthropic('claude-haiku-4-5'))`.",
  });
}
