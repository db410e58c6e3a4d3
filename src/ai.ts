/** `hookline/ai`: tools and models of the Vercel AI SDK behind the hooks. */

export { type HeldCall, heldCalls, resumeMessages } from './sdk/ai/messages.ts';
export { type HooklineMiddleware, middleware } from './sdk/ai/middleware.ts';
export { type GuardContext, guardTools } from './sdk/ai/tools.ts';
export { HaltError } from './sdk/kit/errors.ts';
