/**
 * The questions that people ask about the log, and their answers. The answers come from a projection next to the log, which a follower keeps up
 * to date, so no question delays an agent. SQLite and Postgres answer alike: one contract suite tests both. Times are milliseconds since the
 * epoch and are handed in. Texts are on one line, with every control character visible.
 */
import type { DecisionKind } from '../core/decision/decision.ts';

/** `unknown` is the decision of an entry that cannot be read. */
export type ViewDecision = DecisionKind | 'unknown';

/** A firing, an act of a person or of Hookline, or the end of a background hook. */
export type EntrySort = 'event' | 'act' | 'late';

export interface ViewEntry {
  /** The number of the entry in the log. */
  readonly pos: number;
  readonly id: string;
  readonly at: number;
  readonly sort: EntrySort;
  readonly session: string;
  /** The subagent that acts; empty for the session's own agent. */
  readonly agent: string;
  readonly project: string;
  readonly host: string;
  readonly user: string;
  readonly machine: string;
  readonly origin: string;
  readonly kind: string;
  readonly tool: string | null;
  readonly decision: ViewDecision;
  /** How many hooks failed, were asked and were skipped. */
  readonly faults: number;
  readonly asked: number;
  readonly skipped: number;
  readonly isRewritten: boolean;
  /** The call was denied, and the agent reports that it ran. */
  readonly isAlarm: boolean;
  readonly ms: number;
  readonly ticket: string | null;
  /** The command, or what else the event is about; shortened. */
  readonly what: string;
  readonly reason: string | null;
  /** The hook that decided, else one that failed; null if none did either. */
  readonly decider: string | null;
}

export interface EntryFilter {
  readonly decision?: readonly ViewDecision[];
  readonly tool?: string;
  readonly kind?: string;
  readonly host?: string;
  readonly user?: string;
  readonly project?: string;
  readonly session?: string;
  readonly agent?: string;
  readonly sort?: EntrySort;
  /** The id of a hook that denied, asked for a person, or failed. */
  readonly hook?: string;
  /** Only entries in which a hook failed. */
  readonly isFaulted?: boolean;
  /** Part of the tool, the action or the reason, in upper or lower case. */
  readonly text?: string;
  readonly since?: number;
  readonly until?: number;
}

export interface PageOptions {
  /** Entries before this position, newest first. This is the default order, from the newest entry on. */
  readonly before?: number;
  /** Entries after this position, oldest first. */
  readonly after?: number;
  /** Default: 100, at most 1,000. */
  readonly limit?: number;
}

export interface EntryPage {
  readonly entries: readonly ViewEntry[];
  /** The `before` or `after` of the next page; null if there is none. */
  readonly next: number | null;
}

/** Passes of one session in a row, in the place of their newest one. */
export interface Fold {
  readonly session: string;
  readonly count: number;
  readonly firstPos: number;
  readonly lastPos: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly ms: number;
  /** How often each tool was used. */
  readonly tools: Readonly<Record<string, number>>;
}

export type FoldedItem = { readonly entry: ViewEntry } | { readonly fold: Fold };

export interface FoldedPage {
  readonly items: readonly FoldedItem[];
  readonly next: number | null;
}

/** An entry, or the passes between two others: a fold for each session. */
export type NewItem = { readonly entry: ViewEntry } | { readonly folds: readonly Fold[] };

export interface Counts {
  readonly entries: number;
  readonly denied: number;
  readonly held: number;
  readonly asked: number;
  readonly faults: number;
}

/** A subagent, and those that it started. */
export interface AgentView extends Counts {
  readonly agent: string;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly children: readonly AgentView[];
}

export interface SessionView extends Counts {
  readonly id: string;
  /** The session or agent that started this one, if the host says it. */
  readonly parent: string | null;
  readonly project: string;
  readonly host: string;
  readonly hostVersion: string;
  readonly user: string;
  readonly machine: string;
  readonly origin: string;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly lastPos: number;
  /** How long hooks took in all of its events together. */
  readonly hookMs: number;
  /** The first prompt, shortened; null if it was not recorded, or was pruned. */
  readonly title: string | null;
  readonly agents: readonly AgentView[];
}

export interface SessionFilter {
  readonly project?: string;
  readonly host?: string;
  readonly user?: string;
  /** Sessions with an entry since this time. */
  readonly since?: number;
  /** Sessions that come after this one in the list. */
  readonly after?: { readonly lastAt: number; readonly id: string };
  /** Default: 50, at most 500. */
  readonly limit?: number;
}

/** The work of a session now, as far as its entries show it. */
export type LaneState = 'waits' | 'refused' | 'works' | 'idle';

/** The newest of entries that look alike, at a moment that is too short to be seen. */
export interface LaneMark extends ViewEntry {
  /** How many entries it stands for. */
  readonly times: number;
}

/** A session at work, with its entries of the last minutes. */
export interface LaneView {
  readonly session: SessionView;
  readonly state: LaneState;
  /** How many calls in a row were denied last. */
  readonly refused: number;
  /** Oldest first. */
  readonly marks: readonly LaneMark[];
  /** There are older entries in this time than the marks show. */
  readonly isCut: boolean;
  /** Sessions that this one started. */
  readonly children: readonly LaneView[];
}

export type Unit = 'minute' | 'hour' | 'day';

export interface Figure {
  /** The beginning of the minute, the hour or the day (UTC). */
  readonly at: number;
  readonly entries: number;
  readonly decisions: Readonly<Record<ViewDecision, number>>;
  readonly faults: number;
  /** How long the events took. */
  readonly ms: number;
}

