/**
 * Removes one wrapper from a command. A wrapper is a command that runs another command. The other files of this folder describe each
 * wrapper.
 */

import { atMost } from '../../limits.ts';
import { HOSTED_WRAPPERS } from './hosted.ts';
import { REMOTE_WRAPPERS, SYSTEM_WRAPPERS } from './system.ts';
import { TOOL_WRAPPERS } from './tools.ts';
import type { Wrapper } from './wrapper.ts';

/** If two tables name the same command, the first one counts. */
const TABLES: readonly Readonly<Record<string, Wrapper>>[] = [TOOL_WRAPPERS, REMOTE_WRAPPERS, SYSTEM_WRAPPERS, HOSTED_WRAPPERS];
/** Other names of the same wrappers. */
const ALSO: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['vi', 'nvim', 'view', 'ex', 'gvim', 'vimdiff', 'rvim'].map((name) => [name, 'vim'])),
  ...Object.fromEntries(['env', 'nice', 'nohup', 'tar', 'make', 'stdbuf'].map((name) => [`g${name}`, name])),
  ...Object.fromEntries(['gnice', 'gsort', 'gsplit'].map((name) => [name, name.slice(1)])),
  sandbox: 'firejail',
  bsdtar: 'tar',
  mariadb: 'mysql',
  byobu: 'tmux',
  apt: 'apt-get',
};

export function wrapperNamed(name: string): Wrapper | undefined {
  const known = Object.hasOwn(ALSO, name)
    ? (ALSO[name] ?? name)
    : name.startsWith('ld') && /^ld-(?:linux|musl)|^ld(?:64)?\.so/.test(name)
      ? 'ld.so'
      : name;
  for (const table of TABLES) if (Object.hasOwn(table, known)) return table[known];
  return undefined;
}

/** The content of a wrapper: the command that it would run, as words or as shell code. */
export interface Unwrapped {
  /** The command inside. Empty: there is none. */
  readonly argv: readonly string[];
  /** The shell code inside. */
  readonly code: readonly string[];
  readonly assigned: readonly (readonly [name: string, value: string])[];
  /** The variables that the wrapper removes. `*`: all of them. */
  readonly unset: readonly string[];
  /** The folder in which the wrapper starts the command. */
  readonly cwd?: string;
}

const NOTHING: Unwrapped = { argv: [], code: [], assigned: [], unset: [] };
const MOST_CODES = 1024;
const CODES = 'the command lines that one command runs';

/** Removes one wrapper from a command. Undefined: `name` is not a wrapper. */
export function unwrapCommand(name: string, argv: readonly string[], stdin: string): Unwrapped | undefined {
  const wrapper = wrapperNamed(name);
  return wrapper && unwrap(wrapper, argv, stdin);
}

export function unwrap(wrapper: Wrapper, argv: readonly string[], stdin = ''): Unwrapped {
  if (wrapper.chained) return unwrapEach(splitChain(argv), { ...wrapper, chained: false }, stdin);
  const taken: Taken = { code: [], assigned: [], unset: [], prefix: [], cwd: undefined, starts: false, idle: false };
  const { freed = '' } = wrapper;
  let operands = freed !== '' && argv.some((word) => isListed(freed, word.replace(/^--?|=.*$/gs, ''))) ? 0 : (wrapper.operands ?? 0);
  let after = false;
  let at = 1;
  for (; at < argv.length && !taken.starts; at++) {
    const word = argv[at] ?? '';
    if (word === '--') {
      after = true;
      if (operands > 0 && !wrapper.dashed) continue;
      at++;
      break;
    }
    if (wrapper.pairs !== undefined && isListed(wrapper.pairs, word.replace(/^--/, ''))) at += 2;
    else if (word.startsWith('-') && word.length > 1 && !after) at += takeOption(wrapper, word, argv[at + 1], taken);
    else if (takesWord(wrapper, word, taken, operands === 0 && wrapper.rest === undefined)) continue;
    else if (wrapper.verbs) return verbOf(wrapper.verbs, argv.slice(at), stdin, taken);
    else if (operands > 0 && word !== '') {
      operands--;
      if (operands === 0 && wrapper.ends) taken.starts = true;
    } else break;
  }
  if (taken.idle || (wrapper.dashed && !after)) return { ...NOTHING, code: taken.code };
  const becomes = wrapper.becomes === undefined ? [] : [wrapper.becomes];
  return gather(wrapper, [...becomes, ...taken.prefix, ...argv.slice(at)], taken, stdin);
}

