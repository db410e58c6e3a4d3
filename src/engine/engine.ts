/** The engine owns one set of hooks and judges events with it. It knows neither dialects nor transports. */

import type { Dialect } from '../core/contracts/dialect.ts';
import type { Hook, MissingProtection, Requirements } from '../core/contracts/hook.ts';
import type { Outcome } from '../core/decision/outcome.ts';
import { type EventKind, type HookEvent, kindRule, withData } from '../core/event/event.ts';
import type { Placed } from '../core/event/match.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { HooklineError } from '../core/values/errors.ts';
import { LONGEST_TIMER_MS } from '../core/values/timer.ts';
import { noteActiveSkills } from './ask/active-skills.ts';
import { admissionOf, askHook } from './ask/ask-hook.ts';
import { Firing, type StartFrom } from './ask/firing.ts';
import { askLoneFunction, isNoOpinion } from './ask/lone-function.ts';
import { createOnceMemory } from './ask/once.ts';
import type { AskResult } from './ask/report.ts';
import { noteStep } from './ask/session-facts.ts';
import { counted, isInShadow, shadowRefused } from './ask/shadow.ts';
import { askAction, awaitSettled, holdAction, lookUp, resumeAction, type Settled, type Settlement } from './decide/hold.ts';
import { buildOutcome, createStopCap, decide, type EngineState, ownFailure } from './decide/settle.ts';
import { buildSet, excludeHooks, type HookSet, isKeptWithout, setDigest } from './hook-set.ts';
import { type Plan, planEvent } from './plan.ts';
import type { Admission, CloseOptions, EngineContext, EngineSettings, FireOptions, Ports } from './ports.ts';
import { isBadPayload, takeOver } from './receive/events.ts';
import type { Recorder } from './record/recorder.ts';
import { mayApply } from './select/may-apply.ts';

export interface Engine {
  /**
   * Asks the hooks that apply and returns the outcome, which is not recorded yet. Synchronous if all of these hooks are.
   * @param tick that of the clock, if the caller has just looked and then made the event, which nothing else has yet
   */
  judge(event: HookEvent, options?: FireOptions, tick?: number): Outcome | Promise<Outcome>;
  /** Writes an outcome to the log and returns it, or a denied one if an unrecorded action must not run. */
  record(event: HookEvent, outcome: Outcome): Outcome | Promise<Outcome>;
  plan(event: HookEvent): Promise<Plan>;
  /** Settles a held action and resumes it. */
  resume(ticket: string, answer: Settlement): Promise<Outcome>;
  /** Returns the outcome of a held action once a person has settled it, or undefined if the signal aborts first. */
  waitFor(ticket: string, signal: AbortSignal): Promise<Outcome | undefined>;
  /** Returns the outcome of a ticket that is open or does not release its action any more. Undefined: it is approved, so fire its action. */
  lookUp(ticket: string): Promise<Outcome | undefined>;
  /** Replaces the set of loaded hooks in one step. */
  use(hooks: readonly Hook[], requirements?: Requirements): void;
  /** Adds hooks that live until the returned function is called. */
  register(hooks: readonly Hook[]): () => void;
  /** All hooks, in the order of their lanes. */
  hooks(): readonly Hook[];
  admission(hook: Hook): Admission | Promise<Admission>;
  /** Whether the hook is in shadow, or why it is not although it should be. */
  shadow(hook: Hook): { readonly isInShadow: boolean; readonly refused: Diagnostic | undefined };
  /** Asks one hook alone, for a caller that merges the replies itself. Undefined if its conditions do not hold. Nothing is recorded. */
  ask(hook: Hook, event: HookEvent, options?: FireOptions): AskResult | Promise<AskResult> | undefined;
  /** Whether no event of these kinds that is native like this one and about the same tool is judged by a hook or leaves a note. */
  isQuiet(event: HookEvent, kinds: readonly EventKind[], skipDialects: readonly string[]): boolean;
  /** Protections that the set as a whole lacks. */
  missing(): readonly MissingProtection[];
  /** Aborts when the engine ends the hooks that still run. */
  readonly closing: AbortSignal;
  /**
   * Waits for the hooks that run, then ends those that still do unless `running` says to wait for them, and closes the handlers. Returns the
   * names of the hooks that had not ended in time.
   */
  close(deadlineMs: number, running?: CloseOptions['running']): Promise<readonly string[]>;
}

