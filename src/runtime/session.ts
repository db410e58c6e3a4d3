/** A session: its conversation, and the steps that begin and store it. One turn at a time, and the others wait in order. */
import type { ModelMessage } from 'ai';
import type { Boundary, HeldBack, Refusal } from './boundary.ts';
import type { ConversationStore, HeldAction } from './contract.ts';
import { type ParkedTurn, readParked } from './parked.ts';
import { shownJson } from './scene.ts';

export interface Session {
  readonly id: string;
  /** Whether `session.start` has passed. */
  isStarted: boolean;
  /** Whether its conversation is here. */
  isLoaded: boolean;
  startedAt: number;
  turns: number;
  steps: number;
  messages: ModelMessage[];
  parked: ParkedTurn | undefined;
  /** Texts that join its next turn. */
  context: string[];
  /** How many changes of documents it has seen. */
  documentsSeen: number;
  /** Resolves when the last turn that was asked for is over. */
  last: Promise<unknown>;
}

export function newSession(id: string, context: readonly string[]): Session {
  return {
    ...{ id, isStarted: false, isLoaded: false, startedAt: 0, turns: 0, steps: 0 },
    ...{ messages: [], parked: undefined, context: [...context], documentsSeen: 0, last: Promise.resolve() },
  };
}

/** Runs it after everything else that was asked of this session. */
export function inOrder<T>(session: Session, run: () => Promise<T>): Promise<T> {
  const running = session.last.then(run, run);
  session.last = running.catch(() => undefined);
  return running;
}

export interface OpenOptions {
  readonly store: ConversationStore;
  readonly model: string;
  readonly agent: string;
  readonly source: 'startup' | 'resume';
  readonly channel: string | undefined;
  now(): number;
}

/** Begins the session and loads its conversation, if this process has not done so. Undefined if it is open. */
export async function openSession(session: Session, boundary: Boundary, options: OpenOptions): Promise<Refusal | HeldBack | undefined> {
  const { store, model, agent, source, channel } = options;
  if (!session.isStarted) {
    const args = { agent, ...(channel !== undefined && { channel }) };
    const started = await boundary.cross('session.start', { model, args, source });
    if (started.kind !== 'pass') return started;
    session.context.push(...started.context);
    session.isStarted = true;
    session.startedAt = options.now();
  }
  if (session.isLoaded) return undefined;
  const permitted = await boundary.cross('conversation.load.before', {});
  if (permitted.kind !== 'pass') return permitted;
  try {
    const stored = await store.load(session.id);
    session.messages = [...(stored?.messages ?? [])];
    session.parked = stored?.parked === undefined ? undefined : readParked(session.id, stored.parked);
  } catch (error) {
    return { kind: 'refuse', reason: `The conversation cannot be loaded: ${messageOf(error)}`, context: [] };
  }
  session.isLoaded = true;
  const messageCount = session.messages.length;
  const loaded = await boundary.tell('conversation.load.after', { messageCount, messages: shownJson(session.messages) });
  session.context.push(...permitted.context, ...loaded.context);
  return loaded.kind === 'refuse' && loaded.halt !== undefined ? loaded : undefined;
}

/** Whether the conversation was stored, and if not, why. */
export interface Stored {
  readonly unsaved?: string;
  /** The hold that keeps it from being stored. */
  readonly held?: HeldAction;
}

/** Stores the conversation, unless a hook refuses it or the store fails. */
export async function saveSession(session: Session, boundary: Boundary, store: ConversationStore): Promise<Stored> {
  const messageCount = session.messages.length;
  const crossing = await boundary.cross('conversation.save.before', { messageCount });
  if (crossing.kind === 'hold') return { unsaved: crossing.held.reason, held: crossing.held };
  if (crossing.kind === 'refuse') return { unsaved: crossing.reason };
  session.context.push(...crossing.context);
  try {
    const parked = session.parked === undefined ? {} : { parked: JSON.parse(JSON.stringify(session.parked)) };
    await store.save(session.id, { messages: session.messages, ...parked });
  } catch (error) {
    return { unsaved: messageOf(error) };
  }
  const told = await boundary.tell('conversation.save.after', { messageCount });
  session.context.push(...told.context);
  return {};
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
