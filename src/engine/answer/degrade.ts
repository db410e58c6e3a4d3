/**
 * Reduces an outcome to the parts that a host can apply on one of its events, and states what becomes of the rest. The order of severity is
 * kept, so a `deny`, an `ask` or a `hold` never becomes consent. Effects that the host cannot apply are named, so that they can be reported.
 */

import type { Host } from '../../core/contracts/host.ts';
import { type Decision, type Effect, type Grant, join, PASS, type Verdict } from '../../core/decision/decision.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import { type EventKind, type HookEvent, kindRule } from '../../core/event/event.ts';
import { type EventRule, keysThatStay } from '../../core/meaning/profile.ts';
import { type Json, serialise } from '../../core/values/json.ts';

/** Returns the text for an agent that sees the original result although a hook replaced it. */
export function replacementText(value: Json): string {
  return `A hook replaced this result. Do not use the result above. Use this instead:\n${shownAs(value)}`;
}

/** Returns the value as text. An empty text would tell the agent nothing, so it is replaced by a sentence. */
export function shownAs(value: Json): string {
  const text = typeof value === 'string' ? value : serialise(value);
  return text.trim() === '' ? 'A hook removed this result.' : text;
}

export function originalVisible({ title }: { readonly title: string }): string {
  return `A hook replaced this result, but ${title} cannot apply that on this event, so the agent sees the original.`;
}

export interface Degradation {
  /** The decision or effect that the host cannot apply. */
  readonly what: Grant;
  /** Its substitute; `reported`: only a line on stderr and in the log. */
  readonly became: 'deny' | 'ask' | 'pass' | 'halt' | 'context' | 'reported';
  /** A sentence. */
  readonly message: string;
}

export interface Degraded {
  readonly verdict: Verdict;
  readonly degraded: readonly Degradation[];
}

/** `rule` is the rule of the event on which the host is answered, and `original` the event as the host has it. */
export function degrade(outcome: Outcome, rule: EventRule, host: DegradingHost, original?: HookEvent): Degraded {
  const notes: Degradation[] = [];
  const note: Note = (what, became, message) => notes.push({ what, became, message });
  const input: DegradeInput = { outcome, original, host, notes, note, grants: rule.grants, gates: rule.grants.includes('deny') };
  const stopped = withHalt(withReplace(withRewrite(decisionOf(outcome), input), input), input);
  const { decision, instead } = supportedDecision(stopped, input);
  const effects = [...instead, ...effectsOf(input, decision)];
  return { verdict: { decision, effects }, degraded: notes };
}

/** Joins several verdicts on one call of a host: the most severe decision counts, and all texts are kept. */
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

type DegradingHost = Pick<Host, 'title' | 'dialect'>;

interface DegradeInput {
  readonly outcome: Outcome;
  readonly original: HookEvent | undefined;
  readonly host: DegradingHost;
  readonly grants: readonly Grant[];
  /** Whether the event can be denied. */
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
      return { kind: 'ask', reason: reason ?? 'A hook asks for a person to decide.' };
    case 'hold':
      return { kind: 'hold', reason: reason ?? 'A hook asks for a person to approve this.' };
    case 'deny':
      return { kind: 'deny', reason: (kindRule(kind).denyContinues ? feedback : undefined) ?? reason ?? 'A hook denied this.' };
  }
}

/** Without the rewrite, an input would run that no hook has judged. The reason names it, so that the agent can ask for it itself. */
function withRewrite(decision: Decision, input: DegradeInput): Decision {
  const { outcome, grants, gates, host, note } = input;
  if (outcome.rewrite === undefined || decision.kind === 'deny') return decision;
  const why = whyNotRewritten(input, outcome.rewrite);
  if (why === undefined) return decision;
  if (!gates && !grants.includes('rewrite')) {
    note('rewrite', 'reported', `A hook rewrote the content of this event, but ${host.title} cannot apply a rewrite on this event.`);
    return decision;
  }
  const reason = `${rewriters(outcome)} rewrote this input, but ${why}. ${wantedText(outcome.rewrite)}`;
  note('rewrite', 'deny', reason);
  return { kind: 'deny', reason };
}

/** Returns a clause; undefined if the host applies the rewrite. */
function whyNotRewritten({ outcome, original, grants, host }: DegradeInput, wanted: Json): string | undefined {
  if (!grants.includes('rewrite')) return `${host.title} cannot apply a rewrite on this event, and the original would run unchanged`;
  const key = kindRule(outcome.kind).rewrites?.key;
  const stay = (key === 'input' && original ? keysThatStay(host.dialect.profile, original.data, wanted) : []).map((name) => `\`${name}\``);
  return stay.length === 0 ? undefined : `${host.title} lays a new input over the old one, so ${stay.join(', ')} would stay`;
}

function rewriters({ hooks }: Outcome): string {
  const names = [...new Set(hooks.filter(({ effects }) => effects?.includes('rewrite')).map(({ name }) => `\`${name}\``))];
  return names.length === 0 ? 'A hook' : names.length === 1 ? `The hook ${names[0]}` : `The hooks ${names.join(', ')}`;
}

/** Returns the sentence that tells the agent which input a hook wants. */
export function wantedText(wanted: Json): string {
  const text = typeof wanted === 'string' ? wanted : serialise(wanted);
  return `Repeat it with this instead: ${text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text}`;
}

const MOST_SHOWN = 4_000;

