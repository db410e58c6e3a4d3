/** `hookline/ai`: tools and models of the Vercel AI SDK behind the hooks, and models as judges. */

export type { JudgeBudget, JudgeOptions, JudgePrices } from './core/contracts/judge-settings.ts';
export type { Model } from './handlers/model.ts';
export { judgeWith } from './judges/judge-with.ts';
export type { JudgeModel } from './judges/language-model.ts';
export { type HeldCall, heldCalls, resumeMessages } from './sdk/ai/messages.ts';
export { type HooklineMiddleware, middleware } from './sdk/ai/middleware.ts';
export { type GuardContext, guardTools } from './sdk/ai/tools.ts';
export { HaltError } from './sdk/kit/errors.ts';
