/** Creates the engine with everything built in, for an agent's own code. The command line uses the same function. */

import { existsSync, statSync } from 'node:fs';
import { createSkillRegistry } from '../agents/skillkit/index.ts';
import { AGENTS, builtinHandlers, DIALECTS, describeHandler, HOSTS } from '../builtins.ts';
import { DEFAULT_LIMITS } from '../core/contracts/handler.ts';
import type { Hook, Requirements } from '../core/contracts/hook.ts';
import { readNesting } from '../core/contracts/nesting.ts';
import type { Outcome } from '../core/decision/outcome.ts';
import type { EventKind, HookEvent } from '../core/event/event.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { Environment } from '../core/values/environment.ts';
import type { FiringEngine, HostAnswerOptions } from '../engine/answer-host.ts';
import { createBackground } from '../engine/ask/background.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import type { Plan } from '../engine/plan.ts';
import type { Clock, CloseOptions, FireOptions } from '../engine/ports.ts';
import { createEventFactory, type FireContext, NAMELESS_SESSION, type NativeEvent } from '../engine/receive/events.ts';
import { type LateEnd, lateEnd } from '../engine/record/late-end.ts';
import { checkPattern } from '../engine/select/compile.ts';
import type { Elsewhere, GuardHandlerContext } from '../handlers/guard.ts';
import { createTwoEntries } from '../install/two-entries.ts';
import type { ResolvedPlaces } from '../load/find/places.ts';
import { openMemory } from '../load/memory.ts';
import { readSettings, type Settings } from '../load/settings/settings.ts';
import { createSources } from '../load/sources.ts';
import { createAttendance } from '../people/attendance.ts';
import type { SettledListener } from '../people/settled.ts';
import { pauseDiagnostic, pauseFile, readPause } from '../stores/pause.ts';
import { openOncePerSession, openSessionCounts } from '../stores/session-notes.ts';
import { createAdmission } from '../trust/admission.ts';
import { createAncestorMarks } from '../trust/ancestor-marks.ts';
import type { Hook as AgentHook } from './claude-agent/hook.ts';
import { createClock, createIds, sha256 } from './clock.ts';
import { deprecatedOptions, withNewNames } from './deprecated.ts';
import { contextOf, untilClosed, withPatience } from './fire-context.ts';
import { handlersByType } from './global-handlers.ts';
import { guardContext } from './guard-context.ts';
import { type Hookline, type ListedHook, listHook, type Reloaded } from './hookline.ts';
import { judgesOf, lazyJudging } from './judging.ts';
import { checkOptions, type HooklineOptions, permitsOf, resolvePlaces } from './options.ts';
import { createPersistence } from './persistence.ts';
import { reloadTool } from './reload-tool.ts';
import {
  agentHooks,
  type BuiltinLine,
  type HookFunction,
  type OnOptions,
  registrationOf,
  runtimeHook,
  runtimeRegister,
} from './runtime-hooks.ts';
import { openTrail } from './session-trail.ts';
import { UnderWay } from './under-way.ts';
import { workerPorts } from './worker-ports.ts';

/** Loads the hooks of a project and its user and returns an engine for them. */
export async function createHookline(options: HooklineOptions = {}): Promise<Hookline> {
  return (await openHookline(options)).hookline;
}

/** A `Hookline`, the part of its engine that answers a host's calls, and the context that this needs. */
export interface OpenHookline {
  readonly hookline: Hookline;
  readonly engine: FiringEngine;
  readonly answerContext: AnswerContext;
  readonly single: SingleHooks;
  /**
   * Whether no event of these kinds that is native like this one and about the same tool asks a hook, leaves a note or is recorded, for as long as
   * no file changes.
   */
  isQuiet(event: HookEvent, kinds: readonly EventKind[], skipDialects: readonly string[]): boolean;
  /** For a process that answers one call: opens the store while its hooks are waited for. */
  openStoreAhead(): void;
  /** Closes it for a process that ends at once. */
  leave(deadlineMs: number): Promise<void>;
}

/** Asks hooks one by one, for code that merges their replies itself. */
export interface SingleHooks extends Pick<Engine, 'hooks' | 'missing'> {
  ask(hook: Hook, fired: NativeEvent, context: FireContext & Pick<FireOptions, 'environment'>): ReturnType<Engine['ask']>;
}

/** How an engine runs apart from everything else on the machine: only these hooks, and a state of its own. Trust is the user's. */
export interface Apart {
  readonly stateFolder: string;
  keep(hook: Hook): boolean;
}

/**
 * The same as `createHookline`, for code that also answers hosts.
 * @param folders the variables that lead to the user's folders
 * @param apart for tests of hooks, which must neither read nor write what a session left
 * @param elsewhere for a server, whose guard may judge in another thread
 */
