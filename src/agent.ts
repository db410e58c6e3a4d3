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
export { memoryConversations } from './runtime/conversations/memory.ts';
export { createAgent } from './runtime/create-agent.ts';
