/** Conversations next to held actions and the log: in SQLite or Postgres, by the URL of the store. */
import { HooklineError } from '../../core/values/errors.ts';
import type { ConversationStore } from '../contract.ts';
import { conversationText, readConversation } from './conversation-text.ts';

export interface StoredConversations extends ConversationStore {
  /** Ends the connections. The agent leaves the store open, because you opened it. */
  close(): Promise<void>;
}

/** One table of texts. */
export interface TextTable {
  get(key: string): Promise<string | undefined>;
  put(key: string, text: string): Promise<void>;
  close(): Promise<void>;
}

const TABLES: Readonly<Record<string, (url: string) => Promise<TextTable>>> = {
  'sqlite:': async (url) => (await import('./sqlite-table.ts')).openSqliteTable(url.slice('sqlite:'.length)),
  'postgres:': async (url) => (await import('./postgres-table.ts')).openPostgresTable(url),
  'postgresql:': async (url) => (await import('./postgres-table.ts')).openPostgresTable(url),
};

/** @param url `sqlite:PATH` or `postgres://…`; the store of the engine may be the same. It is opened at the first use. */
export function storeConversations(url: string): StoredConversations {
  const scheme = url.slice(0, url.indexOf(':') + 1);
  const open = Object.hasOwn(TABLES, scheme) ? TABLES[scheme] : undefined;
  if (!open)
    throw new HooklineError('bad-option', `No store for conversations begins with \`${scheme}\`.`, {
      hint: 'Write `sqlite:PATH` or `postgres://…`.',
    });
  let opening: Promise<TextTable> | undefined;
  const table = (): Promise<TextTable> => {
    opening ??= open(url).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    async load(session) {
      const text = await (await table()).get(keyOf(session));
      return text === undefined ? undefined : readConversation(`The stored conversation ${session}`, text);
    },
    save: async (session, conversation) => (await table()).put(keyOf(session), conversationText(session, conversation)),
    close: async () => (await opening)?.close(),
  };
}

/** As JSON, because a column cannot hold every character. */
function keyOf(session: string): string {
  return JSON.stringify(session);
}
