/** A judge: a model that answers `prompt` and `agent` hooks. It may only tighten, so its verdict never lifts the denial of another hook. */
import type { Fault, Reply } from '../decision/reply.ts';
import type { JudgeAnswer } from '../meaning/profile.ts';
import type { JsonObject } from '../values/json.ts';

/** One question to a judge. */
export interface JudgeQuestion {
  /** `prompt` asks once; `agent` may look into the project first. */
  readonly kind: 'prompt' | 'agent';
  /** The text of the hook's author. */
  readonly rule: string;
  /** The text in the rule that stands for the event; undefined if the format has none. */
  readonly mark: string | undefined;
  /** The format of the hook, and the native name of its event. */
  readonly dialect: string;
  readonly event: string;
  /** The event in the format of the hook. */
  readonly payload: JsonObject;
  /** The ids of the session and of the call. They say nothing about the event, so the judge is not shown them. */
  readonly ids: readonly string[];
  /** Undefined if the caller names no session. */
  readonly session: string | undefined;
  readonly answer: JudgeAnswer;
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
  /** Takes what is known of the cost so far, so that it is recorded even if the answer comes too late. */
  note(note: JudgeNote): void;
}

/** The record of a hook that a judge answered. */
export interface JudgeNote {
  /** `provider:model`. */
  readonly model: string;
  /** Of the rule, the event, the model and the kind of the hook. Equal digests have equal verdicts. */
  readonly digest: string;
  /** The verdict was given before, so the model was not asked. */
  readonly cached: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The provider did not report all tokens, so they are estimated. */
  readonly estimated?: true;
  /** In the currency of the configured prices. Absent if there are no prices. */
  readonly money?: number;
  /** How often an `agent` hook's model was asked. */
  readonly steps?: number;
}

/** Answers questions, with the model of the program or that of the settings. */
export interface Judging {
  /** @param model the model of the program; undefined: that of the settings */
  ask(question: JudgeQuestion, model: unknown): Promise<Reply | Fault>;
}

/** The mark of a model that is a judge: it is asked by way of `Judging`, with its budget and its cache. */
export const JUDGE: unique symbol = Symbol.for('hookline.judge') as never;
