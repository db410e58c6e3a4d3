/** Compares what came of a case with what it expects. */
import { isDeepStrictEqual } from 'node:util';
import { explainHook } from '../core/decision/explain.ts';
import type { HookReport, Outcome } from '../core/decision/outcome.ts';
import type { Json } from '../core/values/json.ts';
import type { HostAnswer } from '../engine/answer-host.ts';
import { type Answered, RANK } from './as-host.ts';
import { type Expected, type ExpectedAnswer, isFound, type TextTest } from './test-file.ts';

/** One way in which a case failed. */
export interface Mismatch {
  /** `decision`, `reason`, `stdout of codex`, … */
  readonly what: string;
  /** Texts of several lines are compared line by line. */
  readonly expected: string;
  readonly got: string;
  readonly hint?: string;
}

export function compareOutcome(expected: Expected, outcome: Outcome, ms: number): readonly Mismatch[] {
  const { decision, reason, context, withinMs } = expected;
  return [
    ...(decision === undefined ? [] : differs('decision', decision, outcome.decision)),
    ...(reason === undefined ? [] : notFound('reason', reason, outcome.reason ?? '')),
    ...('rewrite' in expected ? differs('rewrite', expected.rewrite ?? null, outcome.rewrite ?? null) : []),
    ...('replace' in expected ? differs('replace', expected.replace ?? null, outcome.replace ?? null) : []),
    ...(context === undefined ? [] : contextDiffers(context, outcome.context)),
    ...faultsDiffer(expected.faults, outcome.hooks),
    ...(withinMs !== undefined && ms > withinMs ? [{ what: 'time', expected: `at most ${withinMs} ms`, got: `${Math.round(ms)} ms` }] : []),
  ];
}

/** A hook that was asked and failed has not judged, so every fault that a case does not name fails it. */
function faultsDiffer(expected: readonly string[], hooks: readonly HookReport[]): readonly Mismatch[] {
  const faulted = hooks.filter(({ status }) => status === 'faulted');
  const got = faulted.map(({ fault }) => fault?.kind ?? 'fault');
  if (isDeepStrictEqual([...expected].sort(), [...got].sort())) return [];
  const hint = faulted.map((hook) => `${hook.name}: ${explainHook(hook)}`).join('\n');
  return [{ what: 'faults', expected: expected.join(', ') || 'none', got: got.join(', ') || 'none', ...(hint !== '' && { hint }) }];
}

function contextDiffers(expected: readonly TextTest[], got: readonly string[]): readonly Mismatch[] {
  if (expected.length === 0) return got.length === 0 ? [] : [{ what: 'context', expected: 'none', got: got.join('\n') }];
  return expected
    .filter((test) => !got.some((text) => isFound(test, text)))
    .map((test) => ({ what: 'context', expected: sought(test), got: got.join('\n') || 'none' }));
}

/** The agent must read the answer at least as strictly as the case expects, because some agents cannot ask and deny instead. */
export function compareAnswer(host: string, expected: Expected, { answer, read }: Answered): readonly Mismatch[] {
  const own = expected.answers[host];
  const wanted = own?.decision ?? expected.decision;
  const isEnough = own?.decision === undefined ? RANK.indexOf(read ?? 'pass') >= RANK.indexOf(wanted ?? 'pass') : read === own.decision;
  return [
    ...(wanted !== undefined && !isEnough && isBinding(wanted)
      ? [{ what: `decision as ${host} reads it`, expected: wanted, got: read ?? 'an answer that it cannot read' }]
      : []),
    ...(own ? answerDiffers(host, own, answer) : []),
  ];
}

/** Without an opinion an agent proceeds, as it does with one that allows. */
function isBinding(decision: string): boolean {
  return decision === 'ask' || decision === 'hold' || decision === 'deny';
}

function answerDiffers(host: string, { exit, stdout, stderr }: ExpectedAnswer, answer: HostAnswer): readonly Mismatch[] {
  return [
    ...(exit === undefined ? [] : differs(`exit code for ${host}`, exit, answer.exit)),
    ...(stdout === undefined ? [] : stdoutDiffers(`stdout for ${host}`, stdout, answer.stdout)),
    ...(stderr === undefined ? [] : notFound(`stderr for ${host}`, stderr, answer.stderr)),
  ];
}

function stdoutDiffers(what: string, expected: Json, text: string): readonly Mismatch[] {
  if (typeof expected === 'string') return notFound(what, { source: expected }, text);
  let got: Json;
  try {
    got = JSON.parse(text);
  } catch {
    return [{ what, expected: shown(expected), got: text === '' ? 'nothing' : text }];
  }
  return differs(what, expected, got);
}

function differs(what: string, expected: Json, got: Json): readonly Mismatch[] {
  return isDeepStrictEqual(sorted(expected), sorted(got)) ? [] : [{ what, expected: shown(expected), got: shown(got) }];
}

function notFound(what: string, test: TextTest, text: string): readonly Mismatch[] {
  return isFound(test, text) ? [] : [{ what, expected: sought(test), got: text === '' ? 'nothing' : text }];
}

function sought({ source, pattern }: TextTest): string {
  return pattern ? source : source === '' ? 'nothing' : source;
}

/** With sorted keys, so that a difference is a difference of values. */
function shown(value: Json): string {
  return typeof value === 'string' ? value : value === null ? 'none' : JSON.stringify(sorted(value), null, 2);
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one as Json)]),
  );
}
