/**
 * Reads a subcommand's words as git does: options and operands in any order until `--`, letters in clusters, long names by any
 * unambiguous beginning, the last of `--x` and `--no-x` wins. Words of which only a part is known count as all they may be.
 */
import { isDynamic } from '../../shell/marks.ts';
import { type OptionForm, type Syntax, syntaxOf } from './syntax.ts';

export interface Given {
  readonly name: string;
  readonly on: boolean;
  readonly value?: string;
  /** Only a part of the word is known, and this is one of the options it may be. */
  readonly maybe?: true;
}

export interface Options {
  /** In the order they stand. */
  readonly given: readonly Given[];
  readonly operands: readonly string[];
  /** How many operands stand before `--`; undefined if there is none. */
  readonly dashes: number | undefined;
  /** It only tells how it is used. */
  readonly help: boolean;
  /** Something that is written as an option is known only in part. */
  readonly partial: boolean;
  /** Whether one of the options holds in the end, or may hold. */
  has(...names: readonly string[]): boolean;
  /** Whether one of them holds for certain: for options that make a command harmless. */
  sure(...names: readonly string[]): boolean;
  /** Its last value, unless it was taken back. */
  value(name: string): string | undefined;
  values(name: string): readonly string[];
}

const MOST_GIVEN = 10_000;

/** `verbatim`: the first operand ends the options, for what follows is another command. */
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
  return { ...queries(state), operands: state.operands, dashes, help: state.help, partial: state.partial, given: state.given };
}

interface State {
  readonly syntax: Syntax;
  readonly given: Given[];
  readonly operands: string[];
  help: boolean;
  partial: boolean;
  /** A word may be any of the letters. */
  any: boolean;
}

/** How many further words it takes. */
function takeLong(text: string, next: string | undefined, state: State): 0 | 1 {
  const equals = text.indexOf('=');
  const name = equals === -1 ? text : text.slice(0, equals);
  if (isDynamic(name)) return takePartial(name, state);
  if (name === 'help') state.help = true;
  const found = named(name, state.syntax);
  const attached = equals === -1 ? undefined : text.slice(equals + 1);
  if (found === undefined) {
    note(state, { name, on: true, ...worth(attached) });
    return 0;
  }
  const { form, on } = found;
  const taken = on && form.value === 'required' && attached === undefined;
  note(state, { name: form.name, on, ...worth(taken ? next : attached) });
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
      note(state, { name: form.name, on: true, ...worth(attached !== '' ? attached : next) });
      return attached === '' ? 1 : 0;
    }
    note(state, { name: form?.name ?? letter, on: form?.on ?? true });
  }
  return 0;
}

/** Any letter; those that have a long name as well stand for it. */
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

function named(name: string, syntax: Syntax): { readonly form: OptionForm; readonly on: boolean } | undefined {
  const form = begun(name, syntax);
  if (form) return { form, on: true };
  const negated = name.startsWith('no-') ? begun(name.slice(3), syntax) : undefined;
  return negated && { form: negated, on: false };
}

/**
 * An exact name wins; a beginning counts if only one option has it. Where the others only lengthen the first, git refuses in some
 * versions and not in others, so it counts as well.
 */
function begun(name: string, { long }: Syntax): OptionForm | undefined {
  const exact = long.get(name);
  if (exact) return exact;
  const found = [...long.values()].filter((option) => option.name.startsWith(name)).sort((a, b) => a.name.length - b.name.length);
  const [first] = found;
  return first && found.every((option) => option.name.startsWith(first.name)) ? first : undefined;
}

function note({ given }: State, option: Given): void {
  if (given.length < MOST_GIVEN) given.push(option);
}

function worth(value: string | undefined): Pick<Given, 'value'> {
  return value === undefined ? {} : { value };
}

function queries({ given }: State): Pick<Options, 'has' | 'sure' | 'value' | 'values'> {
  const last = (name: string): Given | undefined => given.findLast((option) => option.name === name);
  return {
    has: (...names) => names.some((name) => last(name)?.on === true),
    sure: (...names) => names.some((name) => given.findLast((option) => option.name === name && !option.maybe)?.on === true),
    value: (name) => (last(name)?.on ? last(name)?.value : undefined),
    values: (name) => given.flatMap((option) => (option.name === name && option.on && option.value !== undefined ? [option.value] : [])),
  };
}
