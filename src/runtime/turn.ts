/** One turn of a session: a message comes in, passes the hooks, runs through the loop, and its answer is sent. */
import type { ModelMessage } from 'ai';
import type { EventKind } from '../core/event/event.ts';
import { ABORTED, type Boundary, type Crossing, type HeldBack, type Refusal } from './boundary.ts';
import type { ConversationStore, HeldAction, OutgoingMessage, Turn, TurnStatus } from './contract.ts';
import { closed, leaveParked, type Prepared, prepare, type RunEnd, runSteps } from './loop.ts';
import { shownMessage } from './model-call.ts';
import type { ParkedRun, ParkedTurn, Replies } from './parked.ts';
import { type Course, modelName, type Scene } from './scene.ts';
import { messageOf, openSession, type Session, type Stored, saveSession } from './session.ts';
import { systemPrompt } from './system-prompt.ts';

/** The message of a turn. */
export interface Entry {
  /** The event with which it arrives. */
  readonly by: 'message.received' | 'heartbeat' | 'cron.delivery';
  readonly text: string;
  readonly channel: string | undefined;
  readonly user: string | undefined;
  readonly replies: Replies;
}

/** The receiver of its answer. */
export type Replying = Omit<Entry, 'by' | 'text'>;

export interface TurnSettings {
  readonly session: Session;
  readonly scene: Scene;
  readonly store: ConversationStore;
  readonly notices: string[];
  /** How many model calls the turn has made. */
  readonly taken: { steps: number };
  /** Texts of documents that changed. Called when the message joins the conversation. */
  documents(): readonly string[];
  /** Hands the answer to the channel of the message. Undefined: the caller of the library gets it. */
  readonly send: ((message: OutgoingMessage) => void | Promise<void>) | undefined;
  now(): number;
}

/** The end of a turn before its answer is sent. */
interface End {
  readonly status: TurnStatus;
  readonly text: string;
  readonly reason: string | null;
  readonly held: readonly HeldAction[];
}

/** Takes a message through one turn. Never rejects. */
export async function takeTurn(settings: TurnSettings, entry: Entry): Promise<Turn> {
  const { session, scene } = settings;
  const { boundary } = scene;
  const arrived = await arrive(boundary, entry);
  if (arrived.kind === 'refuse') return ended(settings, { status: 'cancelled', text: '', reason: arrived.reason, held: [] });
  if (arrived.kind === 'hold') return reply(settings, entry, refusedEnd(settings, arrived));
  session.context.push(...arrived.context);
  const prompt = typeof arrived.rewrite === 'string' ? arrived.rewrite : entry.text;
  const refused = await opened(settings, entry.channel, 'startup');
  if (refused) return reply(settings, entry, refusedEnd(settings, refused));
  return enter(settings, entry, { prompt, context: [], stage: 'prompt.submit', tickets: new Map() });
}

/** Continues a parked turn as a new one. Never rejects. */
export async function resumeTurn(settings: TurnSettings, entry: Replying, parked: ParkedTurn): Promise<Turn> {
  const { session } = settings;
  const tickets = new Map<EventKind, string>(parked.run.held ? [[parked.run.held.kind, parked.run.held.ticket]] : []);
  const { stage, prompt, context, run, continuations } = parked;
  if (stage !== 'loop') return enter(settings, entry, { prompt: prompt ?? '', context, stage, tickets });
  session.parked = undefined;
  const course: Course = { messages: [...session.messages], steps: run.steps };
  return work(settings, entry, course, { tickets, from: run, continuations, parked });
}

/** Opens the session, for a turn and to find out whether one is parked. */
export function opened({ session, scene, store, now }: TurnSettings, channel: string | undefined, source: 'startup' | 'resume') {
  const { agent, boundary } = scene;
  return openSession(session, boundary, { store, model: modelName(agent.model), agent: agent.name, source, channel, now });
}

function arrive(boundary: Boundary, { by, text }: Entry): Promise<Crossing> {
  return by === 'heartbeat' ? boundary.tell(by, {}) : boundary.cross(by, { content: text });
}

