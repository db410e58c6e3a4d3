/** Builtins that change the state of the shell (directory, variables, arguments) or run text as code. */

import { spend } from '../../limits.ts';
import { codeInNames, subscriptCode } from '../expand/arithmetic.ts';
import { outputOf } from '../flow/output.ts';
import { DECODED, PRIVATE, UNKNOWN } from '../marks.ts';
import { type Scope, setAlias, setHashed, type Value } from '../scope.ts';
import type { Invocation } from './invoke.ts';
import { readInto } from './reading.ts';

/**
 * Runs `export`, `declare`, `local`, `readonly`, `typeset` or `alias`. Returns whether it set or marked a variable. Without arguments these
 * commands only print.
 */
export function declare(name: string, { argv, scope, machine, place }: Invocation): boolean {
  const args = argv.slice(1);
  const flags = args.filter((arg) => /^-[A-Za-z]+$/.test(arg)).join('');
  const words = args.filter((arg) => /^[A-Za-z_][\w.!?%:@-]*(\+?=|$)/.test(arg));
  if (words.length === 0 || flags.includes('p')) return false;
  for (const [variable, { values, appends }] of groupByVariable(words)) {
    if (name === 'alias') {
      for (const [code = ''] of values ?? []) {
        setAlias(variable, code, scope);
        machine.runText(code, scope.child(), place);
      }
      continue;
    }
    if (name === 'local' || ((name === 'declare' || name === 'typeset') && !flags.includes('g'))) scope.localise(variable);
    if (flags.includes('n') && name !== 'export' && name !== 'readonly') {
      for (const [to = ''] of values ?? []) if (NAME.test(to)) scope.refer(variable, to);
      continue;
    }
    if (flags.includes('l') || flags.includes('u')) scope.mark(variable, flags.includes('l') ? 'l' : 'u');
    if (values !== undefined) scope.set(variable, appends ? appendedValues(scope, variable, values) : values);
    else if (name === 'local' && !scope.isSet(variable)) scope.unset(variable);
    // The shell runs this code before every prompt.
    if (variable === 'PROMPT_COMMAND') for (const [code = ''] of values ?? []) machine.runText(code, scope.child(), place);
    if (name === 'export' || flags.includes('x')) scope.export(variable);
    if (name === 'readonly' || flags.includes('r')) scope.mark(variable, 'r');
  }
  return true;
}

/** A variable, or an element of an array. */
const NAME = /^[A-Za-z_]\w*(?:\[[^\]]*\])?$/;

interface Declared {
  readonly values: readonly Value[] | undefined;
  readonly appends: boolean;
}

/**
 * Groups assignments by variable. A word with several readings arrives as several words, and these are the possible values of one variable.
 */
function groupByVariable(words: readonly string[]): ReadonlyMap<string, Declared> {
  const all = new Map<string, { values: Value[] | undefined; appends: boolean }>();
  for (const word of words) {
    const [, variable = '', plus, text] = /^([^+=]+)(?:(\+?)=(.*))?$/s.exec(word) ?? [];
    const values = all.get(variable)?.values ?? (text === undefined ? undefined : []);
    if (text !== undefined) values?.push([text]);
    all.set(variable, { values, appends: plus === '+' });
  }
  return all;
}

function appendedValues(scope: Scope, variable: string, values: readonly Value[]): readonly Value[] {
  const old = scope.get(variable) ?? [['']];
  spend((old.length * values.length) / 4);
  return old.flatMap(([before = '']) => values.map(([text = '']) => [before + text]));
}

/** Commands that the shell runs itself. A file on the path never replaces them. */
export const BUILTINS: ReadonlySet<string> = new Set(
  `. : [ alias bg bind break builtin caller cd command compgen complete continue declare dirs disown echo enable eval exec exit export
  false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set
  shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait`.split(/\s+/),
);

/** Builtins that expand the subscript of an array once more. */
const EVALUATES_SUBSCRIPTS: ReadonlySet<string> = new Set(
  'printf read mapfile readarray unset let test [ declare typeset local export wait'.split(' '),
);

/** Runs the code that `-C` names: a command for each line that is read, or for words that complete another one. */
function runCallback(args: readonly string[], { scope, place, machine }: Invocation): void {
  const at = args.findIndex((word) => /^-\w*C$/.test(word));
  const code = at === -1 ? undefined : args[at + 1];
  if (code !== undefined) machine.runText(code, scope.child(), place);
}

/** Builtins that calculate a value if an option says that it is a number. */
const DECLARES = /^(?:declare|typeset|local|export|readonly)$/;