export async function openHookline(
  given: HooklineOptions = {},
  folders: Environment = process.env,
  apart?: Apart,
  elsewhere?: Elsewhere,
): Promise<OpenHookline> {
  const options = withNewNames(given);
  checkOptions(options);
  const deprecated = deprecatedOptions(given);
  const found = resolvePlaces(options, folders);
  const places = apart ? { ...found, stateFolder: apart.stateFolder } : found;
  const { settings, diagnostics: settingsProblems } = await readSettings(
    places.configFolder,
    DIALECTS.map(({ id }) => id),
  );
  const only = options.dialects ?? options.only ?? settings.dialects;
  const maxHooks = options.limits?.maxHooks ?? settings.maxHooks;
  const memory = openMemory(places.stateFolder, options.policy);
  const sources = createSources({
    agents: AGENTS,
    places,
    choice: { only, as: options.as, readAs: { ...settings.readAs, ...options.readAs } },
    ...(maxHooks !== undefined && { maxHooks }),
    ...(options.policy !== undefined && { policyFile: options.policy }),
    onError: { ...settings.onError },
    shadow: settings.shadow ?? [],
    memory,
  });
  const trust = createAdmission({
    places: found,
    dialects: DIALECTS,
    describe: describeHandler,
    trust: options.trust ?? 'ask',
    allowSkipAudit: options.audit?.allowSkip ?? settings.audit?.allowSkip ?? false,
    waivers: settings.audit?.waivers ?? [],
    ignores: settings.trust?.ignores ?? [],
    memory,
    required: settings.required ?? [],
    isTrustedPlace: sources.isTrustedPlace,
    only,
  });
  const clock = createClock();
  const newId = createIds();
  const judging = lazyJudging({
    ...{ places, home: options.home, environment: folders, policy: options.policy, judge: settings.judge },
    dialects: DIALECTS.map(({ id }) => id),
  });
  const guard = async (): Promise<GuardHandlerContext> => ({ ...(await guardContext(options, settings.guard, places)), elsewhere });
  const userFolder = `${places.configFolder}/hookline`;
  const handlers = handlersByType(
    builtinHandlers(options.model, guard, judging, userFolder, workerPorts(places, guard, memory)),
    options.handlers,
  );
  const persistence = await createPersistence(options, settings, {
    places,
    clock,
    handlers,
    background:
      options.background?.run ??
      createBackground(clock, (end, call) => {
        recordLate(lateEnd(call, end.answer, newId(), end.ms));
        options.background?.onEnd?.(end);
      }),
  });
  const paused = watchPause(places.stateFolder, clock);
  const engine = createEngine(
    {
      dialects: DIALECTS,
      handlers,
      clock,
      newId,
      hash: sha256,
      ancestorMark: createAncestorMarks(places.stateFolder),
      admit: trust.admit,
      isFolder: (folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false,
      isFirstTime: openOncePerSession(places.stateFolder, places.root, NAMELESS_SESSION),
      ...(persistence.once && { once: persistence.once }),
      stopCounts: openSessionCounts({ stateFolder: places.stateFolder, topic: 'stops', root: '', nameless: NAMELESS_SESSION }),
      trails: { work: openTrail(places.stateFolder, 'trail'), subagents: openTrail(places.stateFolder, 'trail-subagents') },
      background: persistence.background,
      store: persistence.store,
      who: persistence.who,
      notify: persistence.notify,
      inScope: persistence.inScope,
      paused,
    },
    {
      root: places.root,
      strict: options.strict ?? settings.strict ?? false,
      shadow: options.shadow ?? false,
      limits: { ...DEFAULT_LIMITS, ...options.limits },
      permits: permitsOf(options, settings),
      nesting: readNesting(process.env),
      markContext: options.markContext ?? settings.markContext ?? false,
      stopCap: options.limits?.stopCap ?? STOP_CAP,
      ticketLifeMs: options.approvals?.ticketLifeMs ?? TICKET_LIFE_MS,
      denials: options.approvals?.denials ?? settings.approvals?.denials ?? 'remember',
      canSettle: options.approvals?.canSettle ?? true,
    },
    persistence.recorder,
  );
  const events = createEventFactory(DIALECTS, places.root, clock, newId, options.agent);
  const register = runtimeRegister(engine);
  const skills = createSkillRegistry(register, checkPattern);
  /** Hands the hooks of the files that were read last to the engine. */
  let use = (): void => {};
  let diagnostics: readonly Diagnostic[] = [];
  let readings: readonly Diagnostic[] = [];
  // Reported by every outcome they concern, and by `list`.
  let missing: readonly Diagnostic[] = [];
  // Whether files that are not looked at again before each event decide on an event without hooks.
  let isTrustInvolved = true;

  const reload = async (): Promise<Reloaded> => {
    const next = await sources.load(handlers);
    const { requirements: demanded, diagnostics: aboutTrust } = await trust.review(next);
    // A hook that is tested alone does not depend on the hooks that are left out.
    const requirements = apart ? NOTHING_REQUIRED : demanded;
    // A program cannot unregister what the user or the machine requires.
    const stays = (hook: Hook): boolean => skills.has(hook) || requirements.required.has(hook.name);
    const hooks = apart ? next.hooks.filter(apart.keep) : next.hooks;
    use = () => engine.use(hooks.filter(stays), requirements);
    use();
    readings = next.readings;
    isTrustInvolved = requirements.required.size > 0 || aboutTrust.length > 0;
    missing = requirements.missing.map(({ diagnostic }) => diagnostic);
    diagnostics = [...deprecated, ...settingsProblems, ...next.diagnostics, ...aboutTrust];
    return { hooks: next.hooks.length, diagnostics };
  };
  await reload();
  // A reload that fails keeps the old set, and the diagnostics report the failure.
  const reloadOrSay = (): Promise<unknown> => reload().catch((error: unknown) => (diagnostics = [...diagnostics, failedReload(error)]));
  const watching = options.watch ? await sources.watch(reloadOrSay) : undefined;

  const eventOf = (fired: string | NativeEvent, second: unknown, context: FireContext, tick?: number): HookEvent =>
    typeof fired === 'string' ? events.canonical(fired, second, context, tick) : events.native(fired, context);

  const waitFor = (ticket: string, limitMs: number | undefined, signal: AbortSignal | undefined): Promise<Outcome | undefined> =>
    withPatience(limitMs, signal, (patience) => engine.waitFor(ticket, patience));
  const waitIfHeld = async (judged: Promise<Outcome>, { wait, signal }: FireContext): Promise<Outcome> => {
    const outcome = await judged;
    return (outcome.ticket && (await waitFor(outcome.ticket.id, wait, signal))) || outcome;
  };
  // Apart from `fire`, because variables that a closure holds cost something even where no closure is made.
  const recordLater = (event: HookEvent, judged: Promise<Outcome>): Promise<Outcome> =>
    judged.then((outcome) => engine.record(event, outcome));

  // The store is closed after the last outcome is written. A process that answers one event for an agent waits for its entry itself.
  let unrecorded: UnderWay | undefined;
  const untilRecorded = (work: Promise<unknown>): void => {
    unrecorded ??= new UnderWay();
    unrecorded.add(work);
  };
  const recordLate = (late: LateEnd | undefined): void => {
    // The entry of the event itself comes first.
    if (late) untilRecorded(Promise.resolve(unrecorded?.ended()).then(() => engine.record(late.event, late.outcome)));
  };
  const list = async (): Promise<{ hooks: ListedHook[]; diagnostics: Diagnostic[] }> => {
    const inForce = paused();
    const found: Diagnostic[] = [...(inForce ? [inForce] : []), ...missing, ...diagnostics, ...readings];
    const hooks: ListedHook[] = [];
    const judges = await judgesOf(engine.hooks(), handlers, options.model, judging);
    for (const hook of engine.hooks()) {
      const admission = await engine.admission(hook);
      if (!admission.admitted && !hook.nothingToRun) found.push(...admission.diagnostics, ...(admission.once ? [admission.once] : []));
      if (admission.admitted && hook.enabled) found.push(...judges.problemOf(hook));
      const { isInShadow, refused } = engine.shadow(hook);
      if (refused) found.push(refused);
      hooks.push({ ...listHook(hook, admission, isInShadow), ...judges.of(hook) });
    }
    return { hooks, diagnostics: found };
  };
  const close = async ({ deadlineMs = CLOSE_DEADLINE_MS, running }: CloseOptions, isLast: boolean) => {
    await watching?.close();
    persistence.stopListening();
    const unsettled = await engine.close(deadlineMs, running);
    await unrecorded?.ended();
    return { unsettled: [...unsettled, ...(await persistence.close(deadlineMs, isLast))] };
  };
  const hookline = {
    fire(fired: string | NativeEvent, second?: unknown, third?: FireContext): Promise<Outcome> {
      const context = contextOf(fired, second, third);
      try {
        // An event in another format is decoded first, which takes time.
        const tick = typeof fired === 'string' ? clock.tick() : undefined;
        const event = eventOf(fired, second, context, tick);
        const judged = engine.judge(event, untilClosed(context, engine.closing), tick);
        const recorded = judged instanceof Promise ? recordLater(event, judged) : engine.record(event, judged);
        const outcome = Promise.resolve(recorded);
        if (recorded instanceof Promise) untilRecorded(recorded);
        return context.wait === undefined ? outcome : waitIfHeld(outcome, context);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    async plan(fired: string | NativeEvent, second?: unknown, third?: FireContext): Promise<Plan> {
      return engine.plan(eventOf(fired, second, contextOf(fired, second, third)));
    },
    on: (what: EventKind | AgentHook, hook?: HookFunction<EventKind> | BuiltinLine, onOptions: OnOptions = {}) =>
      register(
        typeof what === 'object' ? agentHooks(what, newId()) : [runtimeHook(what, hook as HookFunction<EventKind>, onOptions, newId())],
      ),
    registerSkill: skills.register,
    unregisterSkill(name: string) {
      const had = engine.hooks().length;
      skills.unregister(name);
      use();
      return engine.hooks().length < had;
    },
    async settle(ticket: string, fired: string | NativeEvent, second?: unknown, third?: FireContext): Promise<Outcome> {
      return (await engine.lookUp(ticket)) ?? hookline.fire(fired, second, third);
    },
    onSettled: (listener: SettledListener) => registrationOf(persistence.onSettled(listener)),
    resume: engine.resume,
    waitFor: (ticket: string, { timeoutMs, signal }: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
      waitFor(ticket, timeoutMs, signal),
    approvals: persistence.approvals,
    log: persistence.log,
    reload,
    reloadTool: reloadTool({ reload, list }),
    list,
    read: (id: string) =>
      sources.read(
        engine.hooks().find((hook) => hook.id === id),
        id,
      ),
    get diagnostics() {
      return [...diagnostics, ...persistence.problems()];
    },
    close: (given: number | CloseOptions = {}) => close(typeof given === 'number' ? { deadlineMs: given } : given, false),
  };
  // The overloads and the payload types per kind are checked where they are called.
  return {
    hookline: hookline as unknown as Hookline,
    engine: {
      receive: events.ofHost,
      judge: engine.judge,
      record: engine.record,
      get diagnostics() {
        return diagnostics;
      },
    },
    isQuiet: (event, kinds, skipDialects) =>
      !persistence.recordsAll &&
      !isTrustInvolved &&
      !diagnostics.some(({ severity }) => severity === 'error') &&
      engine.isQuiet(event, kinds, skipDialects),
    openStoreAhead: persistence.openAhead,
    leave: async (deadlineMs) => void (await close({ deadlineMs }, true)),
    answerContext: answerContextOf(places, settings),
    single: {
      hooks: engine.hooks,
      missing: engine.missing,
      ask: (hook, fired, context) => engine.ask(hook, events.native(fired, context), untilClosed(context, engine.closing)),
    },
  };
}

const NOTHING_REQUIRED: Requirements = { required: new Set(), missing: [] };
const STOP_CAP = 8;
const TICKET_LIFE_MS = 24 * 60 * 60 * 1000;
const CLOSE_DEADLINE_MS = 30_000;
const PAUSE_LOOK_MS = 100;

/** Looks for a pause at most ten times a second, because a hook in this process must not cost more than its own function. */
function watchPause(stateFolder: string, clock: Clock): (now?: number) => Diagnostic | undefined {
  const file = pauseFile(stateFolder);
  let lookedAt = Number.NEGATIVE_INFINITY;
  let found: Diagnostic | undefined;
  return (now = clock.tick()) => {
    if (now - lookedAt < PAUSE_LOOK_MS) return found;
    lookedAt = now;
    const pause = existsSync(file) ? readPause(stateFolder, clock.now()) : undefined;
    found = pause && pauseDiagnostic(pause);
    return found;
  };
}

function failedReload(error: unknown): Diagnostic {
  const message = `The hooks could not be reloaded, so the old ones stay in force: ${error instanceof Error ? error.message : String(error)}`;
  return { severity: 'error', code: 'reload-failed', message };
}

/** The hosts, the memory of what was reported in a session, the check for a second entry of a host, and whether a person is there. */
export type AnswerContext = Pick<HostAnswerOptions, 'hosts' | 'isFirstTime' | 'answeredElsewhere' | 'isAttended'>;

function answerContextOf({ stateFolder, home, root }: ResolvedPlaces, { interactive }: Settings): AnswerContext {
  return {
    hosts: HOSTS,
    isFirstTime: openOncePerSession(stateFolder, root, NAMELESS_SESSION),
    answeredElsewhere: createTwoEntries({ stateFolder, home, root, nameless: NAMELESS_SESSION }).isAnsweredByOther,
    isAttended: createAttendance(interactive),
  };
}
