/** What is said of a result that a hook has replaced, where a host can't put the other one in its place. */

import type { Host } from '../../core/contracts/host.ts';
import { type Decision, type Effect, type Grant, join, PASS, type Verdict } from '../../core/decision/decision.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import { type EventKind, kindRule } from '../../core/event/event.ts';
import type { EventRule } from '../../core/meaning/profile.ts';
import { type Json, serialise } from '../../core/values/json.ts';

/** What the agent is told where nobody can keep from it what a hook has replaced. */
export function replacementText(value: Json): string {
  return `A hook replaced what this brought back. Do not use what stands there; take this in its place:\n${shownAs(value)}`;
}

/** As text; never nothing at all, which would say nothing. */
export function shownAs(value: Json): string {
  const text = typeof value === 'string' ? value : serialise(value);
  return text.trim() === '' ? 'A hook removed what this brought back.' : text;
}

export function originalVisible({ title }: { readonly title: string }): string {
  return `A hook replaced what this brought back, and ${title} can't do that here: the agent sees the original.`;
}

/**
 * What a host can carry out of an outcome on one of its events, and what becomes of the rest. The order of severity holds on the way: a deny,
 * and a wish for a person, never become consent. What the host has no words for is named, so that it can be said elsewhere.
 */

export interface Degradation {
  /** What the host can't carry out. */
  readonly what: Grant;
  /** What it became; `said`: words on stderr and in the log, and nothing else. */
  readonly became: 'deny' | 'ask' | 'pass' | 'halt' | 'context' | 'said';
  /** A sentence. */
  readonly message: string;
}

export interface Degraded {
  readonly verdict: Verdict;
  readonly degraded: readonly Degradation[];
}

/** `rule` is that of the event on which the host is answered. */
export function degrade(outcome: Outcome, rule: EventRule, host: Pick<Host, 'title'>): Degraded {
  const notes: Degradation[] = [];
  const note: Note = (what, became, message) => notes.push({ what, became, message });
  const scene: DegradeInput = { outcome, host, notes, note, grants: rule.grants, gates: rule.grants.includes('deny') };
  const stopped = withHalt(withReplace(withRewrite(decisionOf(outcome), scene), scene), scene);
  const { decision, instead } = supportedDecision(stopped, scene);
  const effects = [...instead, ...effectsOf(scene, decision)];
  return { verdict: { decision, effects }, degraded: notes };
}

/** Several answers to one event of a host: the most severe decision counts, and all that is to be told. */
export function joinVerdicts(verdicts: readonly Verdict[]): Verdict {
  const decision = verdicts.reduce((sum: Decision, verdict) => join(sum, verdict.decision), PASS);
  const all = verdicts.flatMap(({ effects }) => effects);
  const lastOf = (kind: Effect['kind']): Effect | undefined => all.findLast((effect) => effect.kind === kind);
  const [rewrite, replace] = [lastOf('rewrite'), lastOf('replace')];
  const kept = all.filter((effect) => {
    if (effect.kind === 'rewrite') return effect === rewrite && decision.kind !== 'deny';
    return effect.kind !== 'replace' || effect === replace;
  });
  return { decision, effects: kept };
}

type Note = (what: Grant, became: Degradation['became'], message: string) => void;

interface DegradeInput {
  readonly outcome: Outcome;
  readonly host: Pick<Host, 'title'>;
  readonly grants: readonly Grant[];
  /** The event can be denied. */
  readonly gates: boolean;
  readonly notes: readonly Degradation[];
  readonly note: Note;
}

function decisionOf({ decision, reason, continue: feedback, kind }: Outcome): Decision {
  switch (decision) {
    case 'pass':
      return PASS;
    case 'allow':
      return { kind: 'allow', ...(reason !== null && { reason }) };
    case 'ask':
      return { kind: 'ask', reason: reason ?? 'A hook wants a person to decide.' };
    case 'hold':
      return { kind: 'hold', reason: reason ?? 'A hook wants a person to approve this.' };
    case 'deny':
      return { kind: 'deny', reason: (kindRule(kind).denyContinues ? feedback : undefined) ?? reason ?? 'A hook denied this.' };
  }
}

/** Something else would run than what was judged. */
function withRewrite(decision: Decision, { outcome, grants, gates, host, note }: DegradeInput): Decision {
  if (outcome.rewrite === undefined || decision.kind === 'deny' || grants.includes('rewrite')) return decision;
  if (!gates) {
    note('rewrite', 'said', `A hook replaced what this event is about, and ${host.title} can't put that in place.`);
    return decision;
  }
  const reason = `A hook would have this done otherwise than it was asked for, and ${host.title} can't replace it here; as it stands it would run unchanged.`;
  note('rewrite', 'deny', reason);
  return { kind: 'deny', reason };
}

/** The agent would see what a hook has taken out of its sight. */
function withReplace(decision: Decision, { outcome, grants, gates, host, note }: DegradeInput): Decision {
  if (outcome.replace === undefined || grants.includes('replace')) return decision;
  if (!gates || !kindRule(outcome.kind).replaces?.byDeny) return decision;
  note('replace', 'deny', `A hook replaced what this brought back, and ${host.title} can only be told to deny it.`);
  return decision.kind === 'deny' ? decision : { kind: 'deny', reason: shownAs(outcome.replace) };
}

