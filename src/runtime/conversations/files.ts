/** Conversations in files, one for each session. A file is replaced in one step, so a process that dies leaves the old one or the new one. */
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { HooklineError } from '../../core/values/errors.ts';
import type { ConversationStore } from '../contract.ts';
import { conversationText, readConversation } from './conversation-text.ts';

/** @param folder is created if there is none; only its owner may read it */
export function fileConversations(folder: string): ConversationStore {
  const fileOf = (session: string): string => path.join(folder, `${encoded(session)}.json`);
  return {
    async load(session) {
      const file = fileOf(session);
      try {
        return readConversation(file, await readFile(file, 'utf8'));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    async save(session, conversation) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = fileOf(session);
      const next = `${file}.${randomUUID()}`;
      try {
        const handle = await open(next, 'wx', 0o600);
        try {
          await handle.writeFile(conversationText(session, conversation));
          await handle.sync();
        } finally {
          await handle.close();
        }
        await rename(next, file);
      } catch (error) {
        await rm(next, { force: true });
        throw error;
      }
    },
  };
}

/** Every session has a file name of its own on every file system: no separators, no case that could be lost, no reserved name. */
function encoded(session: string): string {
  const name = [...session].map((char) => (/[a-z0-9-]/.test(char) ? char : `_${Buffer.from(char).toString('hex')}_`)).join('');
  if (name.length <= MOST_CHARACTERS) return `s-${name}`;
  throw new HooklineError('bad-option', `The name of the session is too long for a file: ${session.slice(0, 40)}…`, {
    hint: `Use at most ${MOST_CHARACTERS} characters.`,
  });
}

const MOST_CHARACTERS = 200;
