/**
 * Parses the words of a subcommand as git does. Options and operands come in any order until `--`. Letters form clusters, and long names
 * have any unambiguous prefix. The last of `--x` and `--no-x` wins. A partly known word counts as every option it can be.
 */
import { isDynamic } from '../../shell/marks.ts';
import { type OptionForm, type Syntax, syntaxOf } from './syntax.ts';

export interface Given {
  readonly name: string;
  readonly on: boolean;
  readonly value?: string;
  /** Whether only a part of the word is known, so that this is one possible option. */
  readonly maybe?: true;
}

export interface Options {
  /** In the order of the command line. */
  readonly given: readonly Given[];
  readonly operands: readonly string[];
  /** Number of operands before `--`. Undefined: there is no `--`. */
  readonly dashes: number | undefined;
  /** Whether the command only prints its usage. */
  readonly help: boolean;
  /** Whether a word that looks like an option is known only in part. */
  readonly partial: boolean;
  /** Returns whether one of the options is on, or can be on. */
  has(...names: readonly string[]): boolean;
  /** Returns whether one of the options is certainly on. For options that make a command harmless. */
  sure(...names: readonly string[]): boolean;
  /** Returns the last value, unless a later option negates it. */
  value(name: string): string | undefined;
  values(name: string): readonly string[];
}

const MOST_GIVEN = 10_000;

/**
 * Parses the options of a subcommand.
 *
 * @param verbatim Whether the first operand ends the options, because another command follows.
 */
export function readOptions(subcommand: string, args: readonly string[], verbatim = false): Options {
  const state: State = { syntax: syntaxOf(subcommand), given: [], operands: [], help: false, partial: false, any: false };
  let dashes: number | undefined;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (dashes !== undefined || !/^-./.test(word)) {
      if (verbatim) {
        state.operands.push(...args.slice(at));
        break;
      }
      state.operands.push(word);
    } else if (word === '--') dashes = state.operands.length;
    else at += word.startsWith('--') ? takeLong(word.slice(2), args[at + 1], state) : takeLetters(word.slice(1), args[at + 1], state);
  }
  return optionsOf(state, dashes);
}

interface State {
  readonly syntax: Syntax;
  readonly given: Given[];
  readonly operands: string[];
  help: boolean;
  partial: boolean;
  /** Whether a word can be any letter. */
  any: boolean;
}

/** Reads a long option and returns how many further words it takes. */
function takeLong(text: string, next: string | undefined, state: State): 0 | 1 {
  const equals = text.indexOf('=');
  const name = equals === -1 ? text : text.slice(0, equals);
  if (isDynamic(name)) return takePartial(name, state);
  if (name === 'help') state.help = true;
  const found = findOption(name, state.syntax);
  const attached = equals === -1 ? undefined : text.slice(equals + 1);
  if (found === undefined) {
    note(state, { name, on: true, ...withValue(attached) });
    return 0;
  }
  const { form, on } = found;
  const taken = on && form.value === 'required' && attached === undefined;
  note(state, { name: form.name, on, ...withValue(taken ? next : attached) });
  return taken ? 1 : 0;
}

function takeLetters(text: string, next: string | undefined, state: State): 0 | 1 {
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] ?? '';
    if (isDynamic(letter)) {
      takeAny(state);
      return 0;
    }
    const form = state.syntax.short.get(letter);
    if (letter === 'h' && form === undefined) state.help = true;
    const attached = text.slice(i + 1);
    if (form !== undefined && (form.value === 'required' || (form.value === 'attached' && attached !== ''))) {
      note(state, { name: form.name, on: true, ...withValue(attached !== '' ? attached : next) });
      return attached === '' ? 1 : 0;
    }
    note(state, { name: form?.name ?? letter, on: form?.on ?? true });
  }
  return 0;
}

/** Notes every letter as possible. A letter with a long name is noted by that name. */
function takeAny(state: State): void {
  if (state.any) return;
  [state.partial, state.any] = [true, true];
  for (const { name, on } of state.syntax.short.values()) note(state, { name, on, maybe: true });
}

function takePartial(name: string, state: State): 0 {
  const known = /^[\w-]*/.exec(name)?.[0] ?? '';
  state.partial = true;
  for (const long of state.syntax.long.keys()) if (long.startsWith(known)) note(state, { name: long, on: true, maybe: true });
  return 0;
}

function findOption(name: string, syntax: Syntax): { readonly form: OptionForm; readonly on: boolean } | undefined {
  const form = findByPrefix(name, syntax);
  if (form) return { form, on: true };
  const negated = name.startsWith('no-') ? findByPrefix(name.slice(3), syntax) : undefined;
  return negated && { form: negated, on: false };
}

/**
 * Returns the option with this exact name or unambiguous prefix. If all other candidates extend the shortest one, only some versions of git
 * reject the prefix, so the shortest one counts.
 */
function findByPrefix(name: string, { long }: Syntax): OptionForm | undefined {
  const exact = long.get(name);
  if (exact) return exact;
  const found = [...long.values()].filter((option) => option.name.startsWith(name)).sort((a, b) => a.name.length - b.name.length);
  const [first] = found;
  return first && found.every((option) => option.name.startsWith(first.name)) ? first : undefined;
}

function note({ given }: State, option: Given): void {
  if (given.length < MOST_GIVEN) given.push(option);
}

function withValue(value: string | undefined): Pick<Given, 'value'> {
  return value === undefined ? {} : { value };
}

/** One literal without a spread, because every git command is read more than once. */
function optionsOf({ given, operands, help, partial }: State, dashes: number | undefined): Options {
  const last = (name: string): Given | undefined => given.findLast((option) => option.name === name);
  return {
    given,
    operands,
    dashes,
    help,
    partial,
    has: (...names) => given.length > 0 && names.some((name) => last(name)?.on === true),
    sure: (...names) =>
      given.length > 0 && names.some((name) => given.findLast((option) => option.name === name && !option.maybe)?.on === true),
    value: (name) => (last(name)?.on ? last(name)?.value : undefined),
    values: (name) => given.flatMap((option) => (option.name === name && option.on && option.value !== undefined ? [option.value] : [])),
  };
}
