/**
 * The requests and answers of the local dashboard, as types alone, so that the pages import them without any code. Times are milliseconds since the
 * epoch. Secrets are masked in every answer.
 */
import type { TicketState } from '../core/contracts/store.ts';
import type { HookReport } from '../core/decision/outcome.ts';
import type { EventKind } from '../core/event/event.ts';
import type { LogEntry } from '../core/record/decision-record.ts';
import type { Actor, Who } from '../core/record/who.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { Json, JsonObject } from '../core/values/json.ts';
import type { Plan } from '../engine/plan.ts';
import type { LogProblem, Verified } from '../engine/record/verify-log.ts';
import type {
  EntryFilter,
  Facet,
  Figure,
  Fold,
  HookFigures,
  HookPoint,
  LaneView,
  ProblemView,
  Progress,
  SessionView,
  Unit,
  ViewEntry,
} from '../views/views.ts';

export type {
  AgentView,
  EntryFilter,
  EntryPage,
  EntrySort,
  Facet,
  FacetName,
  Figure,
  Fold,
  FoldedItem,
  FoldedPage,
  HookFigures,
  HookPoint,
  HookView,
  JudgeFigures,
  LaneMark,
  LaneState,
  LaneView,
  ProblemState,
  ProblemView,
  Progress,
  SessionView,
  Unit,
  ViewDecision,
  ViewEntry,
} from '../views/views.ts';

/** `application/problem+json`. */
export interface ProblemAnswer {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly hint: string;
  /** With 409 on a ticket: how it was settled, and by whom. */
  readonly state?: TicketState;
  readonly by?: string | null;
}

export type May = 'settle' | 'read';

export interface LoginAnswer {
  readonly token: string;
  readonly may: May;
  /** Why this page may only read; null if it may settle. */
  readonly because: string | null;
}

export interface Me {
  readonly may: May;
  readonly because: string | null;
  readonly user: string;
  readonly machine: string;
  readonly version: string;
  /** The store, without its password. */
  readonly store: string;
  readonly startedAt: number;
  /** Each settlement needs the passphrase. */
  readonly needsPassphrase: boolean;
  readonly progress: Progress;
  readonly following: Following;
  readonly openTickets: number;
  /** How many problems are open. */
  readonly problems: number;
  /** Events that no hook was asked about are not recorded, and could be. */
  readonly canRecordAll: boolean;
}

/** How the follower is that reads the log for the dashboard. */
export interface Following {
  readonly state: 'well' | 'behind' | 'failing' | 'silent';
  /** Since when it is no longer well. */
  readonly since: number | null;
  /** A sentence for people, and what to do; empty if it is well. */
  readonly says: string;
  readonly hint: string;
}

export interface NowAnswer {
  readonly at: number;
  readonly since: number;
  readonly lanes: readonly LaneView[];
}

export interface FiguresAnswer {
  readonly by: Unit;
  readonly figures: readonly Figure[];
  readonly totals: Figure;
  /** The highest p95 of a hook in this time, in milliseconds; null if none was asked. */
  readonly p95: number | null;
}

/** A part of the command to which a hook or the guard objected. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly says: string;
}

export interface DayCount {
  readonly at: number;
  readonly entries: number;
}

export interface EntryDetail {
  readonly entry: ViewEntry;
  readonly record: LogEntry;
  /** The first prompt of its session; null if it was not recorded. */
  readonly title: string | null;
  /** The explanation, in sentences. */
  readonly story: readonly string[];
  /** The command of the action; null if it has none. The marks are about it. */
  readonly command: string | null;
  readonly marks: readonly Mark[];
  /** The text that the agent got, word for word. */
  readonly told: string | null;
  readonly hooks: readonly HookReport[];
  /** The next entries of the session, oldest first. */
  readonly followed: readonly ViewEntry[];
  /** How often the hook that decided denied, held or failed, on each of the last 7 days; empty if no hook decided. */
  readonly sameHookWeek: readonly DayCount[];
  /** The ids of the next entries within the filter of the request. */
  readonly neighbours: { readonly newer: string | null; readonly older: string | null };
  readonly chain: 'sound' | 'altered' | 'unreadable';
  readonly ticket: TicketDetail | null;
}

/** How the guard reads a command. */
export interface GuardAnswer {
  readonly decision: string;
  readonly rule: string | null;
  readonly severity: string | null;
  /** Whether all of the command was understood. */
  readonly complete: boolean;
  readonly span: readonly [start: number, end: number] | null;
  readonly effective: { readonly argv: readonly string[]; readonly via: readonly string[] } | null;
  readonly why: string | null;
  readonly instead: string | null;
  readonly preset: string;
  readonly presets: Readonly<Record<string, string>>;
  readonly findings: readonly JsonObject[];
  readonly commands: readonly { readonly argv: readonly string[]; readonly via: readonly string[] }[];
  readonly notes: readonly string[];
}

export interface PlanAnswer {
  readonly plan: (Plan & { readonly diagnostics: readonly Diagnostic[] }) | null;
  readonly guard: GuardAnswer | null;
  /** Why there is no plan. */
  readonly problem: string | null;
}

