/** `hookline/langchain`: a middleware that puts the hooks before the tools and the model of a LangChain agent. */

export { type HeldCall, hooklineMiddleware } from './sdk/langchain/middleware.ts';
export type { Caller, CallerOfRun } from './sdk/langchain/run.ts';
