/** Creates a living agent: its sessions, the doors through which things enter, and its start and end. */
import { randomUUID } from 'node:crypto';
import type { Hookline } from '../api/hookline.ts';
import { createHookline } from '../api/on-first-use.ts';
import type { HooklineOptions } from '../api/options.ts';
import { HooklineError } from '../core/values/errors.ts';
import type { JsonObject } from '../core/values/json.ts';
import { completeParts } from './agent-parts.ts';
import { type Boundary, createBoundary } from './boundary.ts';
import type { AgentEvent, AgentOptions, Delivery, LivingAgent, SendOptions, Subagent, Turn } from './contract.ts';
import { memoryConversations } from './conversations/memory.ts';
import { createEventStream, createObservers } from './observers.ts';
import { heldIn, type ParkedTurn } from './parked.ts';
import { type AgentParts, type AiSdk, modelName, type Scene } from './scene.ts';
import { inOrder, messageOf, newSession, type Session } from './session.ts';
import { readSkills } from './skills/skills.ts';
import { type Entry, opened, type Replying, resumeTurn, type TurnSettings, takeTurn } from './turn.ts';

const DEADLINE_MS = 30_000;
const API = 'api';

/** @param sdk the AI SDK, which a program may load from a place of its own */
export async function openAgent(options: AgentOptions, sdk: AiSdk): Promise<LivingAgent> {
  const observers = createObservers(options.onEvent);
  const { skills, diagnostics } = await readSkills(options.skills ?? []);
  const parts = completeParts(options, sdk, skills, { emit: observers.emit, now: Date.now });
  const { hookline, isOwn } = await engineOf(options, parts);
  for (const { file, message, hint } of diagnostics)
    observers.emit({ type: 'problem', message: [`${file}: ${message}`, hint].filter((text) => text !== undefined).join(' ') });

  const store = options.conversation ?? memoryConversations();
  const main = options.mainSession ?? 'main';
  const channels = new Map((options.channels ?? []).map((channel) => [channel.name, channel]));
  const sessions = new Map<string, Session>();
  const documents = new Map<string, { readonly text: string; readonly number: number }>();
  const ending = new AbortController();
  /** Texts of hooks of the start, for every session. */
  const firstContext: string[] = [];
  let changes = 0;
  let starting: Promise<void> | undefined;
  let stopping: Promise<void> | undefined;
  /** The channels and schedules that have started. */
  const running = new Set<object>();
  const begun = { gateway: false, agent: false };

  const boundaryOf = (session: string | undefined, more: Partial<Parameters<typeof createBoundary>[0]> = {}): Boundary =>
    createBoundary({
      ...{ hookline, agent: parts.name, cwd: parts.cwd, depth: 0, emit: parts.emit, notice() {} },
      ...(session !== undefined && { session }),
      onHold: options.onHold ?? (() => 'park'),
      ...more,
    });

  const sessionOf = (id: string): Session => {
    const known = sessions.get(id) ?? newSession(id, firstContext);
    sessions.set(id, known);
    return known;
  };

  /** The parts of one turn. */
  const settingsOf = (session: Session, given: Omit<SendOptions, 'session'>, listener?: (event: AgentEvent) => void): TurnSettings => {
    const { channel, user, stream = false } = given;
    const signal = given.signal ? AbortSignal.any([given.signal, ending.signal]) : ending.signal;
    const notices: string[] = [];
    const emit = (event: AgentEvent): void => {
      parts.emit(event);
      listener?.(event);
    };
    const agent: AgentParts = { ...parts, emit };
    const sceneOf = (id: string, depth: number, own: Pick<Scene, 'model' | 'system' | 'tools'>): Scene => ({
      ...{ agent, session: id, depth, signal, stream: stream && depth === 0, ...own },
      boundary: boundaryOf(id, { channel, user, signal, depth, emit, notice: (texts) => void notices.push(...texts) }),
      child: (child, subagent) => sceneOf(child, depth + 1, childParts(own, subagent)),
    });
    const to = channel === undefined ? undefined : channels.get(channel);
    return {
      ...{ session, store, notices, taken: { steps: 0 }, now: Date.now },
      scene: sceneOf(session.id, 0, { model: parts.model, system: parts.system, tools: parts.tools }),
      documents() {
        const fresh = [...documents].filter(([, { number }]) => number > session.documentsSeen);
        session.documentsSeen = changes;
        return fresh.map(([file, { text }]) => `The document ${file} changed:\n\n${text}`);
      },
      send: to && ((message) => to.send(message)),
    };
  };

  const run = async (id: string, given: SendOptions, entry: Entry, listener?: (event: AgentEvent) => void): Promise<Turn> => {
    await start();
    const session = sessionOf(id);
    return inOrder(session, async () => {
      const settings = settingsOf(session, { ...given, channel: entry.channel, user: entry.user } as SendOptions, listener);
      const turn = await takeTurn(settings, entry);
      settings.scene.agent.emit({ type: 'turn', session: id, turn });
      return turn;
    });
  };

  const message = (text: string, given: SendOptions, listener?: (event: AgentEvent) => void): Promise<Turn> => {
    const { session = main, channel = API, user } = given;
    return run(session, given, { by: 'message.received', text, channel, user, replies: 'always' }, listener);
  };

  const deliver = async (delivery: Delivery): Promise<Turn | null> => {
    switch (delivery.type) {
      case 'message':
        return message(delivery.text, delivery);
      case 'heartbeat': {
        const { text, session = main, channel, user } = delivery;
        await start();
        if (text === undefined) {
          await boundaryOf(session, { channel, user }).tell('heartbeat', {});
          return null;
        }
        const replies = channel === undefined ? 'never' : 'with-news';
        return run(session, delivery, { by: 'heartbeat', text, channel, user, replies });
      }
      case 'cron': {
        const { text, name, session = `cron-${name}-${randomUUID()}`, channel, user } = delivery;
        const turn = await run(session, delivery, {
          by: 'cron.delivery',
          text,
          channel,
          user,
          replies: channel === undefined ? 'never' : 'always',
        });
        // No one comes back to a session that was made for this delivery, unless it waits.
        if (delivery.session === undefined && turn.status !== 'parked') await endSession(session, 'done');
        return turn;
      }
      case 'document': {
        const { path, text, channel, user } = delivery;
        await start();
        const boundary = boundaryOf(main, { channel, user });
        const crossing = await boundary.cross('docs.sync', { content: text, metadata: { path } });
        if (crossing.kind !== 'pass') return null;
        changes += 1;
        const content = typeof crossing.rewrite === 'string' ? crossing.rewrite : text;
        documents.set(path, { text: [content, ...crossing.context].join('\n\n'), number: changes });
        return null;
      }
    }
  };

  const resume: LivingAgent['resume'] = async (id, given = {}) => {
    await start();
    const session = sessionOf(id);
    return inOrder(session, async () => {
      const first = settingsOf(session, given);
      const refused = await opened(first, undefined, 'resume');
      const { parked } = session;
      if (refused)
        throw new HooklineError('agent-denied', refused.kind === 'hold' ? refused.held.reason : refused.reason, {
          hint: `The session ${id} could not be opened.`,
        });
      if (!parked) throw new HooklineError('nothing-parked', `The session ${id} has no turn that waits.`);
      const settings = settingsOf(session, { ...given, ...senderOf(parked) });
      const turn = (await stillHeld(settings, parked)) ?? (await resumeTurn(settings, replyingOf(parked), parked));
      settings.scene.agent.emit({ type: 'turn', session: id, turn });
      return turn;
    });
  };

  const endSession = async (id: string, reason = 'ended'): Promise<void> => {
    const session = sessions.get(id);
    if (!session) return;
    await inOrder(session, async () => {
      if (session.isStarted) {
        const durationSeconds = Math.max(0, (Date.now() - session.startedAt) / 1000);
        await boundaryOf(id).tell('session.end', { reason, turnCount: session.turns, durationSeconds, totalSteps: session.steps });
      }
      sessions.delete(id);
    });
  };

  const begin = async (): Promise<void> => {
    const boundary = boundaryOf(undefined);
    if (!begun.gateway) firstContext.push(...(await boundary.tell('gateway.start', {})).context);
    begun.gateway = true;
    if (!begun.agent) {
      const crossing = await boundary.cross('agent.start', { definition: definitionOf(parts) });
      if (crossing.kind === 'refuse') throw new HooklineError('agent-denied', `A hook denied the start of the agent: ${crossing.reason}`);
      if (crossing.kind === 'hold')
        throw new HooklineError('agent-denied', `The start of the agent waits for a person: ${crossing.held.reason}`, {
          hint: `Start it again once ticket ${crossing.held.ticket} is approved.`,
        });
      firstContext.push(...crossing.context);
      begun.agent = true;
    }
    for (const channel of channels.values())
      await once(channel, () => channel.start((given) => safely(() => message(given.text, { ...given, channel: channel.name })), agent));
    for (const schedule of options.schedule ?? [])
      await once(schedule, () => schedule.start((delivery) => safely(() => deliver(delivery))));
  };

  /** A start that failed is tried again, but only the parts of it that failed. */
  const once = async (part: object, begins: () => void | Promise<void>): Promise<void> => {
    if (running.has(part)) return;
    await begins();
    running.add(part);
  };

  /** A channel cannot do anything about an error, so it is shown to the observers, and the turn says that it failed. */
  const safely = async <T extends Turn | null>(act: () => Promise<T>): Promise<T | Turn> => {
    try {
      return await act();
    } catch (error) {
      const reason = messageOf(error);
      parts.emit({ type: 'problem', message: reason });
      return { session: main, status: 'failed', text: '', reason, held: [], steps: 0, notices: [], saved: false, sent: false };
    }
  };

  const start = (): Promise<void> => {
    if (stopping) return Promise.reject(new HooklineError('closed', 'The agent was stopped.', { hint: 'Create a new one.' }));
    starting ??= begin().catch((error: unknown) => {
      starting = undefined;
      throw error;
    });
    return starting;
  };

  const end = async (deadlineMs: number): Promise<void> => {
    const quietly = async (what: string, act: () => unknown): Promise<void> => {
      try {
        await act();
      } catch (error) {
        parts.emit({ type: 'problem', message: `${what} could not be stopped: ${messageOf(error)}` });
      }
    };
    await starting?.catch(() => undefined);
    for (const schedule of options.schedule ?? []) if (running.has(schedule)) await quietly('A schedule', () => schedule.stop());
    for (const channel of channels.values()) if (running.has(channel)) await quietly(`The channel ${channel.name}`, () => channel.stop());
    const timer = setTimeout(() => ending.abort(), deadlineMs);
    await Promise.allSettled([...sessions.values()].map(({ last }) => last));
    clearTimeout(timer);
    for (const id of [...sessions.keys()]) await endSession(id, 'shutdown');
    const boundary = boundaryOf(undefined);
    if (begun.agent) await boundary.tell('agent.end', { definition: definitionOf(parts) });
    if (begun.gateway) await boundary.tell('gateway.stop', {});
    if (isOwn) await hookline.close(deadlineMs);
  };

  const agent: LivingAgent = {
    ...{ name: parts.name, hookline, start, deliver, resume, endSession, observe: observers.add },
    send: (text, given = {}) => message(text, given),
    stream(text, given = {}) {
      const events = createEventStream();
      const turn = message(text, { ...given, stream: true }, events.push).finally(events.end);
      // A reader of the events alone must not bring the process down; the promise still rejects for others.
      turn.catch(() => undefined);
      return { turn, [Symbol.asyncIterator]: () => events.events[Symbol.asyncIterator]() };
    },
    stop({ deadlineMs = DEADLINE_MS } = {}) {
      stopping ??= end(deadlineMs);
      return stopping;
    },
  };
  return agent;
}

