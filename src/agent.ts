/** `hookline/agent`: a living agent that asks the hooks at every boundary. */

export type {
  AgentEvent,
  AgentOptions,
  Channel,
  ChannelMessage,
  Compaction,
  Conversation,
  ConversationStore,
  Delivery,
  HeldAction,
  HoldPlan,
  LivingAgent,
  Model,
  ModelResolver,
  OutgoingMessage,
  Schedule,
  SendOptions,
  Subagent,
  Turn,
  TurnStatus,
  TurnStream,
} from './runtime/contract.ts';
export { fileConversations } from './runtime/conversations/files.ts';
export { type StoredConversations, storeConversations } from './runtime/conversations/in-store.ts';
export { memoryConversations } from './runtime/conversations/memory.ts';
export { createAgent } from './runtime/create-agent.ts';
export { Agent, type AgentBuilder } from './runtime/documents/agent-builder.ts';
export { hookTools } from './runtime/documents/hook-tools.ts';
export { type StartOptions, startAgent } from './runtime/documents/start-agent.ts';
