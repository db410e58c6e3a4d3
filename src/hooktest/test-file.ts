/** A file of tests for hooks, `<name>.hooktest.yaml`, as it is read. */
import type { DecisionKind } from '../core/decision/decision.ts';
import type { FaultKind } from '../core/decision/reply.ts';
import type { Diagnostic, Position } from '../core/values/diagnostic.ts';
import type { Json, JsonObject } from '../core/values/json.ts';

/** The ending of the files. */
export const TEST_ENDING = '.hooktest.yaml';

export interface TestFile {
  readonly file: string;
  /** The names of the hooks that are tested; `*` for all of the project. Undefined: those that are next to the file. */
  readonly hooks?: readonly string[] | undefined;
  readonly cases: readonly TestCase[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface TestCase {
  readonly name: string;
  readonly at: Position;
  readonly event: GivenEvent;
  /** The agents that the event comes from; none: it is fired without an agent. */
  readonly hosts: readonly string[];
  /** Files of a working folder that is made for this case. Undefined: the session works in the project. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly expect: Expected;
}

/** An event in canonical words, or in those of a dialect. */
export interface GivenEvent {
  readonly name: string;
  readonly dialect?: string | undefined;
  /** In the same words. With a tool, its canonical payload. */
  readonly payload: JsonObject;
  readonly isCanonical: boolean;
  readonly session: string;
}

/** Everything that is absent is not compared, except for faults: a case that expects none fails if there is one. */
export interface Expected {
  readonly decision?: DecisionKind | undefined;
  readonly reason?: TextTest | undefined;
  /** Null: nothing is rewritten. */
  readonly rewrite?: Json | undefined;
  /** Null: the result stays as it is. */
  readonly replace?: Json | undefined;
  /** Each must be found in the context for the agent. An empty list: there is none. */
  readonly context?: readonly TextTest[] | undefined;
  readonly faults: readonly FaultKind[];
  readonly withinMs?: number | undefined;
  /** No process is left, and nothing was written in the project or the home. */
  readonly isClean: boolean;
  readonly answers: Readonly<Record<string, ExpectedAnswer>>;
}

/** The answer that one agent receives. */
export interface ExpectedAnswer {
  readonly exit?: number | undefined;
  /** JSON that must be equal, or a text that must be found. An empty text: nothing is printed. */
  readonly stdout?: Json | undefined;
  readonly stderr?: TextTest | undefined;
  /** As the agent reads the answer. */
  readonly decision?: DecisionKind | undefined;
}

/** A text that must be found in another, or a pattern: `/force/i`. */
export interface TextTest {
  readonly source: string;
  readonly pattern?: RegExp | undefined;
}

export function isFound({ source, pattern }: TextTest, text: string): boolean {
  return pattern ? pattern.test(text) : source === '' ? text === '' : text.includes(source);
}