interface Entering {
  readonly prompt: string;
  readonly context: readonly string[];
  readonly stage: 'prompt.submit' | 'turn.before';
  readonly tickets: ReadonlyMap<EventKind, string>;
}

/** `prompt.submit` and `turn.before`; then the message joins the conversation. */
async function enter(settings: TurnSettings, entry: Replying, entering: Entering): Promise<Turn> {
  const { session, scene } = settings;
  const { boundary } = scene;
  let { prompt } = entering;
  let context = [...entering.context];
  if (entering.stage === 'prompt.submit') {
    const submitted = await boundary.cross('prompt.submit', { prompt }, entering.tickets.get('prompt.submit'));
    if (submitted.kind !== 'pass') return notEntered(settings, entry, { ...entering, prompt, context }, submitted);
    if (typeof submitted.rewrite === 'string') prompt = submitted.rewrite;
    context = [...context, ...submitted.context];
  }
  const messageCount = session.messages.length + 1;
  const begun = await boundary.cross('turn.before', { messageCount }, entering.tickets.get('turn.before'));
  if (begun.kind !== 'pass') return notEntered(settings, entry, { ...entering, prompt, context, stage: 'turn.before' }, begun);
  const course: Course = { messages: [...session.messages], steps: 0 };
  const { parked } = session;
  session.parked = undefined;
  if (parked && parked.stage !== 'loop' && entering.tickets.size === 0) await giveUp(settings, parked);
  if (parked?.stage === 'loop') {
    const halted = await leaveParked(scene, course, parked.run);
    if (halted) return finish(settings, entry, course, refusedEnd(settings, halted));
  }
  const texts = [...session.context.splice(0), ...settings.documents(), ...context, ...begun.context];
  course.messages = [...course.messages, userMessage(prompt, texts)];
  return work(settings, entry, course, { tickets: new Map(), continuations: 0 });
}

/** A turn that a hook refused or held before it began. A held one is parked, so that it continues once a person has approved it. */
async function notEntered(
  settings: TurnSettings,
  entry: Replying,
  { prompt, context, stage, tickets }: Entering,
  crossing: Refusal | HeldBack,
): Promise<Turn> {
  const { session, scene, store } = settings;
  const { parked } = session;
  // A turn that waits within the loop is not replaced by a message that waits before it.
  if (crossing.kind === 'refuse' || parked?.stage === 'loop') {
    if (tickets.size > 0) session.parked = undefined;
    const stored = tickets.size > 0 ? await saveSession(session, scene.boundary, store) : undefined;
    return reply(settings, entry, refusedEnd(settings, crossing), stored);
  }
  if (parked && tickets.size === 0) await giveUp(settings, parked);
  const run: ParkedRun = { messages: [], steps: 0, results: [], calls: [], held: crossing.held };
  session.parked = parkedTurn(entry, { run, stage, prompt, context, continuations: 0 });
  return reply(settings, entry, parkedEnd([crossing.held]), await saveSession(session, scene.boundary, store));
}

/** The user went on, so a message that waited before its turn is dropped. */
async function giveUp({ scene, notices }: TurnSettings, { run }: ParkedTurn): Promise<void> {
  if (run.held) await scene.boundary.withdraw(run.held.ticket, 'The user went on.');
  notices.push('A message that waited for a person was given up, because another one came.');
}

interface Work {
  readonly tickets: ReadonlyMap<EventKind, string>;
  readonly from?: ParkedRun;
  readonly continuations: number;
  /** The turn that is resumed. */
  readonly parked?: ParkedTurn;
}

/** The loop and the gate at its end. */
async function work(
  settings: TurnSettings,
  entry: Replying,
  course: Course,
  { tickets, from, continuations, parked }: Work,
): Promise<Turn> {
  const { scene } = settings;
  const before = course.steps;
  let end: End;
  try {
    const prepared = await prepare(scene, systemPrompt(scene), tickets);
    if (prepared.kind === 'prepared')
      end = await untilStopped(settings, entry, course, prepared, { tickets, ...(from && { from }), continuations });
    else if (prepared.kind === 'refuse') {
      end = refusedEnd(settings, prepared);
      // Nothing of it has run, so it can still be resumed.
      if (end.status === 'aborted') settings.session.parked = parked;
    } else {
      const run = { ...(from ?? { results: [], calls: [] }), messages: [], steps: course.steps, held: prepared.held };
      end = park(settings, entry, { run, continuations, held: [prepared.held] });
    }
  } catch (error) {
    end = await failedEnd(settings, course, error);
  }
  settings.taken.steps = course.steps - before;
  settings.session.steps += course.steps - before;
  return finish(settings, entry, course, end);
}

