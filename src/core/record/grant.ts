/**
 * A grant is an approval for more than one action: within a scope and for a time that the approver was shown. It replaces only the asking of
 * the hooks it was given for, and never a denial.
 */
import type { HookReport } from '../decision/outcome.ts';
import type { EventKind } from '../event/event.ts';
import { redactText } from '../values/redact.ts';
import type { Actor, Who } from './who.ts';

/** The actions that a grant covers, beyond those that are the same as the approved one. */
export type GrantScope =
  /** The same action, in the same folder. `digest`: of both. */
  | { readonly same: 'action'; readonly tool: string | null; readonly digest: string }
  /** Every use of a tool that runs no commands. */
  | { readonly same: 'tool'; readonly tool: string }
  /**
   * Commands that begin with these words: simple commands without operators, substitution, redirection or assignments, in the same folder.
   * `rest`: the digest of the other fields of the input, which must be the same.
   */
  | {
      readonly same: 'command-prefix';
      readonly tool: string;
      readonly words: readonly string[];
      readonly cwd: string;
      readonly rest: string;
    }
  /** Uses of a tool on this file, or on files below this folder (which ends with a separator). */
  | { readonly same: 'path'; readonly tool: string; readonly path: string };

/** The ways in which actions can be the same as the approved one. `action` needs no choice. */
export const SAMENESS = ['tool', 'command-prefix', 'path'] as const satisfies readonly GrantScope['same'][];

/** The grant that a person wants to give. */
export interface GrantWish {
  /** Milliseconds, or the rest of the session. */
  readonly for: number | 'session';
  /** Default: the same action. */
  readonly same?: (typeof SAMENESS)[number];
  /** With `command-prefix`: the words, which must be the first ones of the approved command. Default: the program and its subcommand. */
  readonly prefix?: string;
  /** With `path`: a folder that contains the approved file, or that file. Default: the file. */
  readonly path?: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const UNITS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
/** A person forgets a grant that lasts longer. */
export const LONGEST_GRANT_MS = 30 * DAY_MS;
/** A session may never say that it ends. */
export const LONGEST_SESSION_MS = DAY_MS;

/** Reads `30m`, `1h`, `7d` or `session`. Undefined: it is none of these, or too long. */
export function readGrantTime(text: string): GrantWish['for'] | undefined {
  if (text === 'session') return text;
  const [, count, unit = ''] = /^([1-9]\d{0,5})([mhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? Number.NaN);
  return ms <= LONGEST_GRANT_MS ? ms : undefined;
}

/** Returns an identity of a hook that is the same in every process, because a hook written in code gets another id in each. */
export function hookIdentity({
  dialect,
  event,
  name,
  source: { file },
}: Pick<HookReport, 'dialect' | 'event' | 'name' | 'source'>): string {
  return JSON.stringify([dialect, event, name, file]);
}

function nameIn(identity: string): string {
  const [, , name] = JSON.parse(identity) as readonly string[];
  return name ?? identity;
}

/** Says which actions a grant covers, for a person. */
export function scopeText(scope: GrantScope): string {
  const tool = scope.tool ?? 'event';
  switch (scope.same) {
    case 'action':
      return `exactly the approved ${tool} action`;
    case 'tool':
      return `every use of ${tool}, with any input`;
    case 'command-prefix':
      return `${tool} commands that begin with \`${redactText(scope.words.join(' '))}\` and have no operators, in ${scope.cwd}`;
    case 'path':
      return `${tool} ${/[\\/]$/.test(scope.path) ? 'on files below' : 'on'} ${scope.path}`;
  }
}

/** Says everything that limits a grant. `until`: the end of its life, as the reader wants to see it. */
export function grantText({ scope, hooks, root, who, session }: Omit<NewGrant, 'actor'>, until: string): string {
  return [
    scopeText(scope),
    `asked by ${hooks.map(nameIn).join(', ')}`,
    ...(scope.same === 'command-prefix' && scope.cwd === root ? [] : [`in the project ${root}`]),
    who === null ? 'for anyone' : `for ${who.osUser} on ${who.machine.name}`,
    ...(session === null ? [] : [`in session ${session}`]),
    `until ${until}`,
  ].join(', ');
}

export interface Grant {
  readonly id: string;
  /** The ticket it was given with. */
  readonly ticket: string;
  readonly kind: EventKind;
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
  /** The action that it let pass, in words. */
  readonly what: string;
  /** Whose action that was, if it is known. */
  readonly who?: Who;
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
