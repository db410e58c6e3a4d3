/** A turn that waits for people, as JSON, so that another process can continue it. */
import type { ModelMessage, ToolResultPart } from 'ai';
import { HooklineError } from '../core/values/errors.ts';
import { isObject, type Json } from '../core/values/json.ts';
import type { HeldAction } from './contract.ts';

/** A call that waits: for `tool.before` itself, for a boundary inside of it, or for an action of the child agent that it started. */
export interface PendingCall {
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
  readonly stage: 'tool' | 'inner' | 'child';
  readonly held: HeldAction;
  /** Texts for the model that hooks gave before it was held. */
  readonly context: readonly string[];
  readonly child?: ParkedRun;
}

/** A run of the loop that waits. Its messages end with the model's calls. */
export interface ParkedRun {
  readonly messages: readonly ModelMessage[];
  readonly steps: number;
  /** The results of the other calls of the step. */
  readonly results: readonly ToolResultPart[];
  readonly calls: readonly PendingCall[];
  /** The boundary of the loop itself that waits, instead of calls. */
  readonly held?: HeldAction;
  /** The skill that its tools run for. */
  readonly skill?: Json;
}

/** Whether the answer of a turn is sent. `with-news`: unless it says that there is nothing to tell. */
export type Replies = 'always' | 'with-news' | 'never';

export interface ParkedTurn {
  readonly version: 1;
  /** The step of the turn that continues: a boundary before the loop, or the loop. */
  readonly stage: 'prompt.submit' | 'turn.before' | 'loop';
  readonly run: ParkedRun;
  /** The message of the user, if it has not joined the conversation yet. */
  readonly prompt?: string;
  readonly context: readonly string[];
  readonly continuations: number;
  readonly channel?: string;
  readonly user?: string;
  readonly replies: Replies;
}

/** Returns the actions that a run waits for, those of its children included. */
export function heldIn({ held, calls }: ParkedRun): readonly HeldAction[] {
  return [...(held ? [held] : []), ...calls.flatMap((call) => (call.child ? heldIn(call.child) : [call.held]))];
}

/** Reads a stored turn. A form that this version does not know must not be guessed at. */
export function readParked(session: string, stored: Json): ParkedTurn {
  if (isObject(stored) && stored['version'] === 1) return stored as unknown as ParkedTurn;
  throw new HooklineError('bad-conversation', `The conversation ${session} has a parked turn of a form that is not known here.`, {
    hint: 'Resume it with the version of Hookline that parked it.',
  });
}
