/** Runs one case of a hook from any test runner. It is the same as a case in `<name>.hooktest.yaml`. */
import path from 'node:path';
import type { GroupedOptions } from '../api/options.ts';
import type { DecisionKind } from '../core/decision/decision.ts';
import type { Outcome } from '../core/decision/outcome.ts';
import type { FaultKind } from '../core/decision/reply.ts';
import { HooklineError } from '../core/values/errors.ts';
import type { JsonObject } from '../core/values/json.ts';

/** The event, and what must come of it. */
export interface HookCase {
  /** A canonical kind, or with `as` an event of this dialect. */
  readonly event: string;
  readonly as?: string;
  readonly tool?: string;
  readonly input?: JsonObject;
  readonly payload?: JsonObject;
  readonly session?: string;
  /** The agent that the event comes from. */
  readonly host?: string;
  /** Files of a working folder that is made for this case. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** If the case does not meet it, `testHook` rejects with the differences. A fault that is not expected rejects in any case. */
  readonly expect?: HookExpectation;
}

export interface HookExpectation {
  readonly decision?: DecisionKind;
  readonly reason?: string | RegExp;
  /** Null: nothing is rewritten. */
  readonly rewrite?: JsonObject | string | null;
  readonly replace?: JsonObject | string | null;
  readonly context?: string | RegExp | readonly (string | RegExp)[];
  readonly faults?: readonly FaultKind[];
  readonly withinMs?: number;
  /** No process is left, and nothing was written in the project or the home. */
  readonly clean?: boolean;
}

export interface HookTestOptions extends Pick<GroupedOptions, 'home' | 'trust' | 'skills' | 'plugins' | 'hooks' | 'dialects'> {
  /** The project (default: the working directory). */
  readonly root?: string;
}

export interface HookTestResult {
  readonly outcome: Outcome;
  /** The answer that the agent receives, if the event came from one. */
  readonly answer?: { readonly stdout: string; readonly stderr: string; readonly exit: number };
  readonly ms: number;
}

/**
 * Asks one hook about one event, in a state of its own.
 * @param hook the hook's name, or the path of its file or folder below the project
 */
export async function testHook(hook: string, given: HookCase, options: HookTestOptions = {}): Promise<HookTestResult> {
  const { planTests, runTests } = await import('./run-tests.ts');
  const { root = process.cwd(), ...engine } = options;
  const { host, expect = {}, ...event } = given;
  // Without an expectation only a fault can fail it.
  const one = { ...event, expect: { faults: [], ...expect }, hosts: host === undefined ? [] : [host] };
  const isPath = hook.includes('/') || hook.includes(path.sep);
  const beside = isPath ? path.resolve(root, hook) : path.join(path.resolve(root), 'hook');
  const file = path.extname(beside) === '' ? path.join(beside, 'hook.hooktest.yaml') : beside.replace(/\.[^.]+$/, '.hooktest.yaml');
  const text = JSON.stringify({ ...(!isPath && { hook }), cases: [one] }, (_, value) => (value instanceof RegExp ? String(value) : value));
  const task = { root: path.resolve(root), engine };
  const run = await runTests(await planTests([{ file, text }], task), task);
  const [result] = run.files;
  const problem = result?.problems[0];
  if (problem) throw new HooklineError('bad-option', problem.message, problem.hint === undefined ? {} : { hint: problem.hint });
  const [ran] = result?.cases ?? [];
  if (ran?.passed && ran.outcome) return { outcome: ran.outcome, ms: ran.ms, ...(ran.answer && { answer: ran.answer }) };
  const lines = (ran?.mismatches ?? []).map(({ what, expected, got, hint }) => {
    return `${what}: expected ${expected}, got ${got}${hint === undefined ? '' : `. ${hint}`}`;
  });
  throw new Error(`The hook \`${hook}\` did not do what the case expects.\n${lines.join('\n')}`);
}
