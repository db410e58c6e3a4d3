/**
 * A grant is an approval for more than one action: within a scope and for a time that the approver was shown. It replaces only the asking of
 * the hooks it was given for, and never a denial.
 */
import type { Actor, Who } from './who.ts';

/** The actions that a grant covers, beyond those that are the same as the approved one. */
export type GrantScope =
  /** The same action, again. */
  | { readonly same: 'action'; readonly digest: string }
  /** Every use of a tool that runs no commands. */
  | { readonly same: 'tool'; readonly tool: string }
  /** Commands that begin with these words: simple commands without operators, substitution, redirection or assignments. */
  | { readonly same: 'command-prefix'; readonly tool: string; readonly words: readonly string[] }
  /** Uses of a tool on this file, or on files below this folder (which ends with a separator). */
  | { readonly same: 'path'; readonly tool: string; readonly path: string };

export interface Grant {
  readonly id: string;
  /** The ticket it was given with. */
  readonly ticket: string;
  readonly scope: GrantScope;
  /** The hooks whose question it answers, by their identity in every process. */
  readonly hooks: readonly string[];
  /** Only in this session; null: in all sessions until it expires. */
  readonly session: string | null;
  readonly root: string;
  /** For whom it was given; null: for anyone on this store. */
  readonly who: Who | null;
  readonly at: number;
  readonly expiresAt: number;
  /** The name that the approver gave, and how it was found out who they are. */
  readonly by: string | null;
  readonly note: string | null;
  readonly actor: Actor;
  readonly revokedAt: number | null;
  readonly revokedBy: string | null;
  /** How often it was used, and when last. */
  readonly uses: number;
  readonly usedAt: number | null;
}

export type NewGrant = Omit<Grant, 'revokedAt' | 'revokedBy' | 'uses' | 'usedAt'>;

/** One use: the event that it let pass. */
export interface GrantUse {
  readonly event: string;
  readonly session: string;
  readonly tool: string | null;
  /** What it let pass, in words. */
  readonly what: string;
}

export interface GrantStore {
  add(grant: NewGrant): Promise<Grant>;
  /** The grants of a project that are neither revoked nor expired at `now`; with `all`, also those that are. Oldest first. */
  list(filter: { readonly root?: string; readonly all?: boolean }, now: number): Promise<readonly Grant[]>;
  get(id: string): Promise<Grant | undefined>;
  /** Counts a use and records it. Undefined if the grant is revoked, expired or gone: it then permits nothing. */
  use(id: string, use: GrantUse, now: number): Promise<Grant | undefined>;
  /** Undefined: there is no such grant, or it was revoked before. */
  revoke(id: string, by: { readonly name: string | null; readonly actor: Actor }, now: number): Promise<Grant | undefined>;
}