/** Runs a builtin and returns its output. Undefined: `name` is not such a builtin. */
export function builtin(name: string, invocation: Invocation): string | undefined {
  if (!BUILTINS.has(name)) return undefined;
  const { argv, scope, wiring, place, machine } = invocation;
  const args = argv.slice(1);
  if (EVALUATES_SUBSCRIPTS.has(name)) for (const code of args.flatMap(subscriptCode)) machine.runText(code, scope.child(), place);
  if (name === 'let' || (DECLARES.test(name) && args.some((word) => /^-[a-zA-Z]*i/.test(word))))
    for (const code of args.flatMap((word) => codeInNames(word, scope))) machine.runText(code, scope.child(), place);
  switch (name) {
    case 'cd':
    case 'pushd':
      moveTo(
        args.at(-1) === '-' ? previousFolder(scope) : changeDirectory(scope.cwd, behindLink(operandsIn(args)[0] ?? '~', machine)),
        scope,
      );
      return '';
    case 'popd':
      moveTo(UNKNOWN, scope);
      return '';
    case 'eval':
      return machine.runText(codeOf(args), scope, place);
    case 'trap': {
      const [code] = operandsIn(args);
      return code === undefined || code === '-' ? '' : machine.runText(code, scope.child(), place);
    }
    case 'history':
      // `fc -s` and the arrow keys run the last line of the history.
      if (args[0] === '-s') machine.runText(codeOf(args.slice(1)), scope.child(), place);
      return undefined;
    case 'compgen':
    case 'complete':
      runCallback(args, invocation);
      return undefined;
    case 'read':
    case 'mapfile':
    case 'readarray':
      if (name !== 'read') runCallback(args, invocation);
      readInto(name, invocation);
      return '';
    case 'alias':
    case 'declare':
    case 'export':
    case 'local':
    case 'readonly':
    case 'typeset':
      return declare(name, invocation) ? '' : undefined;
    case 'hash':
      if (/^-\w*p$/.test(args[0] ?? '') && args[1] !== undefined) for (const each of args.slice(2)) setHashed(each, args[1], scope);
      return '';
    case 'printf':
      if (args[0] !== '-v' || args[1] === undefined) return undefined;
      scope.set(args[1], [[outputOf({ name, argv: ['printf', ...args.slice(2)], stdin: '', cwd: scope.cwd, files: machine.files })]]);
      return '';
    case 'set':
      setArguments(args, scope);
      return args.length === 0 ? PRIVATE + UNKNOWN : '';
    case 'unset':
      if (!args.includes('-f')) for (const variable of operandsIn(args)) scope.unset(variable);
      return undefined;
    case 'shift':
      if (scope.maybe === 0) scope.args = scope.args?.slice(Number(args[0] ?? 1) || 1);
      return '';
    case 'exec':
      if (args.length > 0) return undefined;
      scope.fds = wiring.fds;
      scope.stdin = wiring.stdin;
      return '';
    default:
      return undefined;
  }
}

function operandsIn(args: readonly string[]): readonly string[] {
  return args.filter((arg) => !/^-./.test(arg));
}

/** Returns the code of `eval`. The mark for decoded text is removed, because its origin has been recorded before. */
function codeOf(args: readonly string[]): string {
  // `./~` is a `~` in quotes, which the second reading takes for the home.
  return args
    .slice(args[0] === '--' ? 1 : 0)
    .map((arg) => (arg.startsWith('./~') ? arg.slice(2) : arg))
    .join(' ')
    .replaceAll(DECODED, '');
}

/** Reads `set -- a b`, `set a b` and `set -eu a b`. Options alone keep the arguments. */
function setArguments(args: readonly string[], scope: Scope): void {
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (word === '--') scope.args = args.slice(at + 1);
    else if (/^[-+]\w*o$/.test(word)) {
      at++;
      continue;
    } else if (/^[-+]./.test(word)) continue;
    else scope.args = args.slice(at);
    return;
  }
}

/** Returns the folder behind a link that the same script has made. */
function behindLink(path: string, { files }: Invocation['machine']): string {
  return files.behind(path) ?? files.throughLink(path);
}

function moveTo(cwd: string, scope: Scope): void {
  scope.set('OLDPWD', [[scope.cwd === '' ? UNKNOWN : scope.cwd]]);
  scope.cwd = cwd;
}

function previousFolder(scope: Scope): string {
  return scope.get('OLDPWD')?.at(-1)?.[0] ?? UNKNOWN;
}

function changeDirectory(cwd: string, to: string): string {
  if (to === '.' && cwd !== '') return cwd;
  if (/^[/~]/.test(to) || cwd === '' || to.startsWith(UNKNOWN)) return to;
  return `${cwd}/${to}`;
}
