/** Everything of an engine that outlives an event: the store, which is opened on demand, held actions, the log, and notices to people. */
import { isDeniable, NOTIFIERS, STORES } from '../builtins.ts';
import type { Handler } from '../core/contracts/handler.ts';
import { type Notifier, type NotifierConfig, noticeOf } from '../core/contracts/notifier.ts';
import type { Queue, Store } from '../core/contracts/store.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { HooklineError } from '../core/values/errors.ts';
import type { OnceMemory } from '../engine/ask/once.ts';
import type { Background, Clock, Ports } from '../engine/ports.ts';
import { NAMELESS_SESSION } from '../engine/receive/events.ts';
import { createLog, type DecisionLog, type Verified, verify } from '../engine/record/decision-log.ts';
import { lateEnd } from '../engine/record/late-end.ts';
import { createRecorder, type Recorder } from '../engine/record/recorder.ts';
import type { VerifyOptions } from '../engine/record/verify-log.ts';
import type { ResolvedPlaces } from '../load/find/places.ts';
import type { Settings } from '../load/settings/settings.ts';
import { type Approvals, createApprovals } from '../people/approvals.ts';
import type { Delivery, DeliveryOptions } from '../people/deliver.ts';
import type { DurableWork } from '../people/durable-work.ts';
import type { GrantParts } from '../people/grants.ts';
import { createSettledWatches, type SettledListener, type SettledWatches } from '../people/settled.ts';
import { openStore, storeUrl } from '../stores/open-store.ts';
import { openSessionNotes, type SessionNotes } from '../stores/session-notes.ts';
import { createIds, sha256 } from './clock.ts';
import type { GroupedOptions } from './options.ts';
import type { SealedLog } from './sealed-log.ts';