/** Whoever stops the whole run does not want this one action to go ahead; a host may well run it first and stop then. */
function withHalt(decision: Decision, { outcome, grants, gates, host, note }: DegradeInput): Decision {
  const { halt, kind } = outcome;
  if (halt === undefined || decision.kind === 'deny' || kindRule(kind).denyContinues) return decision;
  if (!gates) return decision;
  if (!grants.includes('halt')) note('halt', 'deny', `A hook wants the run stopped, and ${host.title} can't stop it here: ${halt}`);
  return { kind: 'deny', reason: halt };
}

interface Supported {
  readonly decision: Decision;
  /** What stands in for the decision. */
  readonly instead: readonly Effect[];
}

function supportedDecision(decision: Decision, scene: DegradeInput): Supported {
  const { grants, gates, host, note, outcome } = scene;
  if (decision.kind === 'pass' || grants.includes(decision.kind)) return { decision, instead: [] };
  switch (decision.kind) {
    case 'allow':
      note('allow', 'pass', `A hook allowed this, and ${host.title} takes no consent here: it decides as ever.`);
      return { decision: PASS, instead: [] };
    case 'ask':
    case 'hold': {
      if (decision.kind === 'ask' && outcome.kind === 'permission.request') {
        note('ask', 'pass', `A hook wants a person to decide, and ${host.title} asks one as ever: ${decision.reason}`);
        return { decision: PASS, instead: [] };
      }
      const reason = forPerson(decision.reason, outcome);
      if (!gates) return withoutDeny(decision.kind, reason, scene);
      note(decision.kind, 'deny', `${host.title} can't let a person decide here, so it was told to deny: ${decision.reason}`);
      return { decision: { kind: 'deny', reason }, instead: [] };
    }
    case 'deny':
      return withoutDeny('deny', decision.reason, scene);
  }
}

/** Said to the agent, so it says nothing that would help the agent to approve it itself. */
function forPerson(reason: string, { ticket }: Outcome): string {
  return ticket === undefined
    ? `${reason} (Nobody can be asked here: let a person run it.)`
    : `${reason} (It waits for a person's approval as ${ticket.id}; once approved, the very same may be tried again.)`;
}

/** The event can't be denied there: what must not begin is stopped with the whole run; else the agent at least learns of it. */
function withoutDeny(what: Grant, reason: string, { grants, host, note, outcome }: DegradeInput): Supported {
  const text = `${host.title} can't deny this here: ${reason}`;
  if (grants.includes('halt') && isBeginning(outcome.kind)) {
    note(what, 'halt', text);
    return { decision: PASS, instead: outcome.halt === undefined ? [{ kind: 'halt', reason }] : [] };
  }
  const told = grants.includes('context');
  note(what, told ? 'context' : 'said', text);
  return { decision: PASS, instead: told ? [{ kind: 'context', text: `A hook objects: ${reason}` }] : [] };
}

function isBeginning(kind: EventKind): boolean {
  return !kindRule(kind).denyContinues && /\.(before|start|submit|expand|build|request|resolve)$/.test(kind);
}

/** What is said beside the decision, as far as the host has a place for it. */
function effectsOf({ outcome, grants, host, note, notes }: DegradeInput, decision: Decision): Effect[] {
  const has = (grant: Grant): boolean => grants.includes(grant);
  const effects: Effect[] = [];
  // With a deny nothing runs, so there is nothing to replace; some hosts take a deny that carries more than they expect for none at all.
  if (outcome.rewrite !== undefined && has('rewrite') && decision.kind !== 'deny')
    effects.push({ kind: 'rewrite', value: outcome.rewrite });
  for (const text of outcome.context) {
    if (has('context')) effects.push({ kind: 'context', text });
    else note('context', 'said', `${host.title} takes no context here. A hook wanted the agent to know: ${text}`);
  }
  for (const text of outcome.notices) {
    if (has('notice')) effects.push({ kind: 'notice', text });
    else note('notice', 'said', `${host.title} shows no notice here. A hook says: ${text}`);
  }
  if (outcome.replace !== undefined) {
    if (has('replace')) effects.push({ kind: 'replace', value: outcome.replace });
    else if (!notes.some(({ what }) => what === 'replace')) {
      if (has('context')) effects.push({ kind: 'context', text: replacementText(outcome.replace) });
      note('replace', has('context') ? 'context' : 'said', originalVisible(host));
    }
  }
  if (outcome.halt !== undefined) {
    if (has('halt')) effects.push({ kind: 'halt', reason: outcome.halt });
    else if (!notes.some(({ what }) => what === 'halt'))
      note('halt', 'said', `A hook wants the run stopped, and ${host.title} can't stop it here: ${outcome.halt}`);
  }
  // To keep it out of the log is ours to do, and done.
  if (outcome.quiet && has('quiet')) effects.push({ kind: 'quiet' });
  return effects;
}
