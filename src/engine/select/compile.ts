/**
 * Turns patterns from configuration files into tests over text an attacker may choose: a test never throws and takes time linear
 * in its input. Simple patterns need no engine; the others go to one that never backtracks; what that refuses is not usable.
 */
import type { RE2JS } from 're2js';
import type { PatternTest } from '../core/hook.ts';
import type { Test } from '../core/match.ts';
import { linearPattern } from './linear-engine.ts';
import { reasonOf, refusesUnicodeEscape } from './refusal.ts';
import { simpleTest } from './simple-pattern.ts';
import { areFlags, MAX_SOURCE } from './syntax.ts';

/** What is wrong with a pattern, in one sentence; undefined if it can be used. */
export function checkPattern(source: string, flags = ''): string | undefined {
  const key = `${flags}/${source}`;
  const known = checked.get(key);
  if (known !== undefined) return known.problem;
  // Only the finding is kept: most patterns of a large set are never tried, and a compiled one weighs more than its hook.
  const { problem } = compile(source, flags);
  if (checked.size >= MAX_COMPILED) checked.clear();
  checked.set(key, problem === undefined ? USABLE : { problem });
  return problem;
}

/** A pattern that `checkPattern` refuses matches nothing: a hook that carries one is not loaded either. */
export function compilePattern({ source, flags = '', anchor }: PatternTest): Test {
  return compiled(source, flags)[anchor];
}

interface Compiled {
  readonly problem?: string;
  readonly search: Test;
  readonly whole: Test;
}

/** Guards against growth over many reloads; a set of hooks has far fewer patterns. */
const MAX_COMPILED = 10_000;
/** A search takes time in proportion to text and program. */
const MAX_PROGRAM = 5_000;
const UNICODE_ESCAPE = /\\(?:u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|[\s\S])/g;

const USABLE: Pick<Compiled, 'problem'> = {};
const checked = new Map<string, Pick<Compiled, 'problem'>>();
const cache = new Map<string, Compiled>();

function compiled(source: string, flags: string): Compiled {
  const key = `${flags}/${source}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = compile(source, flags);
  if (cache.size >= MAX_COMPILED) cache.clear();
  cache.set(key, made);
  return made;
}

function compile(source: string, flags: string): Compiled {
  if (!areFlags(flags)) return unusable(`The flags \`${flags}\` can't be used: \`i\`, \`m\` and \`s\` can.`);
  if (source.length > MAX_SOURCE) return unusable(`The pattern is longer than ${MAX_SOURCE} characters.`);
  const search = simpleTest(source, flags, 'search');
  const whole = simpleTest(source, flags, 'whole');
  if (search !== undefined && whole !== undefined) return { search, whole };
  try {
    const program = withEngine(source, flags);
    if (program.programSize() > MAX_PROGRAM) return unusable('The pattern is too large: use shorter repeat counts, or several hooks.');
    const engine = { search: guarded((value) => program.test(value)), whole: guarded((value) => program.testExact(value)) };
    return { search: search ?? engine.search, whole: whole ?? engine.whole };
  } catch (error) {
    return unusable(reasonOf(error));
  }
}

function withEngine(source: string, flags: string): RE2JS {
  try {
    return linearPattern(source, flags);
  } catch (error) {
    if (!refusesUnicodeEscape(error)) throw error;
    return linearPattern(withoutUnicodeEscapes(source), flags);
  }
}

/** JavaScript's `\u0041` and `\u{41}`, two halves of a surrogate pair as one, in the engine's spelling. */
function withoutUnicodeEscapes(source: string): string {
  return source.replace(UNICODE_ESCAPE, (found: string, high?: string, low?: string, braced?: string, four?: string) => {
    if (high !== undefined && low !== undefined) {
      return `\\x{${(0x10000 + ((Number.parseInt(high, 16) & 0x3ff) << 10) + (Number.parseInt(low, 16) & 0x3ff)).toString(16)}}`;
    }
    const hex = braced ?? four;
    return hex === undefined ? found : `\\x{${hex}}`;
  });
}

/** Should the engine fail on a text, the hook is asked: a gate is not skipped because of a bug. */
function guarded(test: Test): Test {
  return (value) => {
    try {
      return test(value);
    } catch {
      return true;
    }
  };
}

function unusable(problem: string): Compiled {
  const never = () => false;
  return { problem, search: never, whole: never };
}
