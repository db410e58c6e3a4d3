/**
 * Notices to people that an action waits for them, or no longer does. A notice may leave the machine, so secrets are masked in it, and the
 * masked places are named. A notifier knows a transport and nothing else. `people/deliver.ts` decides whether and when to try again.
 */
import { type PendingState, pendingStates } from '../decision/outcome.ts';
import { type EventKind, kindRule } from '../event/event.ts';
import type { Who } from '../record/who.ts';
import type { Json, JsonObject } from '../values/json.ts';
import { redact, redactText } from '../values/redact.ts';
import type { TicketRecord, TicketState } from './store.ts';

export type NoticeType = 'ticket.opened' | 'ticket.settled';

export interface Notice {
  /** One id per notice. A receiver that gets the same id twice may ignore the second one. */
  readonly id: string;
  readonly type: NoticeType;
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number;
  readonly ticket: TicketNotice;
}

/** A ticket as people outside see it. */
export interface TicketNotice {
  readonly id: string;
  readonly state: TicketState;
  readonly kind: EventKind;
  readonly tool: string | null;
  /** The action: the part of the event that a hook may replace, or all of it. Secrets are masked. */
  readonly input: Json;
  /** The input that the person wants instead, masked too. */
  readonly edit: Json | null;
  /** The data that the caller gave with its event, masked too; absent if there is none. */
  readonly metadata?: JsonObject;
  /** JSON pointers into this ticket, below `/input`, `/edit`, `/metadata` and `/pending`. */
  readonly masked: readonly string[];
  readonly reason: string;
  readonly heldBy: readonly { readonly name: string; readonly file: string; readonly line?: number }[];
  /** The states that the hooks suspended it with, masked too; absent if there is none. */
  readonly pending?: readonly PendingState[];
  readonly root: string;
  readonly session: string;
  readonly openedAt: number;
  readonly expiresAt: number;
  /** Whose action it is. */
  readonly who?: Who;
  /** The name that the person gave who settled it, and the account that was found out. */
  readonly by: string | null;
  readonly settledBy?: Who;
  /** It was approved for everyone who works on the store. */
  readonly anyone?: true;
  readonly note: string | null;
}

export interface Notifier {
  readonly type: string;
  /** Never rejects. Ends what it started when the signal aborts, and leaves no process or socket behind. */
  notify(notice: Notice, signal: AbortSignal): Promise<'sent' | NotifyFailure>;
}

/** The parts of a process that notifiers use. */
export interface NotifierParts {
  readonly stateFolder: string;
}

export interface NotifyFailure {
  /** Why, without any secret. */
  readonly failed: string;
  /** Whether another try may succeed. */
  readonly retry: boolean;
  /** The other side asked not to be called again before this time. */
  readonly afterMs?: number;
}

export type NotifierConfig = CommandNotifierConfig | WebhookNotifierConfig | DesktopNotifierConfig;

export interface CommandNotifierConfig {
  readonly type: 'command';
  /** Run by the shell, with the notice on stdin. */
  readonly command: string;
  readonly timeoutMs?: number;
}

/** Shows a notification on the desktop of the user, and withdraws it once the ticket is settled. */
export interface DesktopNotifierConfig {
  readonly type: 'desktop';
  readonly timeoutMs?: number;
}

/** `url`, `secret` and the values of `headers` may be `env:NAME`: the value is then read from that variable. */
export interface WebhookNotifierConfig {
  readonly type: 'webhook';
  readonly url: string;
  /** `whsec_` and at least 24 bytes in base64; without one, requests are not signed. */
  readonly secret?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

export function noticeOf(type: NoticeType, ticket: TicketRecord, at: number): Notice {
  return { id: `${ticket.id}:${type.slice('ticket.'.length)}`, type, at, ticket: ticketNotice(ticket) };
}

function ticketNotice(ticket: TicketRecord): TicketNotice {
  const { id, state, kind, tool, root, session, openedAt, expiresAt, reason, by, note, action, who, settledBy, anyone } = ticket;
  const { data } = action.event;
  const input = redact(data[kindRule(kind).rewrites?.key ?? ''] ?? data);
  const edit = redact(ticket.edit);
  const metadata = ticket.metadata && redact(ticket.metadata);
  const states = pendingStates(action.heldBy).map(({ hook, state: given }) => ({ hook: redactText(hook), ...redact(given) }));
  return {
    id,
    state,
    kind,
    tool,
    input: input.value,
    edit: edit.value,
    ...(metadata && { metadata: metadata.value as JsonObject }),
    masked: [
      ...input.masked.map((pointer) => `/input${pointer}`),
      ...edit.masked.map((pointer) => `/edit${pointer}`),
      ...(metadata?.masked ?? []).map((pointer) => `/metadata${pointer}`),
      ...states.flatMap(({ masked }, i) => masked.map((pointer) => `/pending/${i}/state${pointer}`)),
    ],
    reason: redactText(reason),
    // A hook without a name of its own may be named by its command.
    heldBy: action.heldBy.map(({ name, source: { file, line } }) => ({
      name: redactText(name),
      file,
      ...(line === undefined ? {} : { line }),
    })),
    ...(states.length > 0 && { pending: states.map(({ hook, value }) => ({ hook, state: value })) }),
    root,
    session,
    openedAt,
    expiresAt,
    ...(who && { who }),
    by: by === null ? null : redactText(by),
    ...(settledBy && { settledBy }),
    ...(anyone && { anyone }),
    note: note === null ? null : redactText(note),
  };
}
