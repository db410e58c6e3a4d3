/**
 * One firing: asks the hooks of one event, lane by lane. It is synchronous for as long as the hooks reply synchronously, because a hook in this
 * process must not cost more than its own function.
 */

import type { Dialect } from '../../core/contracts/dialect.ts';
import { ALREADY_RUNNING } from '../../core/contracts/nesting.ts';
import { asksPerson, PASS } from '../../core/decision/decision.ts';
import { addVerdict, emptyFoldState, type FoldState, joinLane } from '../../core/decision/fold.ts';
import type { HookReport } from '../../core/decision/outcome.ts';
import { applyChanges, type HookEvent } from '../../core/event/event.ts';
import type { Placed } from '../../core/event/match.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { Environment } from '../../core/values/environment.ts';
import { type HookSet, inSequence, isAncestor, sameLane } from '../hook-set.ts';
import { ADMITTED, type Admission, type Admitted, type EngineContext, type FireOptions } from '../ports.ts';
import { INACTIVE_SKILL, isActive } from './active-skills.ts';
import { addsContext, ContextRoom } from './added-context.ts';
import { admissionOf, askHook, folderFor } from './ask-hook.ts';
import { ASKED_ONCE, noteAsked } from './once.ts';
import { type AskResult, denyUnprotected, offByItself, reportNotAdmitted, skipped } from './report.ts';
import { counted } from './shadow.ts';

/** Where a firing begins: with a hook that was asked already, or with a held action that resumes. */
export interface StartFrom {
  /** The reply of the only hook that applies. A rewrite may make others apply. */
  readonly lone?: AskResult | Promise<AskResult>;
  /** Asks only these hooks, which come after the one that held the action. */
  readonly only?: ReadonlySet<string>;
  /** A person has settled the hold of these hooks, so it no longer counts. */
  readonly settled?: ReadonlySet<string>;
  /** The verdicts before the action was held. */
  readonly state?: FoldState;
  /** The reports of the hooks that were asked before the action was held. */
  readonly earlierReports?: readonly HookReport[];
}

interface Lane {
  readonly dialect: Dialect;
  readonly sum: FoldState;
  /** The event as the next hook of this lane receives it. */
  view: HookEvent;
  last: Placed;
  /** Why the rest of the lane is not asked. */
  ended: string | undefined;
  deniedBy: string | undefined;
  readonly inSequence: boolean;
}

const PAUSED = 'Hookline is paused';
const FROM_THE_START: StartFrom = {};
const NO_REPORTS: readonly HookReport[] = [];
const NOBODY_ASKS = (): boolean => false;