export interface Persistence {
  readonly background: Background;
  readonly store: () => Promise<Store>;
  /** Opens the store while a hook is waited for, if the event will be recorded. A failure shows when the store is needed. */
  openAhead(): void;
  /** Whose action or act it is. Known once the store is open. */
  readonly who: NonNullable<Ports['who']>;
  readonly notify: Ports['notify'];
  readonly recorder: Recorder | undefined;
  /** Whether events without hooks are recorded too. */
  readonly recordsAll: boolean;
  /** Undefined if nothing outlives the process. */
  readonly once: OnceMemory | undefined;
  readonly approvals: Approvals;
  readonly grantParts: GrantParts;
  readonly inScope: NonNullable<Ports['inScope']>;
  /** Calls the listener for each ticket that is settled from now on, until the returned function is called. */
  onSettled(listener: SettledListener): () => void;
  stopListening(): void;
  /** The failures of these listeners. */
  problems(): readonly Diagnostic[];
  readonly log: DecisionLog;
  verify(options: VerifyOptions): Promise<Verified>;
  /** Returns the proof of the log on this machine, once the store is open. */
  readonly sealed: () => SealedLog | undefined;
  /** Names what is wrong with approvals and checkpoints. */
  doubts(): Promise<readonly Diagnostic[]>;
  /**
   * Returns the names of the people or work that could not be notified or done in time.
   * @param isLast the process ends at once
   */
  close(deadlineMs: number, isLast?: boolean): Promise<readonly string[]>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The parts of an engine that persistence uses. */
export interface PersistenceParts {
  readonly places: ResolvedPlaces;
  readonly clock: Clock;
  readonly handlers: ReadonlyMap<string, Handler>;
  /** Runs background hooks if there is no queue for them. */
  readonly background: Background;
  /** How long to wait for a store that another process has locked. Default: as long as an event may be delayed. */
  readonly lockMs?: number;
}

/** With this, a locked store delays an event by less than a second. */
const EVENT_LOCK_MS = 800;

function isSlow(error: unknown): boolean {
  return error instanceof HooklineError && error.code === 'store-unavailable' && /locked|busy|timeout/i.test(error.message);
}

function isReadOnly(error: unknown): boolean {
  return error instanceof HooklineError && error.code === 'store-unavailable' && /read-only/.test(error.message);
}

export async function createPersistence(options: GroupedOptions, settings: Settings, parts: PersistenceParts): Promise<Persistence> {
  const { places, clock, lockMs = EVENT_LOCK_MS } = parts;
  // The old names of these settings are under `audit`.
  const log = { ...settings.audit, ...settings.log, ...options.audit, ...options.log };
  const url = options.store === 'default' ? settings.store : (options.store ?? settings.store ?? 'memory:');
  const isLasting = url === undefined || storeUrl(url, process.env) !== 'memory:';
  let opened: Store | undefined;
  let opening: Promise<Store> | undefined;
  let sealed: SealedLog | undefined;
  const who: NonNullable<Ports['who']> = (caller) => sealed?.identity.who(caller);
  const witness = () => sealed?.witness();
  const open = async (): Promise<Store> => {
    // Loaded with the store, because an event that is neither held nor recorded needs neither identity nor key.
    const { createSealedLog } = await import('./sealed-log.ts');
    sealed ??= createSealedLog({ places, clock, url, isLasting, away: settings.log?.checkpoints, store: () => opened });
    const { ledger } = sealed;
    opened = await openStore(url, places.stateFolder, STORES, { lockMs, ledger });
    const { keepDays } = log;
    if (keepDays !== undefined)
      await opened.log.prune(clock.now() - keepDays * DAY_MS, { keepDays }).catch((error: unknown) => {
        // A log that this user may only read is shown as it is.
        if (!isReadOnly(error)) throw error;
      });
    return opened;
  };
  let failed: { readonly error: unknown; readonly at: number } | undefined;
  const store = (): Promise<Store> => {
    // An event uses the store more than once, and waits for it only once.
    if (failed && clock.tick() - failed.at < lockMs) return Promise.reject(failed.error);
    // A store that could not be opened is tried again, because a database may come back.
    opening ??= open().catch((error: unknown) => {
      opening = undefined;
      failed = isSlow(error) ? { error, at: clock.tick() } : undefined;
      throw error;
    });
    return opening;
  };
  const notes = (topic: string, root: string): SessionNotes =>
    openSessionNotes({ stateFolder: places.stateFolder, topic, root, nameless: NAMELESS_SESSION });
  const asked = notes('once', places.root);
  // Kept for all projects, because an agent may leave the folder in which it was denied.
  const deniedSessions = notes('refused', '');
  const level = log.record ?? (isLasting ? 'asked' : 'off');
  const recorder =
    level === 'off'
      ? undefined
      : createRecorder({
          record: level,
          onFailure: log.onFailure ?? 'keep',
          root: places.root,
          clock,
          hash: sha256,
          store: () => opened ?? store(),
          opened: () => opened,
          who,
          gates: isDeniable,
          deniedSessions: { has: (session) => deniedSessions.has(session, ''), add: (session) => deniedSessions.add(session, '').problem },
        });
  const openAhead = (): void => {
    if (!recorder || opened) return;
    // The one that needs the store waits for it as long as without this attempt.
    store().catch(() => {
      failed = undefined;
    });
  };
  const notify = options.approvals?.notify ?? settings.notify ?? [];
  const queue = options.background?.worker === undefined ? null : (await store()).queue;
  const starting = queue ? startWork(queue, notify, options, parts, recorder) : undefined;
  // An engine that cannot start leaves no connection open.
  const work = await starting?.catch(async (error: unknown) => {
    await opened?.close();
    throw error;
  });
  let delivery: Promise<Delivery> | undefined;
  let listening: SettledWatches | undefined;
  const tellPeople: Ports['notify'] = (type, ticket) => {
    if (type === 'ticket.settled') listening?.settled(ticket);
    if (notify.length === 0) return;
    const notice = noticeOf(type, ticket, clock.now());
    if (work) return work.notify(notice);
    delivery ??= startDelivery(notify, places, options.approvals?.onNotifyFailure);
    void delivery.then((ready) => ready.deliver(notice));
  };
  let closing: Promise<readonly string[]> | undefined;
  const close = async (deadlineMs: number, isLast: boolean): Promise<readonly string[]> => {
    const untold = work ? await work.stop() : delivery ? await (await delivery).drain(deadlineMs) : [];
    if (opened) await sealed?.checkpointing?.close(deadlineMs);
    const left = await opening?.catch(() => undefined);
    await (isLast && left?.leave ? left.leave() : left?.close());
    return untold;
  };
  const grantParts = grantPartsOf(places.home);
  const approvals = createApprovals(store, clock, tellPeople, who, grantParts);
  return {
    background: work ? work.background(parts.background) : parts.background,
    store,
    openAhead,
    who,
    notify: tellPeople,
    recorder,
    recordsAll: level === 'all',
    once: isLasting ? { has: asked.has, add: (session, hook) => asked.add(session, hook).problem } : undefined,
    approvals,
    grantParts,
    inScope: async (scope, event) =>
      (await import('../guard/scope/scope.ts')).inScope(scope, event, { hash: sha256, home: places.home, root: places.root }),
    onSettled(listener) {
      listening ??= createSettledWatches({ store, clock, root: places.root });
      return listening.add(listener);
    },
    stopListening: () => listening?.stop(),
    problems: () => listening?.problems() ?? [],
    log: createLog({ store, hash: sha256, failures: () => recorder?.failures ?? 0, witness }),
    sealed: () => sealed,
    async doubts() {
      const open = await store();
      return (await sealed?.doubts(open)) ?? [];
    },
    verify: (verifying) => verify({ store, hash: sha256, witness }, verifying),
    // Closed once, however often `close` is called.
    close(deadlineMs, isLast = false) {
      closing ??= close(deadlineMs, isLast);
      return closing;
    },
  };
}

/** The scope of a grant is read by the guard, which is loaded only for it. */
function grantPartsOf(home: string): GrantParts {
  return {
    newId: createIds(),
    namelessSession: NAMELESS_SESSION,
    scopeOf: async (event, wish, root) => (await import('../guard/scope/scope.ts')).scopeOf(event, wish, { hash: sha256, home, root }),
  };
}

async function startWork(
  queue: Queue,
  notify: readonly NotifierConfig[],
  { background, approvals }: GroupedOptions,
  { handlers, places }: PersistenceParts,
  recorder: Recorder | undefined,
): Promise<DurableWork> {
  const newId = createIds();
  const { createDurableWork } = await import('../people/durable-work.ts');
  const notifiers = await notifiersFor(notify, places);
  const { runIfTrusted } = await import('../trust/still-trusted.ts');
  return createDurableWork(queue, {
    notifiers,
    handlers,
    async run(call, handler) {
      const late = lateEnd(call, await runIfTrusted(call, handler), newId());
      if (late) await recorder?.record(late.event, late.outcome, () => UNKNOWN_SET);
    },
    worker: background?.worker === 'run',
    ...(approvals?.onNotifyFailure && { onNotifyFailure: approvals.onNotifyFailure }),
  });
}

/** The hooks of the engine that judged the event are not known to the one that works off its queue. */
const UNKNOWN_SET = '';

function notifiersFor(configs: readonly NotifierConfig[], { stateFolder }: ResolvedPlaces): Promise<Notifier[]> {
  return Promise.all(configs.map((config) => NOTIFIERS[config.type](config as never, { stateFolder })));
}

async function startDelivery(
  configs: readonly NotifierConfig[],
  places: ResolvedPlaces,
  onFailure: DeliveryOptions['onFailure'],
): Promise<Delivery> {
  const { createDelivery } = await import('../people/deliver.ts');
  return createDelivery(await notifiersFor(configs, places), { ...(onFailure && { onFailure }) });
}
