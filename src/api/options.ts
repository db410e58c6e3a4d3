/** The options of `createHookline`, checked and completed. Misuse is an error that says what to write instead. */
import path from 'node:path';
import { DIALECTS, STORES } from '../builtins.ts';
import type { GuardSettings } from '../core/contracts/guard-settings.ts';
import type { Limits, Permits } from '../core/contracts/handler.ts';
import type { Notice, NotifierConfig, NotifyFailure } from '../core/contracts/notifier.ts';
import { DEFAULT_ENVIRONMENT, ENVIRONMENT_POLICIES, type EnvironmentPolicy } from '../core/values/environment.ts';
import { HooklineError } from '../core/values/errors.ts';
import type { JsonObject } from '../core/values/json.ts';
import type { Background, DetachedEnd } from '../engine/ports.ts';
import { dialectNamed } from '../engine/receive/events.ts';
import type { Model } from '../handlers/model.ts';
import { resolveHome } from '../load/find/home.ts';
import type { ResolvedPlaces } from '../load/find/places.ts';
import type { Settings } from '../load/settings/settings.ts';
import { checkStoreUrl } from '../stores/open-store.ts';
import { checkPins, type TrustPins } from '../trust/lock-file.ts';

/** A handler type of your own: gets the hook's settings and the event in the words of the hook's format. */
export type CustomHandler = (config: JsonObject, context: JsonObject) => unknown;

export interface HooklineOptions {
  /** The project (default: the working directory). Hooks found below it run only if trusted. */
  readonly root?: string;
  /** The user's home, for the user's own hooks and for state (default: the real one, or HOOKLINE_HOME). */
  readonly home?: string;
  /** Further folders with SKILL.md files; trusted, because you name them. */
  readonly skills?: readonly string[];
  /** Further folders with plugins. */
  readonly plugins?: readonly string[];
  /** Further folders with HOOK.md and HOOK.toml hooks. */
  readonly hooks?: readonly string[];
  /** Load these dialects alone. */
  readonly dialects?: readonly string[];
  /** The same as `dialects`. */
  readonly only?: readonly string[];
  /** Every fault on an event that can be denied denies. */
  readonly strict?: boolean;
  /**
   * Where held actions and the log are kept: `memory:`, `sqlite:PATH`, `postgres://…`; `default`: what the user's settings say, else SQLite
   * below the user's state folder. Left out: the user's settings, else `memory:`.
   */
  readonly store?: string;
  /** `ask` (default): project hooks run once trusted with `hookline trust add`; `all`: they run; pins: those that are pinned run too. */
  readonly trust?: 'ask' | 'all' | TrustPins;
  /** A policy file as whoever manages a machine writes it; counts only where the machine has none. */
  readonly policy?: string;
  /** Handler types of your own, for this engine. */
  readonly handlers?: Readonly<Record<string, CustomHandler>>;
  /** Judges `prompt` and `agent` hooks. */
  readonly model?: Model;
  /** Reload when a hook file changes. */
  readonly watch?: boolean;
  /** Which variables of this process's environment command hooks may see; taken when the first hook of a format runs. */
  readonly environment?: Partial<EnvironmentPolicy>;
  readonly http?: {
    /** Link-local and metadata addresses, ranges and host names that HTTP hooks may ask nevertheless. */
    readonly allowAddresses?: readonly string[];
  };
  /** How careful the guard is. Adds up with the user's settings: the stricter preset counts, all packs, all overrides. */
  readonly guard?: GuardSettings;
  /** Put context from hooks of a project, plugin or skill in a frame that names them (default: no). */
  readonly markContext?: boolean;
  /** How much of an event a hook may be sent, how much of its output is read, and how much of that gets into the agent's context. */
  readonly limits?: Partial<Limits>;
  /** How often in a row a hook may send the agent back before it stops (default 8). */
  readonly stopCap?: number;
  /** How long a held action may wait (default 24 hours). */
  readonly ticketLifeMs?: number;
  /** How many hooks a format with a limit may load. */
  readonly maxHooks?: number;
  readonly audit?: {
    /** Whether a hook's own wish not to be audited counts (default: no). */
    readonly allowSkip?: boolean;
    /** @deprecated Use `log.record`. */
    readonly record?: LogOptions['record'];
    /** @deprecated Use `log.onFailure`. */
    readonly onFailure?: LogOptions['onFailure'];
    /** @deprecated Use `log.keepDays`. */
    readonly keepDays?: LogOptions['keepDays'];
  };
  /** The log of decisions. */
  readonly log?: LogOptions;
  /** Who is told when an action is held, and when it is settled. */
  readonly notify?: readonly NotifierConfig[];
  /**
   * With a Postgres store: notices and background hooks go through a durable queue in the database. `run`: this engine also works on it;
   * `add`: others do. Left out: they are done in this process.
   */
  readonly worker?: 'run' | 'add';
  /** Told of every try to tell somebody that failed; `nextInMs` is undefined if it was the last one. */
  readonly onNotifyFailure?: (notice: Notice, notifier: string, failure: NotifyFailure, nextInMs: number | undefined) => void;
  /** Told how each background hook ended. */
  readonly onDetachedEnd?: (end: DetachedEnd) => void;
  /** Whether somebody can settle held actions of this engine (default: yes, by `resume`). */
  readonly canSettle?: boolean;
  /** @deprecated Use `canSettle`. */
  readonly canAnswer?: boolean;
  /** Where background hooks run (default: in this process). */
  readonly background?: Background;
}

