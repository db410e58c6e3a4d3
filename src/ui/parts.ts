/** The parts of the program that the dashboard uses. They are handed in, so this room knows neither the hooks nor how a person is found. */
import type { Settling, Store, TicketRecord } from '../core/contracts/store.ts';
import type { LogEntry } from '../core/record/decision-record.ts';
import type { Hash } from '../core/values/digest.ts';
import type { Json, JsonObject } from '../core/values/json.ts';
import type { FormatName } from '../engine/record/export/export-log.ts';
import type { Verified } from '../engine/record/verify-log.ts';
import type { Views } from '../views/views.ts';
import type { AgentsAnswer, ConfiguredHook, Mark, Me, PlanAnswer } from './api.ts';
import type { Session } from './credentials.ts';

export interface UiParts {
  readonly views: Views;
  readonly store: Store;
  readonly hash: Hash;
  readonly about: Pick<Me, 'user' | 'machine' | 'version' | 'store' | 'startedAt' | 'canRecordAll'>;
  now(): number;
  /** Whether each settlement from this page needs the passphrase now. */
  needsPassphrase(session: Session): Promise<boolean>;
  /** Settles a ticket by the gate of every act that needs a person. */
  settle(session: Session, ticket: TicketRecord, wish: SettleWish): Promise<SettleResult>;
  /** Returns which hooks would be asked, and how the guard reads the command. Runs nothing. */
  plan(wish: PlanWish): Promise<PlanAnswer>;
  /** Returns the hooks of these projects, and whether each of them runs. */
  configured(roots: readonly string[]): Promise<readonly ConfiguredHook[]>;
  /** Returns the agents that are found on this machine, and how to begin without one. */
  agents(): AgentsAnswer;
  /** Returns the parts of a command to which the guard objects. */
  marks(command: string, entry: LogEntry): Promise<readonly Mark[]>;
  /** Returns the files that these entries changed, as far as their tools name them. */
  changedFiles(entries: readonly LogEntry[]): Promise<readonly string[]>;
  verify(onPage: (checked: number) => void): Promise<Verified>;
  /** Told once, when the views have read everything that the log has. */
  onCaughtUp?(): void;
  /** Told of each failure of the follower, which tries again. */
  onProblem(error: unknown): void;
  /** Returns the log in this format, bit by bit. */
  exported(format: FormatName): AsyncIterable<string>;
}

export interface SettleWish {
  readonly state: Settling['state'];
  readonly note: string | null;
  readonly edit: Json | null;
  readonly passphrase: string | undefined;
}

export type SettleResult =
  | { readonly refused: { readonly message: string; readonly hint: string } }
  | { readonly ticket: TicketRecord; readonly won: boolean };

export type PlanWish =
  | { readonly entry: LogEntry }
  | { readonly event: JsonObject; readonly root?: string }
  | { readonly tool: string; readonly input: JsonObject; readonly root?: string }
  | { readonly command: string; readonly root?: string };
