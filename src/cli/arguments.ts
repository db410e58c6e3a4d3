/** A strict reading of the command line by a table of options. What it does not know is a problem, never a guess. */
import { suggest } from '../core/values/suggest.ts';
import { CommandError, type CommandSpec, EXIT, type OptionSpec } from './command.ts';

export interface Arguments {
  readonly positionals: readonly string[];
  /** By option name; a switch that was given has an empty list. */
  readonly values: ReadonlyMap<string, readonly string[]>;
}

export interface UsageProblem {
  readonly message: string;
  readonly hint: string;
}

export function parseArguments(argv: readonly string[], spec: CommandSpec): Arguments | UsageProblem {
  const positionals: string[] = [];
  const values = new Map<string, string[]>();
  for (let i = 0; i < argv.length; i++) {
    const word = argv[i] as string;
    if (word === '--') {
      positionals.push(...argv.slice(i + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      positionals.push(word);
      continue;
    }
    const read = readOption(word, argv[i + 1], spec);
    if ('message' in read) return read;
    const { option, value, tookNext } = read;
    const given = values.get(option.name);
    if (given && option.value !== undefined && !option.repeatable)
      return usage(spec, `\`--${option.name}\` is given twice.`, 'Give it once.');
    values.set(option.name, [...(given ?? []), ...(value === undefined ? [] : [value])]);
    if (tookNext) i++;
  }
  return countWords(positionals, spec) ?? { positionals, values };
}

export function hasFlag(args: Arguments, name: string): boolean {
  return args.values.has(name);
}

export function optionValue(args: Arguments, name: string): string | undefined {
  return args.values.get(name)?.[0];
}

export function optionValues(args: Arguments, name: string): readonly string[] {
  return args.values.get(name) ?? [];
}

/** Whether a command line asks for JSON, read before it is known to be well formed. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
}

export function usageError(message: string, hint?: string): CommandError {
  return new CommandError({ exit: EXIT.usage, code: 'usage', message, ...(hint !== undefined && { hint }) });
}

type Read = { readonly option: OptionSpec; readonly value?: string; readonly tookNext: boolean } | UsageProblem;

function readOption(word: string, next: string | undefined, spec: CommandSpec): Read {
  const equals = word.indexOf('=');
  const written = equals === -1 ? word : word.slice(0, equals);
  const option = spec.options.find(({ name }) => `--${name}` === written);
  if (!option) return unknownOption(written, spec);
  if (option.value === undefined) {
    return equals === -1 ? { option, tookNext: false } : usage(spec, `\`${written}\` takes no value.`, `Write \`${written}\` alone.`);
  }
  if (equals !== -1) return { option, value: word.slice(equals + 1), tookNext: false };
  // Another option in the place of a value is a value that was forgotten.
  if (next === undefined || next.startsWith('--')) {
    return usage(spec, `\`${written}\` needs a value.`, `Write \`${written} ${option.value}\` or \`${written}=${option.value}\`.`);
  }
  return { option, value: next, tookNext: true };
}

function unknownOption(written: string, spec: CommandSpec): UsageProblem {
  const known = spec.options.map(({ name }) => name);
  const near = suggest(written.replace(/^-+/, ''), known);
  return usage(
    spec,
    `\`hookline ${spec.name}\` has no option \`${written}\`.`,
    near === undefined ? undefined : `Did you mean \`--${near}\`?`,
  );
}

function countWords(positionals: readonly string[], spec: CommandSpec): UsageProblem | undefined {
  const { min, max, missing } = spec.words;
  if (positionals.length < min) return usage(spec, missing, undefined);
  if (positionals.length <= max) return undefined;
  const surplus = positionals[max] as string;
  return usage(
    spec,
    `\`hookline ${spec.name}\` does not know what to do with \`${surplus}\`.`,
    `Usage: hookline ${spec.name} ${spec.takes} [options]`,
  );
}

function usage({ name }: CommandSpec, message: string, hint: string | undefined): UsageProblem {
  return { message, hint: hint ?? `\`hookline ${name} --help\` shows what there is.` };
}
