/** The input of a hook in code: the session, the time, and the data of one event, typed by the event. */
import { camelKey, snakeCase } from '../../agents/claude-agent/profile.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { asJson, isObject, type Json, type JsonObject, textOf } from '../../core/values/json.ts';

/** The data of each event, discriminated by `event`. */
export type HookEventData =
  | { readonly event: 'PreToolUse'; readonly toolName: string; readonly toolInput: Json }
  | { readonly event: 'PostToolUse'; readonly toolName: string; readonly toolResult: Json }
  | { readonly event: 'PostToolUseFailure'; readonly toolName: string; readonly error: string }
  | { readonly event: 'UserPromptSubmit'; readonly prompt: string }
  | { readonly event: 'Stop' }
  | { readonly event: 'SubagentStart'; readonly subagentId: string; readonly subagentType: string; readonly description: string }
  | { readonly event: 'SubagentStop'; readonly subagentId: string; readonly success: boolean; readonly error?: string }
  | { readonly event: 'PreCompact' }
  | { readonly event: 'SessionStart' }
  | { readonly event: 'SessionEnd' };

/** The name of an event. */
export type HookEvent = HookEventData['event'];

/** The ten events, for callers that prefer `HookEvent.PreToolUse` to `'PreToolUse'`. */
export const HookEvent = {
  PreToolUse: 'PreToolUse',
  PostToolUse: 'PostToolUse',
  PostToolUseFailure: 'PostToolUseFailure',
  UserPromptSubmit: 'UserPromptSubmit',
  Stop: 'Stop',
  SubagentStart: 'SubagentStart',
  SubagentStop: 'SubagentStop',
  PreCompact: 'PreCompact',
  SessionStart: 'SessionStart',
  SessionEnd: 'SessionEnd',
} as const satisfies { readonly [E in HookEvent]: E };

/** The data of one event, or of a union of events. */
export type DataOf<E extends HookEvent> = { readonly [D in HookEventData as D['event']]: D }[E];

/** The data as a hook reads it: `toolInput()` is asked of the data of every event, as the document does. */
type Readable<D> = Omit<D, 'toolInput'> & { toolInput(): D extends { readonly toolInput: Json } ? Json : undefined };
export type ReadDataOf<E extends HookEvent> = { readonly [D in HookEventData as D['event']]: Readable<D> }[E];

/** The input of a hook. Create one with the factory of its event: `HookInput.preToolUse('session-1', 'Bash', { command: 'ls' })`. */
export class HookInput<out E extends HookEvent = HookEvent> {
  readonly sessionId: string;
  readonly timestamp: Date;
  readonly data: ReadDataOf<E>;
  /** Additional data from the host for its hooks. */
  readonly metadata?: Json;
  readonly #given: HookEventData;

  constructor(sessionId: string, data: DataOf<E>, options: { readonly timestamp?: Date; readonly metadata?: Json } = {}) {
    this.sessionId = sessionId;
    this.timestamp = options.timestamp ?? new Date();
    this.#given = data;
    this.data = readable(data) as ReadDataOf<E>;
    if (options.metadata !== undefined) this.metadata = options.metadata;
  }

  /** Before a tool runs. Hooks may block it or change its input. */
  static preToolUse(sessionId: string, toolName: string, toolInput: Json): HookInput<'PreToolUse'> {
    return new HookInput(sessionId, { event: 'PreToolUse', toolName, toolInput });
  }

  /** After a tool has run. */
  static postToolUse(sessionId: string, toolName: string, toolResult: Json): HookInput<'PostToolUse'> {
    return new HookInput(sessionId, { event: 'PostToolUse', toolName, toolResult });
  }

  /** After a tool has failed. */
  static postToolUseFailure(sessionId: string, toolName: string, error: string): HookInput<'PostToolUseFailure'> {
    return new HookInput(sessionId, { event: 'PostToolUseFailure', toolName, error });
  }

  /** When the user submits a prompt. Hooks may block it. */
  static userPromptSubmit(sessionId: string, prompt: string): HookInput<'UserPromptSubmit'> {
    return new HookInput(sessionId, { event: 'UserPromptSubmit', prompt });
  }

  /** When a session begins. Hooks may block it. */
  static sessionStart(sessionId: string): HookInput<'SessionStart'> {
    return new HookInput(sessionId, { event: 'SessionStart' });
  }

  static sessionEnd(sessionId: string): HookInput<'SessionEnd'> {
    return new HookInput(sessionId, { event: 'SessionEnd' });
  }

  static stop(sessionId: string): HookInput<'Stop'> {
    return new HookInput(sessionId, { event: 'Stop' });
  }

  static preCompact(sessionId: string): HookInput<'PreCompact'> {
    return new HookInput(sessionId, { event: 'PreCompact' });
  }

