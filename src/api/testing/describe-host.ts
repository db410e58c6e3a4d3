/**
 * The contract of a host, as tests. Its "no opinion" is exact. An effect that its dialect grants is encoded and decodes to the same
 * meaning; an effect that it does not grant is reported. No part of a payload is lost, and a denial never becomes consent.
 */

import type { Host } from '../../core/contracts/host.ts';
import { type DecisionKind, type Grant, NO_OPINION, severity, type Verdict } from '../../core/decision/decision.ts';
import type { Outcome } from '../../core/decision/outcome.ts';
import type { Fault } from '../../core/decision/reply.ts';
import { type EventKind, kindRule } from '../../core/event/event.ts';
import { interpret } from '../../core/meaning/interpret.ts';
import type { EventRule } from '../../core/meaning/profile.ts';
import { isObject, type JsonObject } from '../../core/values/json.ts';
import { type Degraded, degrade } from '../../engine/answer/degrade.ts';
import { encodeAnswer, encodeDeny, encodeNoOpinion } from '../../engine/answer/encode.ts';
import { meaningOf, sampleEvent, sampleHook } from './samples.ts';
import type { Suite } from './suite.ts';

/** Returns every decision and effect, alone and combined, whatever an event grants. A host must have an answer to each of them. */
export function sampleOutcomes(kind: EventKind): Outcome[] {
  const decisions = DECISIONS.map((decision) => outcomeOf(kind, decision));
  return decisions.flatMap((outcome) => [outcome, ...extrasOn(kind).map((extra) => ({ ...outcome, ...extra }))]);
}

const DECISIONS: readonly DecisionKind[] = ['pass', 'allow', 'ask', 'hold', 'deny'];

const REASONS: Readonly<Record<DecisionKind, string | null>> = {
  pass: null,
  allow: 'It is only a listing.',
  ask: 'Better ask first.',
  hold: 'Waits for approval.',
  deny: 'Not here: "rm" is off limits.\nUse trash.',
};

function outcomeOf(kind: EventKind, decision: DecisionKind): Outcome {
  const reason = REASONS[decision];
  return {
    id: 'sample',
    kind,
    decision,
    reason,
    context: [],
    contextSources: [],
    notices: [],
    quiet: false,
    unmatched: 0,
    hooks: [],
    diagnostics: [],
    ...(decision === 'hold' && { ticket: { id: 'ticket-1', expiresAt: '2025-01-03T03:04:05.678Z' } }),
    ...(decision === 'deny' && kindRule(kind).denyContinues && { continue: 'Run the tests.' }),
  };
}

function extrasOn(kind: EventKind): readonly Partial<Outcome>[] {
  const rewrite = kindRule(kind).rewrites?.type === 'text' ? 'Another text.' : { command: 'ls' };
  const each: readonly Partial<Outcome>[] = [
    { rewrite },
    { replace: 'redacted' },
    { context: ['First things first.', 'Mind the gap.'] },
    { notices: ['Formatted 3 files.'] },
    { halt: 'Enough.' },
    { quiet: true },
  ];
  return [...each, Object.assign({}, ...each) as Partial<Outcome>];
}

export interface HostFixtures {
  /** Maps an event name to payloads as the host writes them. */
  readonly payloads?: Readonly<Record<string, readonly JsonObject[]>>;
  /** The output of the host's hooks for "no opinion", by event. Default: nothing. */
  readonly silence?: Readonly<Record<string, string>>;
}

export function describeHost(suite: Suite, host: Host, fixtures: HostFixtures = {}): void {
  suite.describe(`host ${host.id}`, () => {
    dataLaws(suite, host);
    payloadLaws(suite, host, fixtures.payloads ?? {});
    rememberedLaws(suite, host, fixtures.payloads ?? {});
    silenceLaws(suite, host, fixtures.silence ?? {});
    answerLaws(suite, host);
  });
}