/** One of `event`, `command` and `tool`. */
export interface WhatIfRequest {
  /** An event with `kind` and `data`, one with `dialect`, `event` and `payload`, or the payload of an agent as it is. */
  readonly event?: JsonObject;
  readonly command?: string;
  readonly tool?: string;
  readonly input?: JsonObject;
  /** The project. Default: the folder in which the dashboard was started. */
  readonly root?: string;
}

export interface SessionsAnswer {
  readonly sessions: readonly SessionView[];
  /** The `after` of the next page. */
  readonly next: string | null;
}

export interface SessionAnswer {
  readonly session: SessionView;
  /** The newest 2,000, oldest first. */
  readonly lane: readonly ViewEntry[];
  readonly isCut: boolean;
}

export interface ConfiguredHook {
  readonly name: string;
  readonly dialect: string;
  readonly event: string;
  readonly file: string;
  readonly line: number | null;
  readonly scope: string;
  readonly root: string;
  /** The id of its figures. */
  readonly id: string;
  readonly state: 'active' | 'untrusted' | 'disabled' | 'error';
  /** Why it does not run, and what to do; empty if it runs. */
  readonly says: string;
}

export interface HooksAnswer {
  readonly hooks: readonly HookFigures[];
  readonly problems: readonly ProblemView[];
  readonly configured: readonly ConfiguredHook[];
}

/** An agent that has left files on this machine. */
export interface FoundAgent {
  readonly id: string;
  readonly title: string;
  readonly isInstalled: boolean;
  /** The command that installs Hookline into it. */
  readonly install: string;
}

export interface AgentsAnswer {
  readonly agents: readonly FoundAgent[];
  /** The command of an agent without a model, whose decisions this dashboard shows. */
  readonly tour: string;
}

export interface SeriesAnswer {
  readonly points: readonly HookPoint[];
}

export interface ProblemRequest {
  readonly state: 'open' | 'resolved' | 'muted';
  /** With `muted`: until then. */
  readonly until?: number;
}

export interface FacetsAnswer {
  readonly values: readonly Facet[];
}

export interface TicketSummary {
  readonly id: string;
  readonly state: TicketState;
  readonly kind: EventKind;
  readonly tool: string | null;
  /** The action on one line. */
  readonly what: string;
  readonly reason: string;
  readonly session: string;
  readonly root: string;
  readonly host: string;
  readonly user: string;
  readonly digest: string;
  /** The names of the hooks that want a person. */
  readonly heldBy: readonly string[];
  readonly openedAt: number;
  readonly expiresAt: number;
  readonly settledAt: number | null;
  readonly by: string | null;
  readonly note: string | null;
}

export interface TicketsAnswer {
  readonly tickets: readonly TicketSummary[];
  /** How many are open. */
  readonly open: number;
  readonly next: string | null;
}

/** A ticket with every secret masked. The action that would run is in the store alone. */
export interface MaskedTicket extends TicketSummary {
  /** The part that would run: the input of the tool, or the text. */
  readonly input: Json;
  /** JSON pointers of the masked parts of `input`. */
  readonly masked: readonly string[];
  readonly cwd: string;
  readonly hooks: readonly HookReport[];
  /** The hooks that were not asked yet. */
  readonly waiting: readonly string[];
  readonly who: Who | null;
  readonly metadata: JsonObject | null;
  readonly via: string | null;
  readonly settledBy: Who | null;
  readonly actor: Actor | null;
  readonly edit: Json;
  readonly releasedAt: number | null;
  readonly anyone: boolean;
}

export interface TicketDetail {
  readonly ticket: MaskedTicket;
  /** The decision that opened it; null if the log no longer has it. */
  readonly entry: ViewEntry | null;
  readonly story: readonly string[];
  /** The last entries of the session before it, oldest first. */
  readonly before: readonly ViewEntry[];
  /** The last prompt of the session, shortened; null if it was not recorded. */
  readonly asked: string | null;
  /** Files that were written in this session by tools that name them. */
  readonly changedFiles: readonly string[];
  /** The bounds of an approval, in sentences. */
  readonly binds: readonly string[];
  /** Another input can be approved instead. */
  readonly editable: boolean;
}

export interface SettleRequest {
  /** The digest that was shown. */
  readonly digest: string;
  readonly note?: string;
  /** The whole input that runs instead. A masked part that is left as it is keeps its value. */
  readonly edit?: Json;
  readonly passphrase?: string;
}

export interface VerifyProgress {
  readonly checked: number;
  readonly total: number;
}

export interface VerifyDone extends Pick<Verified, 'ok' | 'entries' | 'head' | 'sealed'> {
  readonly problems: readonly LogProblem[];
}

/** The events of `GET /v1/stream`. */
export interface StreamEvents {
  /** Its id is the position, which resumes the stream. */
  readonly entry: ViewEntry;
  /** With `fold=1`, in place of many passes in a row: those of each session. Its id is the position of the last one. */
  readonly folds: readonly Fold[];
  readonly ticket: TicketSummary;
  readonly problem: ProblemView;
  readonly progress: Progress;
  readonly following: Following;
  /** The page must read everything anew: the point to resume from is too old, or the views began anew. */
  readonly reset: Progress;
}

/** The filter of `entries`, `entries/{id}` and `stream`, as the address has it. */
export interface EntryQuery extends Omit<EntryFilter, 'decision' | 'isFaulted'> {
  readonly decision?: EntryFilter['decision'];
  readonly fault?: '1';
}