const NO_OPTIONS: FireOptions = {};

/** @param recorder undefined: nothing is recorded */
export function createEngine(ports: Ports, settings: EngineSettings, recorder?: Recorder): Engine {
  const dialects: ReadonlyMap<string, Dialect> = new Map(ports.dialects.map((dialect) => [dialect.id, dialect]));
  const ancestors = settings.nesting.hooks.length === 0 ? undefined : new Set(settings.nesting.hooks);
  const life = new AbortController();
  const once = ports.once ?? createOnceMemory();
  const context: EngineContext = { ports, settings, dialects, ancestors, once, closing: life.signal };
  const state: EngineState = { context, stopCap: createStopCap(ports.stopCounts) };
  let loaded: readonly Hook[] = [];
  let requirements: Requirements | undefined;
  const runtime = new Set<readonly Hook[]>();
  let current: HookSet | undefined;
  let closed = false;
  /** The set that judged each event, because a reload may have replaced the set before the outcome is recorded. */
  const judgedUnder = new WeakMap<HookEvent, HookSet>();
  /** The event that was judged last, until it is recorded. Most are recorded at once, and an entry in a weak map costs more than judging one. */
  let lastJudged: HookEvent | undefined;
  let lastSet: HookSet | undefined;
  const noteSet = (event: HookEvent, all: HookSet): void => {
    if (lastJudged && lastSet) judgedUnder.set(lastJudged, lastSet);
    [lastJudged, lastSet] = [event, all];
  };
  const setOf = (event: HookEvent): HookSet => {
    if (event !== lastJudged) return judgedUnder.get(event) ?? set();
    const all = lastSet as HookSet;
    [lastJudged, lastSet] = [undefined, undefined];
    return all;
  };

  const isJudged = ({ handler }: Hook): boolean => ports.handlers.get(handler.type)?.judges === true;
  const set = (): HookSet => {
    current ??= buildSet([...loaded, ...[...runtime].flat()], ports.dialects, requirements, isJudged);
    return current;
  };

  /** Turns the verdict of the hooks into an outcome, with a ticket or an earlier approval if they ask for a person. */
  const finish = (hooks: HookSet, firing: Firing, unmatched: number): Outcome | Promise<Outcome> => {
    const decision = decide(state, firing);
    if (decision.kind === 'hold') return holdAction(state, hooks, firing, decision, unmatched);
    // Asked of the caller's user, or of no person: a grant answers both.
    if (firing.total.decision.kind === 'ask') return askAction(state, hooks, firing, decision, unmatched);
    return buildOutcome(state, firing, decision, unmatched);
  };

  const digestOfSet =
    (hooks: HookSet): (() => string) =>
    () =>
      setDigest(hooks, ports.hash);
  const record: Engine['record'] = (event, outcome) => (recorder ? recorder.record(event, outcome, digestOfSet(setOf(event))) : outcome);

  const firings = new Set<Promise<Outcome>>();
  const follow = (firing: Promise<Outcome>): Promise<Outcome> => {
    const forget = (): boolean => firings.delete(firing);
    firings.add(firing);
    firing.then(forget, forget);
    return firing;
  };

  /** Apart from `judge`, because variables that a closure holds cost something even where no closure is made. */
  const fireAll = (
    hooks: HookSet,
    event: HookEvent,
    selected: readonly Placed[],
    options: FireOptions,
    paused: Diagnostic | undefined,
    lone: StartFrom['lone'],
  ): Outcome | Promise<Outcome> => {
    const firing = new Firing(
      context,
      paused ? withoutRequired(hooks) : hooks,
      event,
      selected,
      paused ? { ...options, signal: options.signal, paused } : options,
      lone && { lone },
    );
    const unmatched = hooks.placed.length - selected.length;
    const waiting = firing.run();
    const outcome = waiting ? waiting.then(() => finish(hooks, firing, unmatched)) : finish(hooks, firing, unmatched);
    return outcome instanceof Promise ? follow(outcome.catch((error: unknown) => ownFailure(context, event, error))) : outcome;
  };

  const judge: Engine['judge'] = (event, options = NO_OPTIONS, tick) => {
    if (closed) throw closedError();
    try {
      const all = set();
      if (recorder) noteSet(event, all);
      const hooks = options.skipDialects?.length ? excludeHooks(all, options.skipDialects) : all;
      const { denyContinues, reportsRun } = kindRule(event.kind);
      const isPrompt = event.kind === 'prompt.submit';
      const isTakenEarly = denyContinues || (recorder && (reportsRun || recorder.recordsAll));
      if (isTakenEarly) takeOver(event);
      const seen = denyContinues ? withContinuations(state, event) : event;
      if (isPrompt) state.stopCap.prompted(event.session.id, event.data['prompt']);
      if (hooks.takesNotes) {
        noteActiveSkills(context.once, hooks.ofSkills, seen);
        if (ports.trails) noteStep(ports.trails, hooks.wantedTrails, event);
      }
      const selected = hooks.index.select(seen);
      // The tick of the caller is as true unless something took time since then. A look at the clock costs as much as a hook in this process.
      const worked = denyContinues || isPrompt || recorder || hooks.takesNotes || hooks.index.searched;
      const now = worked || tick === undefined ? ports.clock.tick() : tick;
      const paused = ports.paused?.(now);
      if (selected.length === 0 && hooks.missing.length === 0) {
        if (denyContinues) state.stopCap.reset(event.session.id);
        const outcome = plainPass(seen, hooks.placed.length, []);
        return paused ? { ...outcome, diagnostics: [paused] } : outcome;
      }
      takeOver(event, tick !== undefined && !isTakenEarly);
      const lone = paused || !selected[0]?.hook.run ? undefined : askLoneFunction(context, hooks, seen, selected, options, now);
      if (lone && isNoOpinion(lone)) {
        if (denyContinues) state.stopCap.reset(event.session.id);
        return plainPass(seen, hooks.placed.length - selected.length, [lone.report]);
      }
      return fireAll(hooks, seen, selected, options, paused, lone);
    } catch (error) {
      if (isBadPayload(error)) throw error;
      return ownFailure(context, event, error);
    }
  };

  const withHookSet = async (work: (hooks: HookSet) => Promise<Settled | undefined>): Promise<Outcome | undefined> => {
    if (closed) throw closedError();
    const hooks = set();
    const settled = await work(hooks);
    if (!settled || !recorder) return settled?.outcome;
    return recorder.record(settled.event, settled.outcome, () => setDigest(hooks, ports.hash), settled.who);
  };

  return {
    judge,
    record,
    plan: (event) => planEvent(context, set(), event),
    resume: (id, answer) => withHookSet((hooks) => resumeAction(state, hooks, id, answer)) as Promise<Outcome>,
    waitFor: (id, signal) => withHookSet((hooks) => awaitSettled(state, hooks, id, signal)),
    lookUp: (id) => withHookSet((hooks) => lookUp(state, hooks, id)),
    use(hooks, wanted) {
      loaded = hooks;
      requirements = wanted;
      current = undefined;
    },
    register(hooks) {
      runtime.add(hooks);
      current = undefined;
      return () => {
        if (runtime.delete(hooks)) current = undefined;
      };
    },
    hooks: () => set().placed.map(({ hook }) => hook),
    admission: (hook) => admissionOf(context, set(), hook, settings.root),
    shadow: (hook) => ({ isInShadow: isInShadow(context, set(), hook), refused: shadowRefused(context, set(), hook) }),
    ask(hook, event, { signal = life.signal, environment } = NO_OPTIONS) {
      if (closed) throw closedError();
      takeOver(event);
      const hooks = set();
      const placed = hooks.index.select(event).find((one) => one.hook === hook);
      if (!placed) return undefined;
      const dialect = dialects.get(hook.dialect) as Dialect;
      const asked = askHook(context, hooks, { placed, dialect, view: event, original: event, signal, environment });
      const count = (result: AskResult): AskResult => counted(context, hooks, hook, result);
      return asked instanceof Promise ? asked.then(count) : count(asked);
    },
    isQuiet(event, kinds, skipDialects) {
      const hooks = set();
      const leavesNote = hooks.takesNotes || kinds.some(isCounted);
      if (leavesNote || hooks.missing.length > 0) return false;
      const asked = hooks.placed.filter(isKeptWithout(skipDialects));
      return !asked.some((placed) => kinds.some((kind) => mayApply(placed, { ...event, kind })));
    },
    missing: () => set().missing,
    closing: life.signal,
    async close(deadlineMs, running = 'end') {
      closed = true;
      const waitMs = running === 'wait' ? LONGEST_TIMER_MS : deadlineMs;
      const end = ports.clock.tick() + waitMs;
      await settledWithin([...firings], waitMs);
      const late = [...firings];
      const unsettled = await ports.background.drain(Math.max(0, end - ports.clock.tick()));
      life.abort();
      // A hook that was ended is given the time to be gone. A function that does not end is not waited for.
      await Promise.all([settledWithin(late, ENDING_MS), unsettled.length > 0 && ports.background.drain(ENDING_MS)]);
      for (const handler of ports.handlers.values()) handler.close?.();
      return [...(await endedIn(late)), ...unsettled];
    },
  };
}

