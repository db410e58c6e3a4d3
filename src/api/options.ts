/** The options of `createHookline`, checked and completed. Misuse is an error that says what to write instead. */
import path from 'node:path';
import { DIALECTS, STORES } from '../builtins.ts';
import type { GuardSettings } from '../core/contracts/guard-settings.ts';
import type { Limits, Permits } from '../core/contracts/handler.ts';
import type { Notice, NotifierConfig, NotifyFailure } from '../core/contracts/notifier.ts';
import { DEFAULT_ENVIRONMENT, ENVIRONMENT_POLICIES, type Environment, type EnvironmentPolicy } from '../core/values/environment.ts';
import { HooklineError } from '../core/values/errors.ts';
import type { Background, DetachedEnd } from '../engine/ports.ts';
import { dialectNamed } from '../engine/receive/events.ts';
import { checkHandler, type HandlerFunction, type HandlerObject } from '../handlers/function.ts';
import type { Model } from '../handlers/model.ts';
import { resolveHome } from '../load/find/home.ts';
import type { ResolvedPlaces } from '../load/find/places.ts';
import type { Settings } from '../load/settings/settings.ts';
import { checkStoreUrl } from '../stores/open-store.ts';
import { checkPins, type TrustPins } from '../trust/lock-file.ts';

/** A handler type of your own: a function, or an object with `execute`. It receives the hook's settings and the event in the format of the hook. */
export type CustomHandler = HandlerFunction | HandlerObject;

