/** `export`, `declare`, `local`, `readonly`, `typeset`, `alias`: words that set variables, with what the options say about them. */
import { setAlias } from './hashed.ts';
import type { Invocation } from './invoke.ts';
import type { Scope, Value } from './scope.ts';

const MOST_VALUES = 64;

/** True if it has set or marked something; alone, these commands print. */
export function declare(name: string, { argv, scope, machine, place }: Invocation): boolean {
  const args = argv.slice(1);
  const flags = args.filter((arg) => /^-[A-Za-z]+$/.test(arg)).join('');
  const words = args.filter((arg) => /^[A-Za-z_][\w.!?%:@-]*(\+?=|$)/.test(arg));
  if (words.length === 0 || flags.includes('p')) return false;
  for (const [variable, { values, appends }] of grouped(words)) {
    if (name === 'alias') {
      for (const [code = ''] of values ?? []) {
        setAlias(variable, code, scope);
        machine.runText(code, scope.child(), place);
      }
      continue;
    }
    if (name === 'local' || ((name === 'declare' || name === 'typeset') && !flags.includes('g'))) scope.localise(variable);
    if (flags.includes('l') || flags.includes('u')) scope.mark(variable, flags.includes('l') ? 'l' : 'u');
    if (values !== undefined) scope.set(variable, appends ? joined(scope, variable, values) : values);
    else if (name === 'local' && !scope.isSet(variable)) scope.unset(variable);
    // The shell runs it before every prompt.
    if (variable === 'PROMPT_COMMAND') for (const [code = ''] of values ?? []) machine.runText(code, scope.child(), place);
    if (name === 'export' || flags.includes('x')) scope.export(variable);
    if (name === 'readonly' || flags.includes('r')) scope.mark(variable, 'r');
  }
  return true;
}

interface Declared {
  readonly values: readonly Value[] | undefined;
  readonly appends: boolean;
}

/** A word with several readings comes as several words; they are the values that one variable may have. */
function grouped(words: readonly string[]): ReadonlyMap<string, Declared> {
  const all = new Map<string, Declared>();
  for (const word of words) {
    const [, variable = '', plus, text] = /^([^+=]+)(?:(\+?)=(.*))?$/s.exec(word) ?? [];
    const before = all.get(variable)?.values;
    const values = text === undefined ? before : [...(before ?? []).slice(1 - MOST_VALUES), [text]];
    all.set(variable, { values, appends: plus === '+' });
  }
  return all;
}

function joined(scope: Scope, variable: string, values: readonly Value[]): readonly Value[] {
  return (scope.get(variable) ?? [['']]).flatMap(([before = '']) => values.map(([text = '']) => [before + text]));
}
