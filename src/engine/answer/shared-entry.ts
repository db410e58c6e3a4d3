/**
 * Finds one answer for all hosts that may read it. Several agents run the entries of one file, and signs in a payload or an environment do not
 * prove which of them calls. So an answer that decides something must decide it in each of them.
 */

import type { Hook } from '../../core/contracts/hook.ts';
import { type Decision, type Effect, reasonOf, severity, type Verdict } from '../../core/decision/decision.ts';
import type { HookEvent } from '../../core/event/event.ts';
import { interpret, policyFor } from '../../core/meaning/interpret.ts';
import { isObject, type JsonObject, serialise } from '../../core/values/json.ts';
import type { Reading } from '../receive/host-call.ts';
import type { HostAnswer } from './encode.ts';

/** The answer that one host would receive alone, and the verdict that it reads in it. */
export interface ReadAnswer {
  readonly reading: Reading;
  readonly answer: HostAnswer;
  readonly verdict: Verdict;
}

export interface SharedAnswer {
  readonly answer: HostAnswer;
  /** Hosts that read less in it than they would in an answer of their own. */
  readonly weakerIn: readonly Reading[];
}

/**
 * Returns the caller's own answer if it holds everywhere, else one that joins all answers. If none holds everywhere, it holds in the host that the
 * entry names. An answer that also tells each host the reason is preferred.
 */
export function shareAnswer(caller: ReadAnswer, others: readonly ReadAnswer[], entry: string, event: HookEvent): SharedAnswer {
  const all = [caller, ...others];
  if (!all.some(({ verdict }) => decides(verdict))) return { answer: caller.answer, weakerIn: [] };
  const own = all.find(({ reading }) => reading.host.id === entry) ?? caller;
  // Exit code 0 first: an agent that reads the code alone does not show the reason.
  const tried = [caller.answer, ...joined(all).toSorted((one, other) => one.exit - other.exit), own.answer];
  const isWhole = (answer: HostAnswer, says: boolean): boolean => all.every((one) => holds(answer, one, event, says));
  const answer =
    tried.find((one) => isWhole(one, true)) ??
    tried.find((one) => isWhole(one, false)) ??
    tried.find((one) => holds(one, own, event, false)) ??
    caller.answer;
  return { answer, weakerIn: all.filter((one) => !holds(answer, one, event, false)).map(({ reading }) => reading) };
}

/** Returns one answer for a call whose event is unknown: the answer that the host reads as a deny on the most events. */
export function denyMost(plain: HostAnswer, each: readonly ReadAnswer[], event: HookEvent): HostAnswer {
  // A code that denies by itself comes first, because text may be lost on the way.
  const best = mostHeld([plain, ...joined(each).toSorted((one, other) => other.exit - one.exit)], each, event);
  return best.held > 0 ? best.answer : mostHeld([plain, ...each.map(({ answer }) => answer)], each, event).answer;
}

function mostHeld(answers: readonly HostAnswer[], each: readonly ReadAnswer[], event: HookEvent): { answer: HostAnswer; held: number } {
  const tried = answers.map((answer) => ({ answer, held: each.filter((one) => holds(answer, one, event, false)).length }));
  return tried.reduce((best, one) => (one.held > best.held ? one : best));
}

/** Whether something would happen differently without the answer. Texts alone may be lost. */
function decides({ decision, effects }: Verdict): boolean {
  return isObjection(decision) || effects.some(({ kind }) => kind === 'rewrite');
}

function isObjection({ kind }: Decision): boolean {
  return kind === 'ask' || kind === 'hold' || kind === 'deny';
}

/** Whether a host reads at least its own verdict in an answer, and with `says` also the reason. */
function holds({ stdout, stderr, exit }: HostAnswer, { reading, verdict }: ReadAnswer, event: HookEvent, says: boolean): boolean {
  const { host, answeredOn, rule } = reading;
  const reply = { kind: 'process', exit, stdout, stderr, output: `${stdout}${stderr}` } as const;
  const read = interpret(reply, hookOf(reading), rule, host.dialect, event);
  if (!('decision' in read)) return !decides(verdict) || policyFor(read.fault, rule, host.dialect.profile.fail, false) === 'deny';
  if (says && !(reasonOf(read.decision) ?? '').includes(reasonOf(verdict.decision) ?? '')) return false;
  if (read.decision.kind === 'deny' && rule.grants.includes('deny')) return true;
  if (isObjection(verdict.decision) && severity(read.decision) < severity(verdict.decision)) return false;
  return verdict.effects.filter(({ kind }) => kind === 'rewrite').every((wanted) => read.effects.some((found) => isSame(wanted, found)));

  function hookOf({ host: { id } }: Reading): Hook {
    const source = { file: '', scope: 'user' } as const;
    const fixed = { when: [], timeoutMs: 0, priority: 0, detach: false, enabled: true } as const;
    return { id, name: 'hookline', dialect: id, event: answeredOn, handler: { type: 'command', config: {} }, source, ...fixed };
  }
}

function isSame(wanted: Effect, found: Effect): boolean {
  return 'value' in wanted && 'value' in found && wanted.kind === found.kind && serialise(wanted.value) === serialise(found.value);
}

/** Returns answers with the keys of all of them, one for each exit code that one of them has, and at last the code that denies nearly everywhere. */
function joined(all: readonly ReadAnswer[]): readonly HostAnswer[] {
  let sum: JsonObject = {};
  for (const { answer } of all) {
    const more = answer.stdout.trim() === '' ? {} : parsed(answer.stdout);
    if (!isObject(more)) return [];
    sum = { ...more, ...sum };
  }
  const reason =
    all.map(({ verdict: { decision } }) => ('reason' in decision ? (decision.reason ?? '') : '')).find((text) => text !== '') ?? '';
  const stdout = Object.keys(sum).length === 0 ? '' : JSON.stringify(sum);
  const denies = all.some(({ verdict }) => verdict.decision.kind === 'deny');
  const exits = new Set([...all.map(({ answer }) => answer.exit), ...(denies ? [BLOCKED] : [])]);
  return [...exits].map((exit) => ({ stdout, stderr: exit === 0 ? '' : reason, exit }));
}

const BLOCKED = 2;

/** Undefined if the answer is plain text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