export class Firing {
  readonly reports: HookReport[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly total: FoldState;
  /** Hooks to start if no hook objects. */
  detached: readonly (Placed & { readonly admission: Admitted })[] | undefined;
  /** Ids of the hooks that were not asked because the action was held before their turn. */
  waiting: readonly string[] | undefined;
  /** The reports of the hooks that were asked before the action was held. */
  readonly earlierReports: readonly HookReport[];
  readonly original: HookEvent;
  /** Whether the caller asks a person itself, so that an `ask` needs no ticket. */
  readonly callerAsksPeople: () => boolean;
  /** Whether the caller works on if a stop is denied. */
  readonly callerGoesOn: boolean;
  readonly environment: Environment | undefined;
  /** The event as the lanes so far have left it. */
  event: HookEvent;

  readonly #context: EngineContext;
  readonly #set: HookSet;
  readonly #signal: AbortSignal | undefined;
  readonly #from: StartFrom;
  #list: readonly Placed[];
  #at = 0;
  #lane: Lane | undefined;
  readonly #isPaused: boolean;
  #deniedBy: string | undefined;
  #lone: StartFrom['lone'];
  #room: ContextRoom | undefined;

  constructor(
    context: EngineContext,
    set: HookSet,
    event: HookEvent,
    selected: readonly Placed[],
    options: FireOptions,
    from: StartFrom = FROM_THE_START,
  ) {
    this.#context = context;
    this.#set = set;
    this.original = event;
    this.event = event;
    this.#list = selected;
    this.#signal = options.signal ?? context.closing;
    this.#from = from;
    this.#lone = from.lone;
    this.callerAsksPeople = options.callerAsksPeople ?? NOBODY_ASKS;
    this.callerGoesOn = options.callerGoesOn ?? true;
    this.environment = options.environment;
    this.total = from.state ?? emptyFoldState();
    this.earlierReports = from.earlierReports ?? NO_REPORTS;
    this.#isPaused = options.paused !== undefined;
    if (options.paused) this.diagnostics.push(options.paused);
    if (set.missing.length > 0) this.#deniedBy = denyUnprotected(context, set, this);
  }

  /** Runs to the end. Returns a promise only if a hook replied asynchronously. */
  run(): undefined | Promise<undefined> {
    for (;;) {
      const placed = this.#list[this.#at];
      if (this.#lane && (!placed || !sameLane(this.#lane.last, placed))) {
        this.#closeLane(this.#lane);
        continue; // closing a lane may have changed what comes next
      }
      if (!placed) return undefined;
      this.#lane ??= this.#openLane(placed);
      const waiting = this.#step(placed, this.#lane);
      if (waiting) return waiting.then(() => this.run());
    }
  }

  #openLane(first: Placed): Lane {
    const dialect = this.#context.dialects.get(first.hook.dialect) as Dialect;
    const isInSequence = this.#set.sequences && inSequence(this.#list, first);
    // One literal, because spreading an object here would cost more than the rest of a firing.
    return {
      sum: emptyFoldState(),
      view: this.event,
      ended: undefined,
      deniedBy: undefined,
      dialect,
      last: first,
      inSequence: isInSequence,
    };
  }