/** Whether an event of this kind counts in its session even if no hook applies. */
function isCounted(kind: EventKind): boolean {
  return kindRule(kind).denyContinues === true || kind === 'prompt.submit';
}

const ENDING_MS = 1000;

async function settledWithin(work: readonly Promise<unknown>[], ms: number): Promise<void> {
  if (work.length === 0) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([Promise.allSettled(work), late]);
  clearTimeout(timer);
}

/** Returns the names of the hooks that the end of the engine cut short. */
async function endedIn(firings: readonly Promise<Outcome>[]): Promise<string[]> {
  const outcomes = await Promise.all(firings.map((firing) => Promise.race([firing, Promise.resolve(undefined)])));
  return outcomes.flatMap((outcome) => (outcome?.hooks ?? []).filter(({ fault }) => fault?.kind === 'cancelled').map(({ name }) => name));
}

function closedError(): HooklineError {
  return new HooklineError('closed', 'The engine was closed.', { hint: 'Create a new one.' });
}

/** In a pause only the protection that the machine's policy demands can be missing. */
function withoutRequired(hooks: HookSet): HookSet {
  return { ...hooks, missing: hooks.missing.filter(({ isManaged }) => isManaged) };
}

function withContinuations({ stopCap }: EngineState, event: HookEvent): HookEvent {
  const continuations = stopCap.count(event.session.id, event.data['continuations']);
  return withData(event, { continuations });
}

/** Returns the outcome of an event that no hook has an opinion about. Most events take this path, so it builds nothing else. */
function plainPass(event: HookEvent, unmatched: number, hooks: Outcome['hooks']): Outcome {
  return {
    id: event.id,
    kind: event.kind,
    decision: 'pass',
    reason: null,
    context: [],
    contextSources: [],
    notices: [],
    quiet: false,
    unmatched,
    hooks,
    diagnostics: [],
  };
}