async function untilStopped(
  settings: TurnSettings,
  entry: Replying,
  course: Course,
  prepared: Prepared,
  { tickets, from, continuations: first }: Work,
): Promise<End> {
  const { session, scene } = settings;
  const { boundary, agent } = scene;
  let continuations = first;
  let ticket = tickets.get('stop.before');
  let run: RunEnd =
    ticket === undefined ? await runSteps(scene, course, prepared, from) : { kind: 'done', text: lastText(course.messages) };
  for (;;) {
    if (run.kind === 'parked') return park(settings, entry, { run: run.run, continuations, held: run.held });
    if (run.kind === 'refuse') return refusedEnd(settings, run);
    const isLimit = run.kind === 'limit';
    const payload = {
      ...{ reason: isLimit ? 'max_steps' : 'no_tool_calls', stepCount: course.steps },
      ...{ message: shownMessage(run.text), continuations },
    };
    const stopped = await boundary.cross('stop.before', payload, ticket);
    ticket = undefined;
    if (stopped.kind === 'hold') {
      const waits: ParkedRun = { messages: [], steps: course.steps, results: [], calls: [], held: stopped.held };
      return park(settings, entry, { run: waits, continuations, held: [stopped.held] });
    }
    const done: End = isLimit
      ? { status: 'limit', text: run.text, reason: `The turn has taken ${course.steps} steps.`, held: [] }
      : { status: 'done', text: run.text, reason: null, held: [] };
    session.context.push(...(stopped.kind === 'pass' ? stopped.context : []));
    if (stopped.kind === 'pass') return done;
    if (stopped.halt !== undefined || scene.signal.aborted) return refusedEnd(settings, stopped);
    if (isLimit || continuations >= agent.stopCap)
      return { ...done, reason: `The agent stops, although a hook objects: ${stopped.reason}` };
    continuations += 1;
    course.messages = [...course.messages, userMessage(stopped.feedback ?? stopped.reason, stopped.context)];
    run = await runSteps(scene, course, prepared);
  }
}

function park(
  { session }: TurnSettings,
  entry: Replying,
  { run, continuations, held }: { readonly run: ParkedRun; readonly continuations: number; readonly held: readonly HeldAction[] },
): End {
  // The conversation has the messages.
  session.parked = parkedTurn(entry, { run: { ...run, messages: [] }, stage: 'loop', context: [], continuations });
  return parkedEnd(held);
}

function parkedTurn(
  { channel, user, replies }: Replying,
  parts: Pick<ParkedTurn, 'run' | 'stage' | 'context' | 'continuations'> & { readonly prompt?: string },
): ParkedTurn {
  return {
    ...{ version: 1, ...parts, replies },
    ...(channel !== undefined && { channel }),
    ...(user !== undefined && { user }),
  };
}

/** `turn.after`, then the conversation is stored, then the answer is sent. */
async function finish(settings: TurnSettings, entry: Replying, course: Course, end: End): Promise<Turn> {
  const { session, scene, store } = settings;
  const { boundary } = scene;
  if (!session.parked) course.messages = closed(course.messages, end.reason ?? ABORTED);
  session.messages = course.messages;
  session.turns += 1;
  if (end.status === 'aborted') await boundary.tell('agent.interrupt', {});
  const told = await boundary.tell('turn.after', { messageCount: session.messages.length, message: shownMessage(end.text) });
  session.context.push(...(told.kind === 'refuse' ? [told.reason] : []), ...told.context);
  return reply(settings, entry, end, await saveSession(session, boundary, store));
}