function dataLaws({ test, expect }: Suite, { id, dialect, entry, asksPeople }: Host): void {
  test('it has the id of its dialect', () => {
    expect(id).toBe(dialect.id);
  });

  test('people can be asked on the events that grant an `ask`, and on no other but a request for permission', () => {
    const rules = Object.entries<EventRule>(dialect.profile.events);
    const asking = rules.filter(([, { grants }]) => grants.includes('ask')).map(([name]) => name);
    const requests = rules.filter(([, { kinds }]) => kinds.includes('permission.request')).map(([name]) => name);
    expect(asking.filter((name) => !asksPeople.includes(name))).toEqual([]);
    expect(asksPeople.filter((name) => !asking.includes(name) && !requests.includes(name))).toEqual([]);
  });

  test('an installation covers events that exist, and its entries run what they are given', () => {
    expect(entry.events.filter((event) => !Object.hasOwn(dialect.profile.events, event))).toEqual([]);
    expect(new Set(entry.events).size).toBe(entry.events.length);
    for (const event of entry.events) {
      const { value } = entry.entry(event, 'hookline hook');
      expect({ event, runs: JSON.stringify(value).includes('hookline hook') }).toEqual({ event, runs: true });
    }
  });
}

function payloadLaws({ test, expect }: Suite, host: Host, payloads: NonNullable<HostFixtures['payloads']>): void {
  const { wire, profile } = host.dialect;

  test('every payload that its dialect writes is recognised', () => {
    for (const [name, kind] of eventsOf(host)) {
      const events = host.eventsOf(wire.encodeEvent(sampleEvent(kind), name), name);
      expect({ name, events, isKnown: events.includes(name) }).toEqual({ name, events, isKnown: true });
    }
  });

  test('a payload names its event under the key that the host gives', () => {
    const { eventKey } = host;
    if (eventKey === null) return;
    const names = eventsOf(host).map(([name, kind]) => wire.encodeEvent(sampleEvent(kind), name)[eventKey]);
    expect(names.some((name) => typeof name === 'string')).toBe(true);
  });

  test('a payload of nonsense has events, or a sentence that says why not', () => {
    for (const payload of [{}, { hook_event_name: 7 }, { event: null }] satisfies JsonObject[]) {
      const events = host.eventsOf(payload, undefined);
      expect(typeof events === 'string' ? events.trim() !== '' : Array.isArray(events)).toBe(true);
    }
  });

  for (const [name, examples] of Object.entries(payloads)) {
    test(`nothing of a payload of ${name} is lost on the way to the hooks`, () => {
      for (const payload of examples) {
        const { kind, data, session, cwd, at } = wire.decodeEvent(name, payload);
        const metadata = isObject(data['metadata']) ? Object.values(data['metadata']) : [];
        const event = { ...sampleEvent(kind, data), ...(at !== undefined && { at }), session: { id: session ?? '', cwd: cwd ?? '' } };
        const again = wire.encodeEvent(event, name);
        const kept = new Set([...Object.values(data), ...metadata, ...Object.values(again), session, cwd, at, name].map(textFor));
        expect(Object.keys(payload).filter((key) => !kept.has(textFor(payload[key])))).toEqual([]);
        expect(profile.events[name]?.kinds.includes(kind)).toBe(true);
      }
    });
  }
}

