/** `hookline/agent`: a living agent that asks the hooks at every boundary. */

export { type HttpChannel, type HttpOptions, httpChannel } from './runtime/channels/http.ts';
export { type TerminalChannel, type TerminalOptions, terminalChannel } from './runtime/channels/terminal.ts';
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
export { type LanguageModel, type ModelPlaces, openModel } from './runtime/models/open-model.ts';
export {
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedMessage,
  type ScriptedModel,
  type ScriptedStep,
  scriptedModel,
} from './runtime/models/scripted-model.ts';
export { type CronJob, type CronOptions, cron } from './runtime/schedule/cron.ts';
export { type HeartbeatOptions, heartbeat } from './runtime/schedule/heartbeat.ts';
export type { Timers } from './runtime/schedule/timers.ts';
export { type WatchOptions, watchDocuments } from './runtime/schedule/watch-documents.ts';