interface Taken {
  readonly code: string[];
  readonly assigned: (readonly [string, string])[];
  readonly unset: string[];
  readonly prefix: string[];
  cwd: string | undefined;
  /** Whether the command follows the last option. */
  starts: boolean;
  /** Whether an option makes the wrapper run nothing. */
  idle: boolean;
}

function gather(wrapper: Wrapper, rest: readonly string[], taken: Taken, stdin: string): Unwrapped {
  const { code, assigned, unset, cwd, prefix } = taken;
  const base = { assigned, unset, ...(cwd !== undefined && { cwd }) };
  if (prefix.length > 0 && wrapper.assigns) {
    const inner = unwrap({ ...wrapper, splits: '' }, ['', ...rest], stdin);
    return { ...base, ...inner, assigned: [...assigned, ...inner.assigned], unset: [...unset, ...inner.unset] };
  }
  if (wrapper.rest === 'codes') return { ...base, argv: [], code: atMost([...code, ...rest], MOST_CODES, CODES) };
  const isCode = rest.length > 0 && (wrapper.rest === 'code' || wrapper.rest === 'keys');
  const words = wrapper.rest === 'keys' ? rest.filter((word) => !/^(Enter|KPEnter|C-[mj]|Space)$/.test(word)) : rest;
  // A shell reads the words again, so a quoted `~` is the home after all.
  if (isCode)
    return {
      ...base,
      argv: [],
      code: [...code, words.map((word) => word.replace(/^\.\/(?=~)/, '').replace(/(?:\\[nr]|\^M)+$/, '')).join(' ')],
    };
  const alone = rest.length === 0 || wrapper.operands === Number.POSITIVE_INFINITY;
  const typed = alone && wrapper.stdin ? linesOf(wrapper.stdin, stdin) : [];
  return { ...base, argv: rest, code: [...code, ...typed] };
}

function linesOf(wanted: RegExp, stdin: string): readonly string[] {
  return atMost(
    Array.from(stdin.matchAll(wanted), (match) => match[1] ?? ''),
    MOST_CODES,
    CODES,
  );
}

function verbOf(verbs: NonNullable<Wrapper['verbs']>, rest: readonly string[], stdin: string, taken: Taken): Unwrapped {
  const [verb = ''] = rest;
  const inner = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (inner === undefined) return { ...NOTHING, code: taken.code };
  const found = unwrap(inner, rest, stdin);
  return { ...found, code: [...taken.code, ...found.code] };
}

/**
 * Returns whether the wrapper takes a word that is neither an option nor an operand. An assignment in the place of the command counts as an
 * assignment, because its author meant one.
 */
function takesWord({ assigns, clears, keyed }: Wrapper, word: string, taken: Taken, due: boolean): boolean {
  const assignment = assigns || due ? /^([A-Za-z_]\w*(?:%%|\(\))?)=(.*)$/s.exec(word) : null;
  if (assignment) taken.assigned.push([assignment[1] ?? '', assignment[2] ?? '']);
  else if (word === '-') {
    if (clears) taken.unset.push('*');
  } else if (word.startsWith('+') && keyed && isListed(keyed.options, '+')) pushKeyed(keyed.pattern, word.slice(1), taken);
  else {
    if (keyed && isListed(keyed.options, '*')) pushKeyed(keyed.pattern, word, taken);
    return false;
  }
  return true;
}

