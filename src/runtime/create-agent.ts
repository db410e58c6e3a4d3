/** Creates a living agent on the AI SDK of the user's project. */
import type { AgentOptions, LivingAgent } from './contract.ts';
import { openAgent } from './open-agent.ts';

/** Reads the skills and opens the engine. The agent lives when it is started, or with its first message. */
export async function createAgent(options: AgentOptions): Promise<LivingAgent> {
  return openAgent(options, await import('ai'));
}