  #step(placed: Placed, lane: Lane): undefined | Promise<undefined> {
    this.#at++;
    lane.last = placed;
    const { hook, rule } = placed;
    if (this.#from.only && !this.#from.only.has(hook.id)) return undefined;
    const off = offByItself(hook);
    if (off) return this.#settle(placed, lane, reportNotAdmitted(this.#context, this.#set, hook, this.event, off));
    const skip = this.#skipReason(placed, lane);
    if (skip !== undefined) {
      this.reports.push(skipped(hook, skip));
      if (skip === lane.ended && lane.sum.decision.kind !== 'deny') this.waiting = [...(this.waiting ?? []), hook.id];
      return undefined;
    }
    if (hook.detach || rule.run === 'detach') return this.#stepDetached(placed, lane);
    if (rule.run === 'parallel' && !lane.inSequence) return this.#stepTogether(placed, lane);
    const asked = this.#ask(placed, lane);
    return asked instanceof Promise ? asked.then((late) => this.#settle(placed, lane, late)) : this.#settle(placed, lane, asked);
  }

  /** Detached hooks start later, but their admission is checked in order with the others. */
  #stepDetached(placed: Placed, lane: Lane): undefined | Promise<undefined> {
    const { hook } = placed;
    const note = (admission: Admission): undefined => {
      if (admission.admitted) this.detached = [...(this.detached ?? []), { ...placed, admission }];
      else this.#settle(placed, lane, reportNotAdmitted(this.#context, this.#set, hook, this.event, admission));
    };
    const admission = hook.run ? ADMITTED : admissionOf(this.#context, this.#set, hook, folderFor(this.#context, hook, this.event));
    return admission instanceof Promise ? admission.then(note) : note(admission);
  }

  /** Parallel neighbours are asked at once with the same event, and their verdicts are added in order. */
  #stepTogether(first: Placed, lane: Lane): Promise<undefined> {
    const together = [first];
    for (let next = this.#list[this.#at]; next; next = this.#list[this.#at]) {
      if (next.rule.run !== 'parallel' || next.hook.detach || !next.hook.enabled || !sameLane(first, next)) break;
      if (isAncestor(this.#context, next.hook) || next.hook.once || next.hook.skill !== undefined) break;
      this.#at++;
      lane.last = next;
      if (this.#from.only?.has(next.hook.id) ?? true) together.push(next);
    }
    return Promise.all(together.map((placed) => this.#ask(placed, lane))).then((answers) => {
      for (const [i, asked] of answers.entries()) this.#settle(together[i] as Placed, lane, asked);
      return undefined;
    });
  }

  #ask(placed: Placed, { dialect, view }: Lane): AskResult | Promise<AskResult> {
    const { original, environment } = this;
    const known = this.#lone;
    this.#lone = undefined;
    if (known) return known;
    return askHook(this.#context, this.#set, { placed, dialect, view, original, signal: this.#signal, environment });
  }

  #skipReason({ hook }: Placed, lane: Lane): string | undefined {
    if (!hook.enabled) return `switched off by ${hook.offBy}`;
    if (this.#isPaused && hook.source.scope !== 'managed' && !hook.run) return PAUSED;
    if (isAncestor(this.#context, hook)) return ALREADY_RUNNING;
    if (hook.skill !== undefined && !isActive(this.#context.once, this.event.session.id, hook.skill)) return INACTIVE_SKILL;
    if (hook.once && this.#context.once.has(this.event.session.id, hook.id)) return ASKED_ONCE;
    return this.#deniedBy === undefined ? lane.ended : `after a deny by ${this.#deniedBy}`;
  }

  #settle(placed: Placed, lane: Lane, asked: AskResult): undefined {
    const mayBeShadow = placed.hook.shadow || this.#context.settings.shadow;
    const { report, verdict: given, diagnostics } = mayBeShadow ? counted(this.#context, this.#set, placed.hook, asked) : asked;
    this.reports.push(report);
    if (placed.hook.once && report.status === 'answered')
      noteAsked(this.#context.once, this.event.session.id, placed.hook, this.diagnostics);
    if (diagnostics) this.diagnostics.push(...diagnostics);
    if (!given) return;
    const { hook, order, rule } = placed;
    const open = this.#from.settled?.has(hook.id) && asksPerson(given) ? { ...given, decision: PASS } : given;
    if (open.effects.length > 0 && addsContext(open)) this.#room ??= new ContextRoom(this.#context.settings, this.total);
    const verdict = this.#room?.admit(hook, open, this.diagnostics) ?? open;
    const { fold, run } = lane.dialect.profile;
    addVerdict(lane.sum, verdict, fold);
    const { kind } = verdict.decision;
    if (kind === 'deny') lane.deniedBy ??= hook.name;
    if (kind !== 'pass' && kind !== 'allow' && run.stopOn.includes(kind))
      lane.ended ??= `after ${kind === 'ask' ? 'an' : 'a'} ${kind} by ${hook.name}`;
    if (run.inputs !== 'piped' || (rule.run === 'parallel' && !lane.inSequence)) return;
    if (!verdict.effects.some((effect) => effect.kind === 'rewrite' || effect.kind === 'replace')) return;
    lane.view = applyChanges(lane.view, lane.sum);
    this.#reselect(lane.view, order);
  }

  /** The next lane judges the event as this lane left it. */
  #closeLane(lane: Lane): void {
    this.#lane = undefined;
    joinLane(this.total, lane.sum, lane.dialect.profile.fold);
    this.#deniedBy ??= lane.deniedBy;
    if (lane.sum.rewrite === undefined && lane.sum.replace === undefined) return;
    this.event = applyChanges(this.event, lane.sum);
    this.#reselect(this.event, lane.last.order);
  }

  /** Selects the remaining hooks again, because their conditions may test a value that was rewritten. */
  #reselect(event: HookEvent, after: number): void {
    this.#list = this.#set.index.select(event).filter(({ order }) => order > after);
    this.#at = 0;
  }
}
