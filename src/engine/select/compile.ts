/**
 * Turns patterns from configuration files into tests over text that an attacker may choose. A test never throws and takes time linear in its
 * input. Simple patterns need no regex engine. The others go to one that never backtracks, and a pattern that it rejects cannot be used.
 */
import type { RE2JS } from 're2js';
import type { PatternTest } from '../../core/contracts/hook.ts';
import type { Test } from '../../core/event/match.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { foldCase } from './case-fold.ts';
import { areFlags, MAX_SOURCE, parsePattern } from './pattern-syntax.ts';
import { regexEngine } from './regex-engine.ts';
import { literalsOf } from './required-literal.ts';
import { simpleTest } from './simple-pattern.ts';

/** Throws an error that `reasonOf` can read if the engine rejects the pattern. */
export function linearPattern(source: string, flags: string): RE2JS {
  const engine = regexEngine();
  let bits = 0;
  if (flags.includes('i')) bits |= engine.CASE_INSENSITIVE;
  if (flags.includes('m')) bits |= engine.MULTILINE;
  if (flags.includes('s')) bits |= engine.DOTALL;
  return engine.compile(source, bits);
}

/** Messages for the errors that the regex engine reports. Only this file reads those errors. */
const SENTENCES: Readonly<Record<string, string>> = {
  'missing closing ]': 'Unclosed character class: a `]` is missing.',
  'missing closing )': 'Unclosed group: a `)` is missing.',
  'unexpected )': 'A `)` closes no group: write `\\)` for a literal one.',
  'trailing backslash at end of expression': 'The pattern ends in a single backslash: write `\\\\` for a literal one.',
  'expression nests too deeply': 'The pattern nests too deeply.',
  'expression too large': 'The pattern is too large: use shorter repeat counts, or several hooks.',
};

const QUOTING: Readonly<Record<string, (part: string) => string>> = {
  'invalid character class range': (part) => `\`${part}\` is not a valid range or class.`,
  'invalid nested repetition operator': (part) => `\`${part}\` repeats a repetition: put the first one in a group.`,
  'invalid repeat count': (part) => `\`${part}\` is not a valid repeat count: at most 1000, and the smaller number first.`,
  'missing argument to repetition operator': (part) =>
    `\`${part}\` has nothing before it to repeat: write \`\\${part}\` for a literal one.`,
  'duplicate capture group name': (part) => `Two groups are named \`${part}\`.`,
  'invalid or unsupported Perl syntax': (part) => `\`${part}\` is not a kind of group that is known.`,
  'invalid named capture': (part) => `\`${part}\` is not a valid group name.`,
};

const INSTEAD = "cannot be matched in linear time. Test for it in the hook's script instead.";

export function reasonOf(error: unknown): string {
  const { error: what, input } = error as { readonly error?: unknown; readonly input?: unknown };
  if (typeof what !== 'string') return 'The pattern is too large or not understood.';
  const part = typeof input === 'string' ? input : '';
  return backtracking(part) ?? unknownEscape(what, part) ?? SENTENCES[what] ?? QUOTING[what]?.(shorten(part)) ?? `${capital(what)}.`;
}

/** Whether the engine rejected a `\u0041`, which JavaScript writes and the engine does not know. */
export function rejectsUnicodeEscape(error: unknown): boolean {
  const { input } = error as { readonly input?: unknown };
  return input === '\\u';
}

