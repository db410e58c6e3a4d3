/** The interface of a living agent: its options, what enters it and leaves it, and the parts that others may replace. */
import type { LanguageModel, ModelMessage, ToolSet } from 'ai';
import type { Hookline, Registration } from '../api/hookline.ts';
import type { HooklineOptions } from '../api/options.ts';
import type { DecidedOutcome as Outcome } from '../core/decision/outcome.ts';
import type { EventKind } from '../core/event/event.ts';
import type { Json, JsonObject } from '../core/values/json.ts';

/** A model that can be called. A name is not one: a resolver turns names into models. */
export type Model = Exclude<LanguageModel, string>;

/** Returns the model of a name, such as `provider:model`. Throws an error that says what to do if there is none. */
export type ModelResolver = (name: string) => Model | Promise<Model>;

export interface AgentOptions {
  /** The model, or its name, which `models` resolves. */
  readonly model: Model | string;
  /** Resolves names of models: that of `model`, and those that hooks choose. */
  readonly models?: ModelResolver;
  /** The name of the agent, for hooks that name agents (default: `agent`). */
  readonly name?: string;
  /** The system prompt, before the skills and subagents are listed and before `prompt.build`. */
  readonly system?: string;
  /** Tools of the AI SDK. The agent runs them itself, so each needs `execute`. */
  readonly tools?: ToolSet;
  /** Folders with SKILL.md files, each searched to any depth. Hooks in them are trusted, because you name them. */
  readonly skills?: readonly string[];
  readonly subagents?: Readonly<Record<string, Subagent>>;
  /** How deep agents may start agents (default 2). The agent itself has depth 0. */
  readonly maxDepth?: number;
  /** Where conversations are kept (default: in memory). */
  readonly conversation?: ConversationStore;
  readonly channels?: readonly Channel[];
  readonly schedule?: readonly Schedule[];
  /** An engine, which the agent does not close, or the options of one, which it opens and closes. */
  readonly hooks?: Hookline | HooklineOptions;
  /** The working directory, for hooks and skills (default: that of the process). */
  readonly cwd?: string;
  /** The session of heartbeats, and of messages that name none (default: `main`). */
  readonly mainSession?: string;
  /** The most model calls in one turn (default 50). */
  readonly maxSteps?: number;
  /** How often a model call is tried again before it fails (default 2). Hooks do not notice. */
  readonly maxRetries?: number;
  /** How often in a row a hook may send the agent back to work (default 8). The engine has a cap of its own as well. */
  readonly stopCap?: number;
  /** `false` switches compaction off. */
  readonly compaction?: Compaction | false;
  /** Decides for each held action whether its turn waits in this process or is parked (default: it is parked). */
  readonly onHold?: (held: HeldAction) => HoldPlan | Promise<HoldPlan>;
  /** Sees everything as it happens. A listener that throws changes nothing. */
  readonly onEvent?: (event: AgentEvent) => void;
}

/** `wait`: until a person settles the ticket. `park`: the turn ends, and `resume` continues it in this process or in another one. */
export type HoldPlan = 'wait' | 'park';

export interface Subagent {
  /** Tells the model when to use it. */
  readonly description: string;
  readonly system?: string;
  /** Default: the model of the agent that starts it. */
  readonly model?: Model | string;
  /** The names of the tools that it may use (default: all of the agent's own). */
  readonly tools?: readonly string[];
  /** The type that hooks see (default: its name). */
  readonly type?: string;
}

export interface Compaction {
  /** The most tokens of a conversation, as they are estimated, before it is compacted (default 100000). */
  readonly budget?: number;
  /** How many tokens at the end stay as they are (default: a quarter of the budget). */
  readonly keep?: number;
}

/** An agent that lives: it has sessions, channels and a schedule, and every boundary it crosses asks the hooks. */
export interface LivingAgent {
  readonly name: string;
  /** The engine that all its events go to. */
  readonly hookline: Hookline;
  /**
   * Fires `gateway.start` and `agent.start`, then starts channels and schedules. A second call returns the same promise. It rejects if a hook
   * refuses the start; the next call tries again. `send`, `stream`, `resume` and `deliver` start the agent if that has not happened.
   */
  start(): Promise<void>;
  /** Takes a message through one turn. One session has one turn at a time, and others wait in order. Rejects only on misuse. */
  send(text: string, options?: SendOptions): Promise<Turn>;
  /** The same, as a stream of events. */
  stream(text: string, options?: SendOptions): TurnStream;
  /** Continues the parked turn of a session as a new turn. An approved call runs once; one that still waits parks the turn again. */
  resume(session: string, options?: Pick<SendOptions, 'signal' | 'stream'>): Promise<Turn>;
  /** The one door for channels and schedules. Null if the delivery starts no turn: a document, or a heartbeat without text. */
  deliver(delivery: Delivery): Promise<Turn | null>;
  /** Ends one session: `session.end`. The next message begins it anew from its stored conversation. */
  endSession(session: string, reason?: string): Promise<void>;
  /** Calls the listener for every event from now on. */
  observe(listener: (event: AgentEvent) => void): Registration;
  /**
   * Stops schedules and channels, waits for the turns that run (at most `deadlineMs`, default 30 s, then they are aborted), then fires
   * `session.end` for each session, `agent.end` and `gateway.stop`.
   */
  stop(options?: { readonly deadlineMs?: number }): Promise<void>;
}