export interface Range {
  readonly since: number;
  readonly until: number;
}

export interface ToolFigure {
  readonly tool: string;
  readonly entries: number;
  readonly decisions: Readonly<Record<ViewDecision, number>>;
}

export interface HookView {
  /** The same in every process. */
  readonly id: string;
  readonly name: string;
  readonly dialect: string;
  readonly event: string;
  readonly handler: string;
  readonly file: string;
  /** Where it was in the file when it was last asked or skipped; null if its format has no lines. */
  readonly line: number | null;
  readonly scope: string;
  readonly firstAt: number;
  /** Null: never, though it was skipped. */
  readonly lastAskedAt: number | null;
  readonly lastFaultAt: number | null;
}

export interface HookFigures extends HookView {
  readonly asked: number;
  /** The same in equal parts of the range, oldest first: hours of up to two days, else days or several days. */
  readonly askedByTime: readonly number[];
  readonly denied: number;
  /** Asked for a person. */
  readonly held: number;
  readonly faulted: number;
  readonly skipped: number;
  /** Milliseconds, within about 10 %; null if it was not asked. */
  readonly p50: number | null;
  readonly p95: number | null;
  readonly msMax: number;
  /** The time that it took, and its share in each session of this range. */
  readonly ms: number;
  readonly msPerSession: number;
  /** The cost of its model; all zero if no model answers it. */
  readonly judge: JudgeFigures;
}

export interface JudgeFigures {
  readonly calls: number;
  readonly cached: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly money: number;
}

export interface HookPoint {
  readonly at: number;
  readonly asked: number;
  readonly denied: number;
  readonly faulted: number;
  readonly p50: number | null;
  readonly p95: number | null;
}

export type ProblemState = 'open' | 'resolved' | 'muted';

export interface ProblemView {
  /** The fingerprint: `v1:` and a digest of the hook, the kind and the shape of the fault. */
  readonly id: string;
  /** `fault:<kind>`, `slow`, `quiet` or `not-enforced`. */
  readonly kind: string;
  /** Null for `not-enforced`, which is a problem of an agent. */
  readonly hook: HookView | null;
  /** The shape of the fault, without numbers and paths; empty once its entries were pruned. */
  readonly detail: string;
  /** A sentence, with what it costs. */
  readonly says: string;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly count: number;
  /** How many actions went on although this hook did not look at them. */
  readonly unseen: number;
  readonly state: ProblemState;
  /** It was resolved, and happened again. */
  readonly isReopened: boolean;
  readonly mutedUntil: number | null;
}

export type ProblemChange =
  | { readonly state: 'open' }
  | { readonly state: 'resolved'; readonly at: number }
  | { readonly state: 'muted'; readonly at: number; readonly until: number };

export interface Facet {
  readonly value: string;
  readonly entries: number;
}

export const FACETS = ['tool', 'kind', 'host', 'user', 'project'] as const;
export type FacetName = (typeof FACETS)[number];

export interface Progress {
  /** The last entry that the views have. */
  readonly pos: number;
  /** The last entry of the log. */
  readonly head: number;
  /** How many entries were pruned or removed before they could be read. */
  readonly missing: number;
  /** How often the views began anew, because the log was another one. */
  readonly rebuilds: number;
}

export type OnProgress = (progress: Progress) => void;

export interface FollowOptions {
  readonly onProgress?: OnProgress;
  /** Told of each look at the log that succeeded, whether there was something new or not. */
  readonly onStep?: OnProgress;
  /** Told of each failure. The follower tries again. */
  readonly onProblem?: (error: unknown) => void;
}

export interface Views {
  /** Reads everything that the log has now. Reports each batch that it read, and at the end. Resolves with the last report. */
  catchUp(onProgress?: OnProgress): Promise<Progress>;
  /** Catches up again and again until the signal aborts. */
  follow(signal: AbortSignal, options?: FollowOptions): Promise<void>;
  progress(): Promise<Progress>;
  entries(filter?: EntryFilter, page?: PageOptions): Promise<EntryPage>;
  /** The same, newest first, with runs of passes of a session as one item. */
  folded(filter?: EntryFilter, page?: Omit<PageOptions, 'after'>): Promise<FoldedPage>;
  /** Everything after one position up to another one, oldest first, with passes folded where they are. Entries of tickets are never folded. */
  newer(after: number, upTo: number): Promise<readonly NewItem[]>;
  entry(id: string): Promise<ViewEntry | undefined>;
  sessions(filter?: SessionFilter): Promise<readonly SessionView[]>;
  session(id: string): Promise<SessionView | undefined>;
  lanes(range: Range): Promise<readonly LaneView[]>;
  figures(by: Unit, range: Range): Promise<readonly Figure[]>;
  totals(range: Range): Promise<Figure>;
  tools(range: Range): Promise<readonly ToolFigure[]>;
  hooks(range: Range): Promise<readonly HookFigures[]>;
  hookSeries(id: string, by: 'hour' | 'day', range: Range): Promise<readonly HookPoint[]>;
  /** How many sessions had an entry in this range. */
  sessionCount(range: Range): Promise<number>;
  problems(now: number): Promise<readonly ProblemView[]>;
  /** Kept when the views are built anew. */
  changeProblem(id: string, change: ProblemChange): Promise<void>;
  facets(name: FacetName): Promise<readonly Facet[]>;
  close(): Promise<void>;
}
