/** One immutable set of hooks, ordered and indexed. A reload replaces the whole set. A firing keeps the set it began with. */

import type { Dialect } from '../core/contracts/dialect.ts';
import type { Handler } from '../core/contracts/handler.ts';
import type { Hook, MissingProtection, Requirements } from '../core/contracts/hook.ts';
import type { HookIndex, Placed } from '../core/event/match.ts';
import { TRAIL_OF, type TrailName } from '../core/meaning/profile.ts';
import { digestOf, type Hash } from '../core/values/digest.ts';
import type { JsonObject } from '../core/values/json.ts';
import type { Admission, EngineContext } from './ports.ts';
import { buildIndex } from './select/hook-index.ts';

/** A function that can be asked without a firing, with the parts that are the same for every event. */
export interface LoneFunction {
  readonly dialect: Dialect;
  readonly handler: Handler;
}

export interface HookSet {
  readonly placed: readonly Placed[];
  readonly index: HookIndex;
  /** Results of `admit`, so that each hook is checked once. */
  readonly admissions: Map<Hook, Admission>;
  /** By order: the functions that may be asked without a firing, and null for the other hooks that were looked at. */
  readonly alone: (LoneFunction | null | undefined)[];
  /** Whether a hook requires that its lane runs in sequence. */
  readonly sequences: boolean;
  /** Hooks that are asked only while their skill is active. */
  readonly ofSkills: readonly Hook[];
  /** The events of a session that numbers follow from which a hook wants. */
  readonly wantedTrails: ReadonlySet<TrailName>;
  /** Whether events leave a note of skills or of a trail. */
  readonly takesNotes: boolean;
  /** Names of hooks that must be able to run. */
  readonly required: ReadonlySet<string>;
  /** Protections that the set as a whole lacks. */
  readonly missing: readonly MissingProtection[];
  /** The digest of all its hooks, computed when an action is held. */
  digest: string | undefined;
}

export const NO_REQUIREMENTS: Requirements = { required: new Set(), missing: [] };

/**
 * Orders lanes by dialect with managed hooks last, and the hooks of a lane as the dialect defines. Hooks that a model answers come after all
 * others, in lanes of their own: a rule that denies saves the model, and the model sees the input that will run.
 * @param isJudged whether a model answers a hook
 */
export function buildSet(
  hooks: readonly Hook[],
  dialects: readonly Dialect[],
  requirements: Requirements = NO_REQUIREMENTS,
  isJudged: (hook: Hook) => boolean = () => false,
): HookSet {
  const rank = new Map(dialects.map((dialect, i) => [dialect.id, i]));
  const byId = new Map(dialects.map((dialect) => [dialect.id, dialect]));
  const sortable = hooks.map((hook, declared) => ({
    hook,
    declared,
    dialect: byId.get(hook.dialect) as Dialect,
    judged: hook.run ? false : isJudged(hook),
  }));
  sortable.sort(
    (a, b) =>
      Number(a.judged) - Number(b.judged) ||
      managed(a.hook) - managed(b.hook) ||
      (rank.get(a.hook.dialect) ?? 0) - (rank.get(b.hook.dialect) ?? 0) ||
      (a.dialect.profile.run.order === 'priority' ? b.hook.priority - a.hook.priority : 0) ||
      a.declared - b.declared,
  );
  const placed: Placed[] = [];
  for (const { hook, dialect, judged } of sortable) {
    const rule = dialect.profile.events[hook.event];
    if (rule) placed.push({ hook, rule, order: placed.length, ...(judged && { judged }) });
  }
  const { required } = requirements;
  const missing = requirements.missing.filter(
    ({ unless }) => unless === undefined || !hooks.some(({ run, name }) => run && name === unless),
  );
  const sequences = hooks.some(({ sequence }) => sequence === true);
  const ofSkills = hooks.filter(({ skill }) => skill !== undefined);
  const wantedTrails = new Set(placed.flatMap(({ rule }) => rule.wants?.map((fact) => TRAIL_OF[fact]) ?? []));
  return {
    placed,
    index: buildIndex(placed),
    admissions: new Map(),
    alone: [],
    sequences,
    ofSkills,
    wantedTrails,
    takesNotes: ofSkills.length > 0 || wantedTrails.size > 0,
    required,
    missing,
    digest: undefined,
  };
}

/** Whether the hooks of this hook's lane run one after another, because one of them requires it. */
export function inSequence(list: readonly Placed[], placed: Placed): boolean {
  return list.some((other) => other.hook.sequence === true && sameLane(other, placed));
}

/** Returns a test for the hooks that stay in a set without these dialects. */
export function isKeptWithout(dialects: readonly string[]): (placed: Placed) => boolean {
  return ({ hook }) => hook.run !== undefined || hook.skippedByAgent === true || !dialects.includes(hook.dialect);
}

/** Returns a set that never selects hooks of these dialects. Functions are kept, whatever their dialect. */
export function excludeHooks(set: HookSet, dialects: readonly string[]): HookSet {
  const isKept = isKeptWithout(dialects);
  return { ...set, index: { searched: true, select: (event) => set.index.select(event).filter(isKept) } };
}

/** Returns the same digest in every process that loads the same hooks, so functions count by their names. */
export function setDigest(set: HookSet, hash: Hash): string {
  set.digest ??= digestOf(
    set.placed.map(({ hook }) => definitionOf(hook)),
    hash,
  );
  return set.digest;
}

export function definitionOf(hook: Hook): JsonObject {
  const { dialect, event, name, when, timeoutMs, priority, detach, enabled, source, shadow } = hook;
  const { aside: _, ...handler } = hook.handler;
  const definition = { dialect, event, name, when, handler, timeoutMs, priority, detach, enabled, file: source.file };
  return (shadow ? { ...definition, shadow } : definition) as unknown as JsonObject;
}

export function sameLane(a: Placed, b: Placed): boolean {
  return a.hook.dialect === b.hook.dialect && managed(a.hook) === managed(b.hook) && a.judged === b.judged;
}

function managed(hook: Hook): 0 | 1 {
  return hook.source.scope === 'managed' ? 1 : 0;
}

/** Whether a process that the hook itself started fired this event. */
export function isAncestor({ ancestors, ports }: EngineContext, hook: Hook): boolean {
  return ancestors !== undefined && hook.run === undefined && ancestors.has(ports.ancestorMark(hook.id));
}
