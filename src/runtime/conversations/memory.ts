/** Conversations in memory. They end with the process. */
import type { Conversation, ConversationStore } from '../contract.ts';

export function memoryConversations(): ConversationStore {
  const kept = new Map<string, Conversation>();
  return {
    load: async (session) => kept.get(session),
    save: async (session, conversation) => void kept.set(session, structuredClone(conversation)),
  };
}
