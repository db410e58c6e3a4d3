/** `hookline/mastra`: puts the hooks before the tools and the models of Mastra's agents. */

export { guardAgent } from './sdk/mastra/agents.ts';
export type { AgentRun, Caller, CallerOfRun } from './sdk/mastra/run.ts';
export type { HeldCall } from './sdk/mastra/tools.ts';