/** Opens an engine for this agent, unless the options name one. */
async function engineOf({ hooks, skills }: AgentOptions, { name, cwd }: AgentParts): Promise<{ hookline: Hookline; isOwn: boolean }> {
  if (hooks && 'fire' in hooks) return { hookline: hooks, isOwn: false };
  const given: HooklineOptions = hooks ?? {};
  const own = { root: cwd, agent: name, ...given, skills: [...(given.skills ?? []), ...(skills ?? [])] };
  return { hookline: await createHookline(own), isOwn: true };
}

function childParts(parent: Pick<Scene, 'model' | 'tools'>, { model, system, tools }: Subagent): Pick<Scene, 'model' | 'system' | 'tools'> {
  const own = tools ? Object.fromEntries(Object.entries(parent.tools).filter(([name]) => tools.includes(name))) : parent.tools;
  return { model: model ?? parent.model, system, tools: own };
}

/** The agent as hooks of its start and end see it. */
function definitionOf({ name, model, system, tools, skills, subagents, inner }: AgentParts): JsonObject {
  return {
    ...{ name, model: modelName(model), ...(system !== undefined && { system }) },
    tools: [...Object.keys(tools), ...Object.keys(inner)],
    skills: skills.map((skill) => skill.name),
    subagents: Object.keys(subagents),
  };
}

function senderOf({ channel, user }: ParkedTurn): Pick<SendOptions, 'channel' | 'user'> {
  return { ...(channel !== undefined && { channel }), ...(user !== undefined && { user }) };
}

function replyingOf({ channel, user, replies }: ParkedTurn): Replying {
  return { channel, user, replies };
}

/** Returns the turn as it is if no person has settled any of its tickets: nothing happens then, so nothing is fired. */
async function stillHeld({ session, scene }: TurnSettings, { run }: ParkedTurn): Promise<Turn | undefined> {
  const held = heldIn(run);
  for (const { ticket } of held) if (!(await scene.boundary.isOpen(ticket))) return undefined;
  const reason = held.map((one) => `This waits for a person (ticket ${one.ticket}): ${one.reason}`).join(' ');
  return { session: session.id, status: 'parked', text: '', reason, held, steps: 0, notices: [], saved: true, sent: false };
}
