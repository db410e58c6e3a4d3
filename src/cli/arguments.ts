/** A strict reading of the command line by a table of options. An unknown option is a problem, never a guess. */
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
  const values = new Map<string, string[]>();
  const positionals: string[] = [];
  const words = argv.values();
  for (const word of words) {
    if (word === '--') {
      positionals.push(...words);
    } else if (!word.startsWith('-') || word === '-') {
      positionals.push(word);
    } else {
      const read = readOption(word, words, spec);
      if ('message' in read) return read;
      const { option, value } = read;
      const given = values.get(option.name);
      if (given && option.value !== undefined && !option.repeatable)
        return usage(spec, `\`--${option.name}\` is given twice.`, 'Give it once.');
      values.set(option.name, [...(given ?? []), ...(value === undefined ? [] : [value])]);
    }
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
  return ownWords(argv).includes('--json');
}

/** Returns the words before `--`. The words after it are arguments, also if they look like options. */
export function ownWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return end === -1 ? argv : argv.slice(0, end);
}

export function usageError(message: string, hint?: string): CommandError {
  return new CommandError({ exit: EXIT.usage, code: 'usage', message, ...(hint !== undefined && { hint }) });
}

/** @param next The words behind this one, of which an option without `=` takes its value. */
function readOption(
  word: string,
  next: IterableIterator<string>,
  spec: CommandSpec,
): { readonly option: OptionSpec; readonly value: string | undefined } | UsageProblem {
  const [written] = word.split('=', 1) as [string];
  const inline = written === word ? undefined : word.slice(written.length + 1);
  const option = spec.options.find(({ name }) => written === `--${name}`);
  if (!option) return unknownOption(written, spec);
  if (option.value === undefined) {
    return inline === undefined ? { option, value: inline } : usage(spec, `\`${written}\` takes no value.`, `Write \`${written}\` alone.`);
  }
  const value = inline ?? (next.next().value as string | undefined);
  // Another option in the place of a value is a value that was forgotten.
  if (value === undefined || (inline === undefined && value.startsWith('--'))) {
    return usage(spec, `\`${written}\` needs a value.`, `Write \`${written} ${option.value}\` or \`${written}=${option.value}\`.`);
  }
  return { option, value };
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