function backtracking(part: string): string | undefined {
  const [look] = /^\(\?<?[=!]/.exec(part) ?? [];
  if (look !== undefined) return `${look.length === 4 ? 'Lookbehind' : 'Lookahead'} (\`${look}\`) ${INSTEAD}`;
  return part === '(?P' ? `A backreference or recursion (\`(?P\`) ${INSTEAD}` : undefined;
}

function unknownEscape(what: string, part: string): string | undefined {
  if (what !== 'invalid escape sequence') return undefined;
  if (/^\\(?:[1-9]|k)/.test(part)) return `A backreference (\`${part}\`) ${INSTEAD}`;
  return `\`${shorten(part)}\` is not a known escape.`;
}

function shorten(part: string): string {
  return part.length > 40 ? `${part.slice(0, 40)}…` : part;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns the problem of a pattern, or undefined if it can be used. */
export function checkPattern(source: string, flags = ''): string | undefined {
  const key = `${flags}/${source}`;
  const known = checked.get(key);
  if (known !== undefined) return known.problem;
  // Only the result is kept, because most patterns of a large set are never tried and a compiled pattern is larger than its hook.
  const { problem } = compile(source, flags);
  if (checked.size >= MAX_COMPILED) checked.clear();
  checked.set(key, problem === undefined ? USABLE : { problem });
  return problem;
}

/** A pattern that `checkPattern` rejects matches nothing. A hook that has one is not loaded either. */
export function compilePattern({ source, flags = '', anchor }: PatternTest): Test {
  return compiled(source, flags)[anchor];
}

interface Compiled {
  readonly problem?: string;
  readonly search: Test;
  readonly whole: Test;
}

/** Limits growth over many reloads. A set of hooks has far fewer patterns. */
const MAX_COMPILED = 10_000;
/** A search takes time in proportion to the text and the program. */
const MAX_PROGRAM = 5_000;
const UNICODE_ESCAPE = /\\(?:u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|u\{([\da-fA-F]+)\}|u([\da-fA-F]{4})|[\s\S])/g;

const USABLE: Pick<Compiled, 'problem'> = {};
const checked = new Map<string, Pick<Compiled, 'problem'>>();
const cache = new Map<string, Compiled>();

function compiled(source: string, flags: string): Compiled {
  const key = `${flags}/${source}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const made = compileLate(source, flags);
  if (cache.size >= MAX_COMPILED) cache.clear();
  cache.set(key, made);
  return made;
}

/**
 * Waits for the first text that contains one of the literals of which every match has one. Most tools and inputs contain none, and loading the
 * engine takes longer than all simple patterns of an event.
 */
function compileLate(source: string, flags: string): Compiled {
  const { search, whole } = simpleTests(source, flags);
  if (search !== undefined && whole !== undefined) return { search, whole };
  const syntax = parsePattern(source, flags);
  const literals = syntax && literalsOf(syntax);
  if (syntax === undefined || literals === undefined) return compile(source, flags);
  let made: Compiled | undefined;
  const late = (anchor: PatternTest['anchor']) => (value: string) => {
    const text = syntax.fold ? foldCase(value) : value;
    if (!literals.some((literal) => text.includes(literal))) return false;
    made ??= compile(source, flags);
    return made[anchor](value);
  };
  return { search: search ?? late('search'), whole: whole ?? late('whole') };
}

function compile(source: string, flags: string): Compiled {
  if (!areFlags(flags)) return unusable(`The flags \`${flags}\` cannot be used. Use \`i\`, \`m\` or \`s\`.`);
  if (source.length > MAX_SOURCE) return unusable(`The pattern is longer than ${MAX_SOURCE} characters.`);
  const { search, whole } = simpleTests(source, flags);
  if (search !== undefined && whole !== undefined) return { search, whole };
  try {
    const program = withEngine(source, flags);
    if (program.programSize() > MAX_PROGRAM) return unusable('The pattern is too large: use shorter repeat counts, or several hooks.');
    const engine = { search: guarded((value) => program.test(value)), whole: guarded((value) => program.testExact(value)) };
    return { search: search ?? engine.search, whole: whole ?? engine.whole };
  } catch (error) {
    // Without the engine nothing is known about the pattern. A gate must not be left out for that.
    if (error instanceof HooklineError) throw error;
    return unusable(reasonOf(error));
  }
}

function simpleTests(source: string, flags: string): { readonly search: Test | undefined; readonly whole: Test | undefined } {
  return { search: simpleTest(source, flags, 'search'), whole: simpleTest(source, flags, 'whole') };
}

function withEngine(source: string, flags: string): RE2JS {
  try {
    return linearPattern(source, flags);
  } catch (error) {
    if (!rejectsUnicodeEscape(error)) throw error;
    return linearPattern(withoutUnicodeEscapes(source), flags);
  }
}

/** Rewrites JavaScript's `\u0041` and `\u{41}` as the engine writes them, with two halves of a surrogate pair as one. */
function withoutUnicodeEscapes(source: string): string {
  return source.replace(UNICODE_ESCAPE, (found: string, high?: string, low?: string, braced?: string, four?: string) => {
    if (high !== undefined && low !== undefined) {
      return `\\x{${(0x10000 + ((Number.parseInt(high, 16) & 0x3ff) << 10) + (Number.parseInt(low, 16) & 0x3ff)).toString(16)}}`;
    }
    const hex = braced ?? four;
    return hex === undefined ? found : `\\x{${hex}}`;
  });
}

/** If the engine fails on a text, the hook applies, because a bug must not skip a gate. */
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
