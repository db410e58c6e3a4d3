/** `hookline/openai-agents`: puts the hooks before the tools and the models of the OpenAI Agents SDK. */

export { HaltError } from './sdk/kit/errors.ts';
export { guardModel, guardModelProvider, type ModelContext } from './sdk/openai-agents/models.ts';
export { type AgentRun, type GuardContext, guardAgent } from './sdk/openai-agents/tools.ts';