/** A call that concerned no hook is remembered by a few keys, so nothing else may decide which hooks are selected by event and tool. */
function rememberedLaws({ test, expect }: Suite, host: Host, payloads: NonNullable<HostFixtures['payloads']>): void {
  const { wire, profile } = host.dialect;

  const decidedIn = (payload: JsonObject, asked: string): unknown => {
    const names = host.eventsOf(payload, asked);
    if (typeof names === 'string') return names;
    const decoded = names.map((name) => wire.decodeEvent(name, payload));
    return {
      names,
      tools: decoded.map(({ data }) => data['tool'] ?? null),
      isOwnKind: names.map((name, i) => profile.events[name]?.kinds.includes(decoded[i]?.kind as EventKind)),
      ahead: host.asksAhead.map(({ on, payloadOf }) => names.includes(on) && payloadOf(payload) !== undefined),
      isSessionFound: decoded.every(({ session }) => session === undefined || shallowTexts(payload).includes(session)),
    };
  };

  test('the keys that decide which events and which tool a payload is about are those that the host gives', () => {
    const { decidedBy } = host;
    if (decidedBy === null) return;
    const written = eventsOf(host).map(([name, kind]): [string, JsonObject] => [name, wire.encodeEvent(sampleEvent(kind), name)]);
    const real = Object.entries(payloads).flatMap(([name, list]) => list.map((payload): [string, JsonObject] => [name, payload]));
    for (const [name, payload] of [...written, ...real]) {
      // A prompt counts in its session, so it is never remembered.
      if (profile.events[name]?.kinds.includes('prompt.submit')) continue;
      const others = Object.keys(payload).filter((key) => !decidedBy.includes(key));
      const changed = others.flatMap((key) => [undefined, null, 'other', false, 7, ['x'], { x: 'y' }].map((value) => ({ [key]: value })));
      for (const change of changed) {
        const other = Object.fromEntries(Object.entries({ ...payload, ...change }).filter(([, value]) => value !== undefined));
        expect({ name, change, decides: decidedIn(other, name) }).toEqual({ name, change, decides: decidedIn(payload, name) });
      }
    }
  });
}

function shallowTexts(payload: JsonObject): readonly unknown[] {
  return Object.values(payload).flatMap((value) => (isObject(value) ? Object.values(value) : [value]));
}

function silenceLaws({ test, expect }: Suite, host: Host, silence: NonNullable<HostFixtures['silence']>): void {
  test('no opinion is the exact silence of its hooks, and is read as such', () => {
    for (const [name, kind, rule] of eventsOf(host)) {
      const words = encodeNoOpinion(host, name);
      const nothing = host.emptyFails.includes(name) ? '{}' : '';
      expect({ name, words }).toEqual({ name, words: { stdout: silence[name] ?? nothing, stderr: '', exit: 0 } });
      expect({ name, meant: understood(host, name, kind, rule, words) }).toEqual({ name, meant: NO_OPINION });
    }
  });
}