/** The options by their present names. */
export interface GroupedOptions {
  /** The project (default: the working directory). Hooks found below it run only if trusted. */
  readonly root?: string;
  /** The user's home, for the user's own hooks and for state (default: the real one, or HOOKLINE_HOME). */
  readonly home?: string;
  /** Additional folders with SKILL.md files. They are trusted, because you name them. */
  readonly skills?: readonly string[];
  /** Additional folders with plugins. */
  readonly plugins?: readonly string[];
  /** Additional folders with HOOK.md and HOOK.toml hooks. */
  readonly hooks?: readonly string[];
  /** Load these dialects alone. */
  readonly dialects?: readonly string[];
  /** The same as `dialects`. */
  readonly only?: readonly string[];
  /** A dialect for each place that several dialects can read, by the name of the place: `{ plugins: 'arawn' }`. */
  readonly readAs?: Readonly<Record<string, string>>;
  /** The dialect that reads every place that it can read. */
  readonly as?: string;
  /** Every fault on an event that can be denied denies. */
  readonly strict?: boolean;
  /** Every hook runs and its verdict is recorded, but only managed and required hooks decide. */
  readonly shadow?: boolean;
  /**
   * The store for held actions and the log: `memory:`, `sqlite:PATH` or `postgres://…`. `default`: the store in the user's settings, else SQLite
   * below the user's state folder. Left out: the store in the user's settings, else `memory:`.
   */
  readonly store?: string;
  /** `ask` (default): project hooks run once trusted with `hookline trust add`. `all`: they run. Pins: hooks that are pinned run too. */
  readonly trust?: 'ask' | 'all' | TrustPins;
  /** Managed policy file to use if this machine has none. */
  readonly policy?: string;
  /** The name of the agent that this engine serves, for events that name none. Matchers on agents test it. */
  readonly agent?: string;
  /** Handler types of your own, for this engine. They win over those of `registerHandler`. */
  readonly handlers?: Readonly<Record<string, CustomHandler>>;
  /** Judges `prompt` and `agent` hooks. */
  readonly model?: Model;
  /** Reload when a hook file changes. */
  readonly watch?: boolean;
  /** The variables of this process's environment that command hooks may see. Read when the first hook of a format runs. */
  readonly environment?: Partial<EnvironmentPolicy>;
  readonly http?: {
    /** Link-local and metadata addresses, ranges and host names that HTTP hooks may call nevertheless. */
    readonly allowAddresses?: readonly string[];
  };
  /** The strictness of the guard. It adds up with the user's settings: the stricter preset counts, and all packs and overrides. */
  readonly guard?: GuardSettings;
  /** Whether context from hooks of a project, plugin or skill is wrapped in a frame that names them (default: no). */
  readonly markContext?: boolean;
  /** How much of everything: bytes, characters, hooks, and repetitions. */
  readonly limits?: LimitOptions;
  /** Held actions, and the people who settle them. */
  readonly approvals?: ApprovalOptions;
  /** Hooks that no event waits for. */
  readonly background?: BackgroundOptions;
  readonly audit?: {
    /** Whether a hook may ask not to be audited (default: no). */
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
}

export interface LimitOptions extends Partial<Limits> {
  /** How often in a row a hook may send the agent back before it stops (default 8). */
  readonly stopCap?: number;
  /** How many hooks a format with a limit may load. */
  readonly maxHooks?: number;
}

export interface ApprovalOptions {
  /**
   * An action that a person denied and that is tried again: `remember` (default) denies it again with the same reason until its ticket's life
   * is over, `forget` holds it again with a new ticket.
   */
  readonly denials?: 'remember' | 'forget';
  /** How long a held action may wait (default 24 hours). */
  readonly ticketLifeMs?: number;
  /** Whether a person can settle held actions of this engine (default: yes, by `resume`). */
  readonly canSettle?: boolean;
  /** Notified when an action is held, and when it is settled. */
  readonly notify?: readonly NotifierConfig[];
  /** Called for every notice that failed. `nextInMs` is undefined after the last try. */
  readonly onNotifyFailure?: (notice: Notice, notifier: string, failure: NotifyFailure, nextInMs: number | undefined) => void;
}

export interface BackgroundOptions {
  /** Where background hooks run (default: in this process). */
  readonly run?: Background;
  /**
   * With a Postgres store, notices and background hooks go through a durable queue in the database. `run`: this engine also works on the queue.
   * `add`: only other engines do. Left out: the work is done in this process.
   */
  readonly worker?: 'run' | 'add';
  /** Called when a background hook has ended. */
  readonly onEnd?: (end: DetachedEnd) => void;
}

/** Names of options before they were grouped. They work, and each that is used is reported. */
export interface OldOptions {
  /** @deprecated Use `limits.stopCap`. */
  readonly stopCap?: LimitOptions['stopCap'];
  /** @deprecated Use `limits.maxHooks`. */
  readonly maxHooks?: LimitOptions['maxHooks'];
  /** @deprecated Use `approvals.ticketLifeMs`. */
  readonly ticketLifeMs?: ApprovalOptions['ticketLifeMs'];
  /** @deprecated Use `approvals.canSettle`. */
  readonly canSettle?: boolean;
  /** @deprecated Use `approvals.canSettle`. */
  readonly canAnswer?: boolean;
  /** @deprecated Use `approvals.notify`. */
  readonly notify?: ApprovalOptions['notify'];
  /** @deprecated Use `approvals.onNotifyFailure`. */
  readonly onNotifyFailure?: ApprovalOptions['onNotifyFailure'];
  /** @deprecated Use `background.worker`. */
  readonly worker?: BackgroundOptions['worker'];
  /** @deprecated Use `background.onEnd`. */
  readonly onDetachedEnd?: BackgroundOptions['onEnd'];
}

/** The options of `createHookline`. All have defaults. */
export interface HooklineOptions extends Omit<GroupedOptions, 'background'>, OldOptions {
  /** Hooks that no event waits for. The place where they run was once given itself; give it as `run`. */
  readonly background?: BackgroundOptions | Background;
}

export interface LogOptions {
  /** The events that are recorded: those on which a hook was `asked`, `all`, or none (`off`). Default: `asked`; with `memory:` `off`. */
  readonly record?: 'off' | 'asked' | 'all';
  /** If the log cannot be written: `keep` the decision (default) or `deny` the action. */
  readonly onFailure?: 'keep' | 'deny';
  /** Entries older than this are pruned when the store is opened. */
  readonly keepDays?: number;
}

/** @param environment the variables that lead to the user's folders, unless the options name a home */
export function resolvePlaces(options: GroupedOptions, environment: Environment = process.env): ResolvedPlaces {
  const absolute = (folder: string): string => path.resolve(folder);
  const root = absolute(options.root ?? process.cwd());
  const { home, configFolder, stateFolder } = resolveHome({ home: options.home }, environment);
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

export function checkOptions(options: GroupedOptions): void {
  const { as } = options;
  for (const id of [
    ...(options.dialects ?? []),
    ...(options.only ?? []),
    ...Object.values(options.readAs ?? {}),
    ...(as === undefined ? [] : [as]),
  ])
    dialectNamed(id, DIALECTS);
  if (options.store !== undefined && options.store !== 'default') checkStoreUrl(options.store, STORES);
  checkTrust(options.trust);
  checkNames(options);
  checkModel(options.model);
  const denials = options.approvals?.denials;
  if (denials !== undefined && denials !== 'remember' && denials !== 'forget') {
    throw new HooklineError('bad-option', `\`approvals.denials\` must be \`remember\` or \`forget\`, not \`${String(denials)}\`.`);
  }
  const policy = options.environment?.policy;
  if (policy !== undefined && !ENVIRONMENT_POLICIES.includes(policy)) {
    throw new HooklineError(
      'bad-option',
      `\`environment.policy\` must be one of ${ENVIRONMENT_POLICIES.join(', ')}, not \`${String(policy)}\`.`,
    );
  }
  const { limits, approvals } = options;
  for (const [key, value] of Object.entries({
    'limits.stopCap': limits?.stopCap,
    'limits.maxHooks': limits?.maxHooks,
    'approvals.ticketLifeMs': approvals?.ticketLifeMs,
  })) {
    if (value !== undefined && !(Number.isInteger(value) && value >= 0)) {
      throw new HooklineError('bad-option', `\`${key}\` must be a whole number of at least 0, not ${String(value)}.`);
    }
  }
}

function checkNames({ agent, handlers = {} }: GroupedOptions): void {
  if (agent !== undefined && (typeof agent !== 'string' || agent === '')) {
    throw new HooklineError('bad-option', `\`agent\` must be the name of an agent, not \`${String(agent)}\`.`);
  }
  for (const [type, handler] of Object.entries(handlers)) checkHandler(type, handler);
}

/** A model that cannot judge would be noticed at the first hook that needs it, and then every such hook fails. */
function checkModel(model: unknown): void {
  if (model === undefined) return;
  const { judge, verify } = (typeof model === 'object' && model !== null ? model : {}) as {
    readonly judge?: unknown;
    readonly verify?: unknown;
  };
  if (typeof judge === 'function' && (verify === undefined || typeof verify === 'function')) return;
  const wrong = typeof judge === 'function' ? '`model.verify` is not a function' : '`model` has no function `judge`';
  throw new HooklineError('bad-option', `${wrong}.`, {
    hint: 'Give `{ judge, verify }`: `verify` may be left out if no hook names an agent.',
  });
}

function checkTrust(trust: GroupedOptions['trust']): void {
  if (trust === undefined || trust === 'ask' || trust === 'all') return;
  if (typeof trust === 'object' && trust !== null) checkPins(trust);
  else throw new HooklineError('bad-option', `\`trust\` must be \`ask\`, \`all\` or pins, not \`${String(trust)}\`.`);
}

/**
 * Returns the user's settings and the caller's options on what hooks may see and reach. The caller's options win. One object per engine, because
 * the visible environment is cached by it.
 */
export function permitsOf(options: GroupedOptions, settings: Settings): Permits {
  return {
    environment: { ...DEFAULT_ENVIRONMENT, ...(options.environment ?? settings.environment) },
    allowAddresses: options.http?.allowAddresses ?? settings.http?.allowAddresses ?? [],
  };
}