function isSent(replies: Replies, text: string): boolean {
  return replies === 'always' || (replies === 'with-news' && text.trim() !== NO_NEWS);
}

/** The answer to a heartbeat that no one needs to see. */
const NO_NEWS = 'HEARTBEAT_OK';

/** `message.sending`, the channel, `message.sent`. The text of a turn that a hook does not let out stays here. */
async function reply(settings: TurnSettings, entry: Replying, end: End, stored?: Stored): Promise<Turn> {
  const { session, scene, send } = settings;
  const { boundary } = scene;
  const saved = stored !== undefined && stored.unsaved === undefined;
  const notSaved = stored?.unsaved === undefined ? null : `The conversation was not saved: ${stored.unsaved}`;
  const told: End = {
    ...end,
    reason: [end.reason, notSaved].filter((text) => text !== null).join(' ') || null,
    held: [...end.held, ...(stored?.held ? [stored.held] : [])],
  };
  if (end.text === '' || end.status === 'aborted' || !isSent(entry.replies, end.text)) return ended(settings, told, saved);
  const sending = await boundary.cross('message.sending', { content: end.text });
  if (sending.kind !== 'pass') {
    const why = sending.kind === 'hold' ? sending.held.reason : sending.reason;
    return ended(settings, { ...told, text: '', reason: `The answer was not sent: ${why}` }, saved);
  }
  const text = typeof sending.rewrite === 'string' ? sending.rewrite : end.text;
  session.context.push(...sending.context);
  try {
    await send?.({ text, session: session.id, ...(entry.user !== undefined && { user: entry.user }) });
  } catch (error) {
    scene.agent.emit({ type: 'problem', message: `The channel ${entry.channel} could not send an answer: ${messageOf(error)}` });
    return ended(settings, { ...told, text, reason: `The answer was not sent: ${messageOf(error)}` }, saved);
  }
  session.context.push(...(await boundary.tell('message.sent', { content: text })).context);
  return ended(settings, { ...told, text }, saved, send !== undefined);
}

function ended({ session, scene, notices, taken }: TurnSettings, end: End, saved = false, sent = false): Turn {
  session.context.push(...scene.boundary.leftovers.splice(0));
  return { session: session.id, ...end, steps: taken.steps, notices: [...notices], saved, sent };
}

function refusedEnd({ scene }: TurnSettings, crossing: Refusal | HeldBack): End {
  if (crossing.kind === 'hold') {
    const { held } = crossing;
    return { ...parkedEnd([held]), status: 'denied', reason: `${held.reason} Send it again once ticket ${held.ticket} is approved.` };
  }
  const { reason, halt } = crossing;
  if (scene.signal.aborted) return { status: 'aborted', text: '', reason: ABORTED, held: [] };
  if (halt !== undefined) return { status: 'halted', text: halt, reason: halt, held: [] };
  return { status: 'denied', text: `This was denied: ${reason}`, reason, held: [] };
}

function parkedEnd(held: readonly HeldAction[]): End {
  const lines = held.map(({ ticket, reason }) => `This waits for a person (ticket ${ticket}): ${reason}`);
  return { status: 'parked', text: lines.join('\n'), reason: lines.join(' '), held };
}

async function failedEnd({ scene }: TurnSettings, course: Course, error: unknown): Promise<End> {
  if (scene.signal.aborted) return { status: 'aborted', text: '', reason: ABORTED, held: [] };
  const reason = messageOf(error);
  course.messages = closed(course.messages, 'The run failed.');
  await scene.boundary.tell('stop.error', { reason: 'model', error: reason });
  return { status: 'failed', text: 'The model could not be called.', reason, held: [] };
}

function userMessage(text: string, context: readonly string[]): ModelMessage {
  if (context.length === 0) return { role: 'user', content: text };
  return { role: 'user', content: [text, ...context].map((part) => ({ type: 'text', text: part })) };
}

function lastText(messages: readonly ModelMessage[]): string {
  const last = messages.findLast(({ role }) => role === 'assistant');
  if (!last || typeof last.content === 'string') return typeof last?.content === 'string' ? last.content : '';
  return last.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
}