export interface SendOptions {
  readonly session?: string;
  /** Where the message comes from (default: `api`). The name of a channel of the agent: the answer is sent there. */
  readonly channel?: string;
  readonly user?: string;
  readonly signal?: AbortSignal;
  /** The model's text arrives in `text` events as it is written. */
  readonly stream?: boolean;
}

export type Delivery =
  | ({ readonly type: 'message'; readonly text: string } & SendOptions)
  /** Runs in the main session unless it names another. Its answer is sent only if it names a channel and says more than `HEARTBEAT_OK`. */
  | ({ readonly type: 'heartbeat'; readonly text?: string } & SendOptions)
  /** Runs in a fresh session unless it names one. Its answer is sent only if it names a channel. */
  | ({ readonly type: 'cron'; readonly name: string; readonly text: string } & SendOptions)
  /** A watched document changed. Its text joins the context of the next turn of each session. */
  | { readonly type: 'document'; readonly path: string; readonly text: string; readonly channel?: string; readonly user?: string };

/**
 * How a turn ended. `cancelled`: a hook dropped the message, and no one is told. `denied`: a hook refused it, and `reason` says why. `parked`: it
 * waits for the people who settle `held`. `halted`: a hook ended the run. `failed`: the model could not be called.
 */
export type TurnStatus = 'done' | 'cancelled' | 'denied' | 'parked' | 'aborted' | 'halted' | 'failed' | 'limit';

export interface Turn {
  readonly session: string;
  readonly status: TurnStatus;
  /** The answer as it left the agent: after `message.sending`. For a refusal, the words for the user. Empty if there is none. */
  readonly text: string;
  /** Why the turn was not done; null if it was. */
  readonly reason: string | null;
  /** The actions that wait for a person. */
  readonly held: readonly HeldAction[];
  /** How many model calls it took. */
  readonly steps: number;
  /** Texts of hooks for the user. */
  readonly notices: readonly string[];
  /** Whether the conversation was saved. If not, `reason` of a turn that is parked says that it does not survive this process. */
  readonly saved: boolean;
  /** Whether a channel sent the answer. */
  readonly sent: boolean;
}

/** An action that waits for a person. */
export interface HeldAction {
  readonly ticket: string;
  readonly expiresAt: string;
  readonly session: string;
  readonly kind: EventKind;
  readonly reason: string;
  /** The tool and its input, if a tool is held. */
  readonly tool?: string;
  readonly input?: JsonObject;
}

export type AgentEvent =
  /** A boundary was crossed: the outcome of all its hooks. `outcome.hooks` is empty if none applied. */
  | { readonly type: 'hook'; readonly session: string; readonly kind: EventKind; readonly depth: number; readonly outcome: Outcome }
  /** Text of the model: a piece of it if the turn streams, otherwise all of a step. */
  | { readonly type: 'text'; readonly session: string; readonly depth: number; readonly text: string }
  | ({ readonly type: 'tool-call' } & ToolEvent)
  /** The tool ran, or was refused (`isError` is false: the model reads the refusal as a result). */
  | ({ readonly type: 'tool-result'; readonly result: Json; readonly isError: boolean } & ToolEvent)
  | { readonly type: 'hold'; readonly session: string; readonly held: HeldAction }
  | { readonly type: 'compacted'; readonly session: string; readonly depth: number; readonly removed: number }
  | { readonly type: 'turn'; readonly session: string; readonly turn: Turn }
  /** Something failed that no turn can report: a channel that does not start, a listener that throws. */
  | { readonly type: 'problem'; readonly message: string };

interface ToolEvent {
  readonly session: string;
  readonly depth: number;
  readonly id: string;
  readonly tool: string;
  readonly input: JsonObject;
}

/** The events of one turn, and the turn itself. The turn runs whether or not anyone reads. */
export interface TurnStream extends AsyncIterable<AgentEvent> {
  readonly turn: Promise<Turn>;
}

/** A place where people speak to the agent. */
export interface Channel {
  /** The name that hooks see. Two channels of an agent have different names. */
  readonly name: string;
  /** Begins to listen. Every message is handed to `onMessage`, which never rejects; `send` takes the answer. */
  start(onMessage: (message: ChannelMessage) => Promise<Turn>, agent: LivingAgent): void | Promise<void>;
  /** Sends an answer. If it rejects, the turn is not `sent`, and `message.sent` does not fire. */
  send(message: OutgoingMessage): void | Promise<void>;
  stop(): void | Promise<void>;
}

export interface ChannelMessage {
  readonly text: string;
  readonly session?: string;
  readonly user?: string;
  readonly signal?: AbortSignal;
  readonly stream?: boolean;
}

export interface OutgoingMessage {
  readonly text: string;
  readonly session: string;
  readonly user?: string;
}

/** A source of deliveries: a heartbeat, a cron table, watched documents. */
export interface Schedule {
  /** Begins. `deliver` never rejects: a failure is a `problem` event. */
  start(deliver: (delivery: Delivery) => Promise<Turn | null>): void | Promise<void>;
  stop(): void | Promise<void>;
}

/** Keeps conversations. Both functions reject if they fail; a conversation that cannot be loaded is not begun anew. */
export interface ConversationStore {
  /** Undefined if there is no such conversation. */
  load(session: string): Promise<Conversation | undefined>;
  /** Durable when it resolves. */
  save(session: string, conversation: Conversation): Promise<void>;
}

/** A conversation as JSON. */
export interface Conversation {
  readonly messages: readonly ModelMessage[];
  /** The turn that waits for people; absent if none does. */
  readonly parked?: Json;
}
