/** The answers of a hook, as functions. Each returns a plain object, so two of them are joined by spreading: `{ ...deny('…'), ...context('…') }`. */
import type { HookEffects } from '../agents/hookline/answer.ts';
import type { Json } from '../core/values/json.ts';

export interface Denial {
  readonly decision: 'deny';
  readonly reason: string;
}

export interface Question {
  readonly decision: 'ask';
  readonly reason: string;
}

export interface Hold {
  readonly decision: 'hold';
  readonly reason: string;
  readonly state?: Json;
}

export interface Consent {
  readonly decision: 'allow';
  readonly reason?: string;
}

type Effect<K extends keyof HookEffects> = { readonly [P in K]: Exclude<HookEffects[P], undefined> };

/** The action does not happen. The agent reads the reason. */
export function deny(reason: string): Denial {
  return { decision: 'deny', reason };
}

/** A person is asked before the action happens. */
export function ask(reason: string): Question {
  return { decision: 'ask', reason };
}

/**
 * The action is suspended until a person settles it, which may take days.
 * @param state whatever the person should see
 */
export function hold(reason: string, state?: Json): Hold {
  return { decision: 'hold', reason, ...(state !== undefined && { state }) };
}

/** The agent need not ask for this action. Another hook may still deny it. */
export function allow(reason?: string): Consent {
  return { decision: 'allow', ...(reason !== undefined && { reason }) };
}

/** Takes the place of the input of the tool, the prompt or the message. */
export function rewrite<const V extends Json>(value: V): { readonly rewrite: V } {
  return { rewrite: value };
}

/** Takes the place of the result of the tool, the subagent or the model. */
export function replace(value: Json): Effect<'replace'> {
  return { replace: value };
}

/** Adds texts to the agent's context. */
export function context(...texts: readonly string[]): Effect<'context'> {
  return { context: texts };
}

/** Shows a text to the user. */
export function notice(text: string): Effect<'notice'> {
  return { notice: text };
}

/** Stops the whole run. */
export function halt(reason: string): Effect<'halt'> {
  return { halt: reason };
}