export interface LogOptions {
  /** The events that are recorded: those on which a hook was `asked`, `all`, or none (`off`). Default: `asked`; with `memory:` `off`. */
  readonly record?: 'off' | 'asked' | 'all';
  /** If the log cannot be written: `keep` the decision (default) or `deny` the action. */
  readonly onFailure?: 'keep' | 'deny';
  /** Entries older than this are pruned when the store is opened. */
  readonly keepDays?: number;
}

export function resolvePlaces(options: HooklineOptions): ResolvedPlaces {
  const absolute = (folder: string): string => path.resolve(folder);
  const root = absolute(options.root ?? process.cwd());
  const { home, configFolder, stateFolder } = resolveHome({ ...(options.home !== undefined && { home: options.home }) }, process.env);
  return {
    root,
    home,
    configFolder,
    system: path.parse(root).root,
    stateFolder,
    skills: (options.skills ?? []).map(absolute),
    plugins: (options.plugins ?? []).map(absolute),
    hooks: (options.hooks ?? []).map(absolute),
  };
}

export function checkOptions(options: HooklineOptions): void {
  for (const id of [...(options.dialects ?? []), ...(options.only ?? [])]) dialectNamed(id, DIALECTS);
  if (options.store !== undefined && options.store !== 'default') checkStoreUrl(options.store, STORES);
  checkTrust(options.trust);
  const policy = options.environment?.policy;
  if (policy !== undefined && !ENVIRONMENT_POLICIES.includes(policy)) {
    throw new HooklineError(
      'bad-option',
      `\`environment.policy\` must be one of ${ENVIRONMENT_POLICIES.join(', ')}, not \`${String(policy)}\`.`,
    );
  }
  for (const [key, value] of Object.entries({ stopCap: options.stopCap, ticketLifeMs: options.ticketLifeMs, maxHooks: options.maxHooks })) {
    if (value !== undefined && !(Number.isInteger(value) && value >= 0)) {
      throw new HooklineError('bad-option', `\`${key}\` must be a whole number of at least 0, not ${String(value)}.`);
    }
  }
}

function checkTrust(trust: HooklineOptions['trust']): void {
  if (trust === undefined || trust === 'ask' || trust === 'all') return;
  if (typeof trust === 'object' && trust !== null) checkPins(trust);
  else throw new HooklineError('bad-option', `\`trust\` must be \`ask\`, \`all\` or pins, not \`${String(trust)}\`.`);
}

/** What the user's settings and the caller's options permit to hooks. The caller wins. */

/** One object for each engine: what is visible of the environment is remembered by it. */
export function permitsOf(options: HooklineOptions, settings: Settings): Permits {
  return {
    environment: { ...DEFAULT_ENVIRONMENT, ...(options.environment ?? settings.environment) },
    allowAddresses: options.http?.allowAddresses ?? settings.http?.allowAddresses ?? [],
  };
}