function answerLaws({ test, expect }: Suite, host: Host): void {
  const all = (check: (name: string, kind: EventKind, rule: EventRule, outcome: Outcome, degraded: Degraded) => void): void => {
    for (const [name, kind, rule] of eventsOf(host))
      for (const outcome of sampleOutcomes(kind)) check(name, kind, rule, outcome, degrade(outcome, rule, host));
  };

  test('its answer stays within what the event grants', () => {
    all((name, _kind, { grants }, _outcome, { verdict: { decision, effects } }) => {
      const beyond = [decision, ...effects].map(({ kind }) => kind).filter((kind) => kind !== 'pass' && !grants.includes(kind));
      expect({ name, beyond }).toEqual({ name, beyond: [] });
    });
  });

  test('its answer is read back with the same meaning', () => {
    all((name, kind, rule, _outcome, { verdict }) => {
      const { answer: words, verdict: said } = encodeAnswer(host, name, verdict, sampleEvent(kind));
      const meant = understood(host, name, kind, rule, words);
      expect({ name, meaning: 'decision' in meant ? meaningFor(meant, host) : meant }).toEqual({ name, meaning: meaningFor(said, host) });
      const isWeaker = severity(said.decision) < severity(verdict.decision) && verdict.decision.kind !== 'allow';
      expect({ name, isWeaker }).toEqual({ name, isWeaker: false });
    });
  });

  test('a denial, and a request for a person, never become consent where the event can be denied', () => {
    all((name, kind, rule, outcome, { verdict }) => {
      if (!rule.grants.includes('deny') || (outcome.decision !== 'deny' && outcome.decision !== 'hold' && outcome.decision !== 'ask'))
        return;
      const isAsked = outcome.decision === 'ask' && kind === 'permission.request';
      const meant = understood(host, name, kind, rule, encodeAnswer(host, name, verdict, sampleEvent(kind)).answer);
      const least = isAsked ? 0 : severity({ kind: 'ask', reason: '' });
      expect({ name, outcome: outcome.decision, holds: 'decision' in meant && severity(meant.decision) >= least }).toEqual({
        name,
        outcome: outcome.decision,
        holds: true,
      });
    });
  });

  test('an effect that it cannot carry out is named', () => {
    all((name, _kind, { grants }, outcome, { degraded }) => {
      const missing = wishesOf(outcome).filter((wish) => !grants.includes(wish));
      const named = degraded.map(({ what }) => what);
      expect({ name, silent: missing.filter((wish) => !named.includes(wish)) }).toEqual({ name, silent: [] });
      expect(degraded.filter(({ message }) => message.trim() === '')).toEqual([]);
    });
  });

  test("Hookline's own denial has a text on every event that can be denied, and elsewhere an exit code", () => {
    for (const [name, kind, rule] of eventsOf(host)) {
      if (!rule.grants.includes('deny')) continue;
      const meant = understood(host, name, kind, rule, encodeDeny(host, name, 'It could not be judged.'));
      expect({ name, decision: 'decision' in meant ? meant.decision.kind : meant.fault }).toEqual({ name, decision: 'deny' });
    }
    const blind = encodeDeny(host, undefined, 'It could not be judged.');
    expect(blind.exit !== 0 || blind.stdout !== '').toBe(true);
  });
}

/** Returns the effects of an outcome that are lost if the host does not apply them. A denial makes replacements and halts irrelevant. */
function wishesOf({ decision, rewrite, replace, context, notices, halt, kind }: Outcome): Grant[] {
  const goesOn = decision !== 'deny';
  // An effect that becomes a denial outweighs the other decision.
  const byDeny = replace !== undefined && kindRule(kind).replaces?.byDeny === true;
  const outweighed = goesOn && (rewrite !== undefined || byDeny || (halt !== undefined && !kindRule(kind).denyContinues));
  return [
    ...(decision === 'pass' || outweighed ? [] : [decision]),
    ...(rewrite !== undefined && goesOn ? (['rewrite'] as const) : []),
    ...(replace !== undefined ? (['replace'] as const) : []),
    ...(context.length > 0 ? (['context'] as const) : []),
    ...(notices.length > 0 ? (['notice'] as const) : []),
    ...(halt !== undefined && goesOn && rewrite === undefined && !byDeny ? (['halt'] as const) : []),
  ];
}

function eventsOf({ dialect }: Host): (readonly [name: string, kind: EventKind, rule: EventRule])[] {
  return Object.entries<EventRule>(dialect.profile.events).flatMap(([name, rule]) => rule.kinds.map((kind) => [name, kind, rule] as const));
}

function understood(
  { dialect }: Host,
  name: string,
  kind: EventKind,
  rule: EventRule,
  words: { readonly stdout: string; readonly stderr: string; readonly exit: number },
): Verdict | Fault {
  const output = `${words.stdout}${words.stderr}`;
  return interpret({ kind: 'process', ...words, output }, sampleHook(dialect, name), rule, dialect, sampleEvent(kind));
}

function meaningFor(verdict: Verdict, { dialect }: Host): unknown {
  const { contextStart, contextEnd, startSources: _, endSources: __, notices, ...rest } = meaningOf(verdict, dialect.profile.fold);
  // Formats join several texts into one.
  return { ...rest, context: [...contextStart, ...contextEnd].join('\n'), notices: notices.join('\n') };
}

function textFor(value: unknown): string {
  return JSON.stringify(value) ?? '';
}