/** Without the replacement, the agent would see a result that a hook has hidden from it. */
function withReplace(decision: Decision, { outcome, grants, gates, host, note }: DegradeInput): Decision {
  if (outcome.replace === undefined || grants.includes('replace')) return decision;
  if (!gates || !kindRule(outcome.kind).replaces?.byDeny) return decision;
  note(
    'replace',
    'deny',
    `A hook replaced this result, but ${host.title} cannot apply that on this event, so it is told to deny the result.`,
  );
  return decision.kind === 'deny' ? decision : { kind: 'deny', reason: shownAs(outcome.replace) };
}

/** A hook that halts the whole run objects to this action too, and a host may run the action before it stops. */
function withHalt(decision: Decision, { outcome, grants, gates, host, note }: DegradeInput): Decision {
  const { halt, kind } = outcome;
  if (halt === undefined || decision.kind === 'deny' || kindRule(kind).denyContinues) return decision;
  if (!gates) return decision;
  if (!grants.includes('halt')) note('halt', 'deny', `A hook halts the run, but ${host.title} cannot stop it on this event: ${halt}`);
  return { kind: 'deny', reason: halt };
}

interface Supported {
  readonly decision: Decision;
  /** Effects that replace the decision. */
  readonly instead: readonly Effect[];
}

function supportedDecision(decision: Decision, input: DegradeInput): Supported {
  const { grants, gates, host, note, outcome } = input;
  if (decision.kind === 'pass' || grants.includes(decision.kind)) return { decision, instead: [] };
  switch (decision.kind) {
    case 'allow':
      note('allow', 'pass', `A hook allowed this, but ${host.title} accepts no consent on this event and decides as usual.`);
      return { decision: PASS, instead: [] };
    case 'ask':
    case 'hold': {
      if (decision.kind === 'ask' && outcome.kind === 'permission.request') {
        note('ask', 'pass', `A hook asks for a person to decide, and ${host.title} asks one as usual: ${decision.reason}`);
        return { decision: PASS, instead: [] };
      }
      const reason = forPerson(decision.reason, outcome);
      if (!gates) return withoutDeny(decision.kind, reason, input);
      note(decision.kind, 'deny', `${host.title} cannot ask a person on this event, so it was told to deny: ${decision.reason}`);
      return { decision: { kind: 'deny', reason }, instead: [] };
    }
    case 'deny':
      return withoutDeny('deny', decision.reason, input);
  }
}

/** The agent reads this reason and shows it to its user. The command in it is for a person: it approves nothing for an agent that shows itself. */
function forPerson(reason: string, { ticket }: Outcome): string {
  return ticket === undefined
    ? `${reason} (No person can be asked here. Let a person run it.)`
    : `${reason} (It waits for a person, who approves it with \`hookline approvals approve ${ticket.id}\`. Once approved, the same action may be tried again.)`;
}

/** The event cannot be denied there. An action that must not begin is stopped with the whole run; otherwise the agent is at least told. */
function withoutDeny(what: Grant, reason: string, { grants, host, note, outcome }: DegradeInput): Supported {
  const text = `${host.title} cannot deny this event: ${reason}`;
  if (grants.includes('halt') && isBeginning(outcome.kind)) {
    note(what, 'halt', text);
    return { decision: PASS, instead: outcome.halt === undefined ? [{ kind: 'halt', reason }] : [] };
  }
  const told = grants.includes('context');
  note(what, told ? 'context' : 'reported', text);
  return { decision: PASS, instead: told ? [{ kind: 'context', text: `A hook objects: ${reason}` }] : [] };
}

function isBeginning(kind: EventKind): boolean {
  return !kindRule(kind).denyContinues && /\.(before|start|submit|expand|build|request|resolve)$/.test(kind);
}

/** Returns the effects that the host can apply in addition to the decision. */
function effectsOf({ outcome, grants, host, note, notes }: DegradeInput, decision: Decision): Effect[] {
  const has = (grant: Grant): boolean => grants.includes(grant);
  const effects: Effect[] = [];
  // With a deny nothing runs, so there is nothing to rewrite. Some hosts ignore a deny that carries a field they do not expect.
  if (outcome.rewrite !== undefined && has('rewrite') && decision.kind !== 'deny')
    effects.push({ kind: 'rewrite', value: outcome.rewrite });
  for (const text of outcome.context) {
    if (has('context')) effects.push({ kind: 'context', text });
    else note('context', 'reported', `${host.title} accepts no context on this event. A hook added: ${text}`);
  }
  for (const text of outcome.notices) {
    if (has('notice')) effects.push({ kind: 'notice', text });
    else note('notice', 'reported', `${host.title} shows no notice on this event. A hook's notice: ${text}`);
  }
  if (outcome.replace !== undefined) {
    if (has('replace')) effects.push({ kind: 'replace', value: outcome.replace });
    else if (!notes.some(({ what }) => what === 'replace')) {
      if (has('context')) effects.push({ kind: 'context', text: replacementText(outcome.replace) });
      note('replace', has('context') ? 'context' : 'reported', originalVisible(host));
    }
  }
  if (outcome.halt !== undefined) {
    if (has('halt')) effects.push({ kind: 'halt', reason: outcome.halt });
    else if (!notes.some(({ what }) => what === 'halt'))
      note('halt', 'reported', `A hook halts the run, but ${host.title} cannot stop it on this event: ${outcome.halt}`);
  }
  // Hookline itself has kept it out of the log.
  if (outcome.quiet && has('quiet')) effects.push({ kind: 'quiet' });
  return effects;
}