  /** When a subagent is about to start. Hooks may block it. */
  static subagentStart(sessionId: string, subagentId: string, subagentType: string, description: string): HookInput<'SubagentStart'> {
    return new HookInput(sessionId, { event: 'SubagentStart', subagentId, subagentType, description });
  }

  static subagentStop(sessionId: string, subagentId: string, success: boolean, error?: string | null): HookInput<'SubagentStop'> {
    const failure = error === undefined || error === null ? {} : { error };
    return new HookInput(sessionId, { event: 'SubagentStop', subagentId, success, ...failure });
  }

  /** Returns the same input with metadata. */
  withMetadata(metadata: Json): HookInput<E> {
    return new HookInput<E>(this.sessionId, this.#given as DataOf<E>, { timestamp: this.timestamp, metadata });
  }

  eventType(): E {
    // `data` is the member of the union that belongs to E. TypeScript cannot infer that.
    return this.#given.event as E;
  }

  /** Returns the tool, on events about a tool. */
  toolName(): string | undefined {
    const data = this.#given;
    return 'toolName' in data ? data.toolName : undefined;
  }

  /** Returns the input of the tool, before it runs. */
  toolInput(): Json | undefined {
    const data = this.#given;
    return 'toolInput' in data ? data.toolInput : undefined;
  }

  /** Returns the subagent, on events about one. */
  subagentId(): string | undefined {
    const data = this.#given;
    return 'subagentId' in data ? data.subagentId : undefined;
  }

  /** Returns a copy that a hook may change. The next hook still receives the original. */
  copy(): HookInput<E> {
    // Data that is not JSON, such as a function in the input, is shared because it cannot be copied faithfully.
    const data = (asJson(this.#given) ?? this.#given) as DataOf<E>;
    const metadata = asJson(this.metadata) ?? this.metadata;
    return new HookInput<E>(this.sessionId, data, { timestamp: new Date(this.timestamp), ...(metadata !== undefined && { metadata }) });
  }

  /** Returns the input as a command reads it on stdin. */
  payload(): JsonObject {
    const { event, ...fields } = this.#given;
    const entries = Object.entries(fields).map(([key, value]) => [snakeCase(key), asJson(value) ?? null]);
    return {
      event: snakeCase(event),
      session_id: this.sessionId,
      ...Object.fromEntries(entries),
      timestamp: this.timestamp.toISOString(),
      ...(this.metadata !== undefined && { metadata: this.metadata }),
    };
  }

  /**
   * Returns the input of a payload as a command reads it.
   * @throws HooklineError `unknown-event` if its `event` is none of the ten
   */
  static ofPayload({ event: name, session_id, timestamp, metadata, ...rest }: JsonObject): HookInput {
    const event = Object.values(HookEvent).find((known) => known === name || snakeCase(known) === name);
    if (event === undefined) throw new HooklineError('unknown-event', `The HookManager has no event \`${String(name)}\`.`);
    const given = Object.entries(rest).filter(([, value]) => value !== null);
    const data = { event, ...UNSAID[event], ...Object.fromEntries(given.map(([key, value]) => [camelKey(key), value])) };
    const at = new Date(textOf(timestamp) ?? Number.NaN);
    // The fields are as the wire format of claude-agent writes them.
    return new HookInput(textOf(session_id) ?? '', data as unknown as HookEventData, {
      ...(!Number.isNaN(at.getTime()) && { timestamp: at }),
      ...(metadata !== undefined && metadata !== null && { metadata }),
    });
  }
}

const TOOL = { toolName: '' };
/** The fields that a hook may rely on, for a payload that lacks them. */
const UNSAID: { readonly [E in HookEvent]: object } = {
  PreToolUse: { ...TOOL, toolInput: null },
  PostToolUse: { ...TOOL, toolResult: null },
  PostToolUseFailure: { ...TOOL, error: '' },
  UserPromptSubmit: { prompt: '' },
  Stop: {},
  SubagentStart: { subagentId: '', subagentType: '', description: '' },
  SubagentStop: { subagentId: '', success: true },
  PreCompact: {},
  SessionStart: {},
  SessionEnd: {},
};

/** Older programs read `data.toolInput` as a value. Its fields can still be read there, so that their guards still work. */
function readable({ ...fields }: HookEventData): object {
  const plain: Record<string, unknown> = { ...fields };
  const { toolInput: input, ...rest } = plain;
  const read = Object.assign(() => input, {});
  if (isObject(input))
    for (const [key, value] of Object.entries(input)) Object.defineProperty(read, key, { value, enumerable: true, writable: true });
  // Not enumerable: data is compared and written by its fields.
  return Object.defineProperties(rest, { toolInput: { value: read }, toJSON: { value: () => plain } });
}