/** Reads an option and returns how many further words it takes. */
function takeOption(wrapper: Wrapper, word: string, next: string | undefined, taken: Taken): 0 | 1 {
  if (/^--(help|version)$/.test(word) || wrapper.idle?.test(word)) {
    taken.idle = true;
    return 0;
  }
  if (word.startsWith('--') || wrapper.single) {
    const [name = '', value] = split(word.replace(/^--?/, ''));
    return take(wrapper, name, value, next, taken);
  }
  if (takes(wrapper, word.slice(1))) return take(wrapper, word.slice(1), undefined, next, taken);
  for (let i = 1; i < word.length; i++) {
    const letter = word[i] ?? '';
    const attached = word.slice(i + 1);
    if (wrapper.clears?.includes(letter)) taken.unset.push('*');
    if (takes(wrapper, letter)) return take(wrapper, letter, attached === '' ? undefined : attached, next, taken);
  }
  return 0;
}

function takes(wrapper: Wrapper, name: string): boolean {
  const { valued = '', code = '', keyed, splits = '', unsets = '', chdir = '', starts = '' } = wrapper;
  if (name.length === 1 && valued.includes(name)) return true;
  return [code, keyed?.options ?? '', splits, unsets, chdir, starts].some((list) => isListed(list, name));
}

function take(wrapper: Wrapper, given: string, attached: string | undefined, next: string | undefined, taken: Taken): 0 | 1 {
  const { valued = '', long = '', code = '', keyed, splits = '', unsets = '', chdir = '', starts = '', clears = '' } = wrapper;
  const name = given.length > 3 ? completeOption(given, [code, keyed?.options ?? '', splits, unsets, chdir, clears].join(' ')) : given;
  const value = attached ?? next ?? '';
  if (isListed(clears, name)) taken.unset.push('*');
  if (isListed(starts, name)) taken.starts = true;
  else if (isListed(code, name)) taken.code.push(value);
  else if (keyed && isListed(keyed.options, name)) pushKeyed(keyed.pattern, value, taken);
  else if (isListed(splits, name)) {
    taken.prefix.push(...splitWords(value));
    // The words of the value replace the option, so the rest of the line belongs to them.
    if (wrapper.assigns) taken.starts = true;
  } else if (isListed(unsets, name)) taken.unset.push(value);
  else if (isListed(chdir, name)) taken.cwd = value;
  else if (!(name.length === 1 && valued.includes(name)) && !isListed(long, name)) return 0;
  return attached === undefined && !isListed(starts, name) ? 1 : 0;
}

function pushKeyed(pattern: RegExp, value: string, { code }: Taken): void {
  const inner = pattern
    .exec(value)
    ?.slice(1)
    .find((group) => group !== undefined);
  if (inner !== undefined) code.push(inner);
}

/** Returns the option for a prefix of its name. */
function completeOption(name: string, list: string): string {
  return list.split(' ').find((each) => each.startsWith(name)) ?? name;
}

function isListed(list: string, name: string): boolean {
  return name !== '' && ` ${list} `.includes(` ${name} `);
}

function split(option: string): readonly [string, string | undefined] {
  const at = option.indexOf('=');
  return at === -1 ? [option, undefined] : [option.slice(0, at), option.slice(at + 1)];
}

/** Splits a text as `env -S` does, which supports quotes only. */
function splitWords(text: string): readonly string[] {
  return Array.from(text.matchAll(/"([^"]*)"|'([^']*)'|\S+/g), (match) => match[1] ?? match[2] ?? match[0]);
}

/** Splits `tmux a \; b` into its commands. */
function splitChain(argv: readonly string[]): readonly (readonly string[])[] {
  const all: string[][] = [[]];
  for (const word of argv.slice(1)) {
    if (word === ';' || word === '\\;') all.push([]);
    else all.at(-1)?.push(word);
  }
  return atMost(all, MOST_CODES, CODES);
}

function unwrapEach(all: readonly (readonly string[])[], wrapper: Wrapper, stdin: string): Unwrapped {
  const found = all.map((words) => unwrap(wrapper, ['', ...words], stdin));
  return { ...NOTHING, argv: found[0]?.argv ?? [], code: found.flatMap(({ code }) => code) };
}
