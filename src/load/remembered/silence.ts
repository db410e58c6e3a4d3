/**
 * Remembers which calls of an agent concern no hook, so that a cold start answers them without loading a hook file, a parser or the engine. An
 * entry is bound to everything that decided it: the command line, the folders, the variables that were read, and every path that the search for
 * hooks looked at. It holds for calls that equal the first one in the parts that decide which hooks are selected. Anything else, and
 * anything in doubt, is judged in full.
 */
import type { Environment } from '../../core/values/environment.ts';
import { isObject, type JsonObject } from '../../core/values/json.ts';
import { type Memory, plainKey } from '../memory.ts';
import { areUnchanged, type Lookup } from './lookups.ts';

/** A call that is answered by nothing and exit code 0. */
export interface QuietCall {
  /** It reports that a tool has run. A session in which a call was denied needs more than this answer. */
  readonly reportsRun: boolean;
}

/** Everything by which a call is recognised, apart from the files. */
export interface CallFacts {
  /** The keys of the payload that decide which event it is, and of which tool. */
  readonly decidedBy: readonly string[];
  /** Keys and variables that show that another host may be calling, by the entry of this one. */
  readonly others: { readonly payload: readonly string[]; readonly env: readonly string[] };
  /** The variables of the environment that were read, and their values. */
  readonly variables: Readonly<Record<string, string | null>>;
}

export interface Silence extends CallFacts {
  /** The command line and the folders, in full: the name of the entry is only a short form of it. */
  readonly of: string;
  readonly lookups: readonly Lookup[];
  readonly calls: Readonly<Record<string, QuietCall>>;
}

/** A project has a few dozen tools and events. */
const MOST_CALLS = 256;

export function readSilence(memory: Memory, of: string): Silence | undefined {
  const kept = memory.read(plainKey('silence', of));
  return isObject(kept) && kept['of'] === of ? (kept as unknown as Silence) : undefined;
}

/** Returns the remembered call that this one equals, if nothing has changed since. */
export function quietCall(silence: Silence, payload: JsonObject, environment: Environment): QuietCall | undefined {
  const { calls, decidedBy, others, variables, lookups } = silence;
  const name = callName(payload, decidedBy);
  const call = name !== undefined && Object.hasOwn(calls, name) ? calls[name] : undefined;
  if (!call) return undefined;
  if (others.payload.some((key) => Object.hasOwn(payload, key)) || others.env.some((name) => (environment[name] ?? '') !== ''))
    return undefined;
  const isSame = Object.entries(variables).every(([name, value]) => (environment[name] ?? null) === value);
  return isSame && areUnchanged(lookups) ? call : undefined;
}

/** Adds a call to those that are remembered, if they were remembered under the same facts. */
export function keepSilence(memory: Memory, silence: Omit<Silence, 'calls'>, payload: JsonObject, call: QuietCall): void {
  const name = callName(payload, silence.decidedBy);
  if (name === undefined) return;
  const { calls = {}, ...before } = readSilence(memory, silence.of) ?? {};
  const isSame = JSON.stringify(before) === JSON.stringify(silence) && Object.keys(calls).length < MOST_CALLS;
  memory.write(plainKey('silence', silence.of), { ...silence, calls: { ...(isSame && calls), [name]: call } });
}

/** Returns the parts of a payload that decide, as one text; undefined if one of them has an unexpected form. */
function callName(payload: JsonObject, decidedBy: readonly string[]): string | undefined {
  const parts = decidedBy.map((key) => (Object.hasOwn(payload, key) ? payload[key] : null));
  return parts.every((part) => part === null || typeof part === 'string') ? JSON.stringify(parts) : undefined;
}
