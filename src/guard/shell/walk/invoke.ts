/**
 * One command with its fields resolved: notes it, then follows it into what it runs — a function, a wrapped command, code given to a
 * shell, the commands that `xargs` or `find` build — and gives back what it prints.
 */
import type { Function as FunctionNode } from 'unbash';
import { BUILTINS, builtin } from './builtins.ts';
import { carriedBy } from './carriers.ts';
import { shellTexts } from './foreign.ts';
import { guessedAs, guessedFrom } from './guesses.ts';
import { aliasOf, hashedOf } from './hashed.ts';
import { leave } from './leaves.ts';
import { type Effective, lineOf, type Machine, type Place, type Program } from './machine.ts';
import { DECODED, isDynamic, isOpaque, originsOf, REMOTE, UNKNOWN } from './marks.ts';
import { commandName, effective, noteRun } from './noted.ts';
import { outputOf } from './output.ts';
import { powershellCommands } from './powershell.ts';
import { isInterpreter, operandsOf, programOf, startupFiles } from './programs.ts';
import type { Wiring } from './redirects.ts';
import type { Scope } from './scope.ts';
import { type Unwrapped, unwrapped } from './wrappers.ts';

export interface Invocation {
  readonly argv: readonly string[];
  readonly scope: Scope;
  readonly wiring: Wiring;
  readonly place: Place;
  readonly machine: Machine;
}

/** What they print comes from another machine. */
const REMOTE_SHELLS = /^(ssh|slogin|autossh)$/;

export function invoke(invocation: Invocation): string {
  const { argv, scope, machine } = invocation;
  const [word] = argv;
  if (word === undefined) return '';
  return machine.deeper(() => {
    machine.spend(8 + argv.length / 4);
    const defined = scope.functionNamed(word);
    if (defined && !machine.running.has(defined)) return callFunction(defined, invocation);
    const other = renamed(word, invocation);
    if (other !== undefined) return other();
    const name = commandName(word);
    const program = programOf(name, argv, invocation.wiring.stdin, machine.files);
    const command = effective(name, invocation, program);
    machine.commands.push(command);
    noteRun(name, program, invocation);
    if (isDynamic(name)) return UNKNOWN;
    return builtin(name, invocation) ?? follow(name, program, invocation) ?? print(command, invocation);
  });
}

/** What runs in place of a name that the script has given to something else. */
function renamed(word: string, { argv, scope, wiring, place, machine }: Invocation): (() => string) | undefined {
  const via = [...place.via, word];
  const alias = place.via.includes(word) ? undefined : aliasOf(word, scope);
  if (alias !== undefined) return () => machine.runText([alias, ...argv.slice(1).map(quote)].join(' '), scope, { ...place, via });
  const path = BUILTINS.has(word) ? undefined : hashedOf(word, scope);
  return path === undefined
    ? undefined
    : () => invoke({ argv: [path, ...argv.slice(1)], scope, wiring, place: { ...place, via }, machine });
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function callFunction(node: FunctionNode, { argv, scope, wiring, place, machine }: Invocation): string {
  const { args, stdin } = scope;
  machine.running.add(node);
  machine.called.add(node);
  scope.args = argv.slice(1);
  scope.stdin = wiring.stdin;
  scope.enter();
  try {
    return machine.runNode(node.body, scope, { ...place, line: lineOf(place, node.pos) });
  } finally {
    machine.running.delete(node);
    scope.leave();
    scope.args = args;
    scope.stdin = stdin;
  }
}

function follow(name: string, program: Program | undefined, outer: Invocation): string | undefined {
  const { argv, scope, place, wiring, machine } = outer;
  const invocation = { ...outer, place: { ...place, via: [...place.via, program?.from === 'argument' ? `${name} -c` : name] } };
  if (program) return runProgram(name, program, invocation);
  const carried = carriedBy(name, argv, wiring.stdin, machine.files, nested(place, name) ? {} : scope.environment());
  if (carried) {
    const printed = carried.argvs.map((inner) => originsOf(invoke({ ...invocation, argv: inner }))).join('');
    for (const inner of carried.guesses ?? []) invoke({ ...guess(invocation), argv: inner });
    for (const code of carried.code) runGiven(code, invocation);
    if (carried.more) machine.doubts.push({ why: 'it runs too many commands to look at each', line: place.line, limit: true });
    return printed === '' ? undefined : printed + UNKNOWN;
  }
  const inner = unwrapped(name, argv, isOpaque(wiring.stdin) && originsOf(wiring.stdin) === '' ? '' : wiring.stdin);
  if (inner) {
    const printed = runWrapped(inner, invocation);
    return REMOTE_SHELLS.test(name) ? REMOTE : printed;
  }
  if (wiring.fds.get(0) === 'text' && !place.guessed && !isInterpreter(name) && !isDynamic(wiring.stdin)) {
    const text = guessedFrom(name, wiring.stdin);
    if (text !== undefined) runCode(text, guess(invocation));
  }
  return undefined;
}

function runWrapped({ argv, code, assigned, unset, cwd }: Unwrapped, invocation: Invocation): string | undefined {
  const { scope } = invocation;
  const below = unset.includes('*') ? scope.bare() : assigned.length + unset.length > 0 || cwd !== undefined ? scope.child() : scope;
  for (const variable of unset) below.unset(variable);
  for (const [variable, value] of assigned) {
    below.set(variable, [[value]]);
    below.export(variable);
  }
  if (cwd !== undefined) below.cwd = cwd;
  const printed = code.map((text) => runGiven(text, { ...invocation, scope: below }));
  if (argv.length > 0) printed.push(invoke({ ...invocation, argv, scope: below }));
  return printed.length > 0 ? printed.join('') : undefined;
}

/** A program that git starts may be git again, with the same environment: there is an end to following that. */
function nested({ via }: Place, name: string): boolean {
  return via.includes(name);
}

function guess(invocation: Invocation): Invocation {
  return { ...invocation, place: { ...invocation.place, guessed: true } };
}

function runProgram(name: string, program: Program, invocation: Invocation): string | undefined {
  const { language, text, from } = program;
  if (language === 'shell')
    for (const path of startupFiles(name, invocation.argv, invocation.scope)) invoke({ ...invocation, argv: ['.', path] });
  if (text === undefined) return undefined;
  if (language === 'powershell') {
    for (const argv of powershellCommands(text)) invoke({ ...invocation, argv });
    return undefined;
  }
  if (language !== 'shell') {
    for (const code of shellTexts(text, name)) runCode(code, invocation);
    const shell = invocation.place.guessed ? undefined : guessedAs(text);
    if (shell !== undefined) runCode(shell, guess(invocation));
    return undefined;
  }
  const operands = operandsOf(invocation.argv);
  const args = from === 'argument' ? operands.slice(1) : from === 'file' ? operands.slice(1) : operands;
  // A shell that reads its program shares its input with what it runs: how much of it is left for them is not known.
  const below = from === 'stdin' ? { ...invocation, wiring: { ...invocation.wiring, stdin: UNKNOWN } } : invocation;
  // Decoded text is judged as what it decodes to; where it comes from is told by then.
  return runCode(text.replaceAll(DECODED, ''), below, args, from === 'argument' ? operands[0] : undefined);
}

/** Code of which nothing is known is noted as what a shell is given. */
function runGiven(code: string, invocation: Invocation): string {
  return isOpaque(code) ? invoke({ ...invocation, argv: ['sh', '-c', code] }) : runCode(code, invocation);
}

/** Evaluates code in a shell of its own. */
function runCode(code: string, { scope, wiring, place, machine }: Invocation, args?: readonly string[], self?: string): string {
  const inner = scope.child();
  inner.stdin = wiring.stdin;
  inner.fds = wiring.fds;
  if (args) inner.args = args;
  if (self !== undefined) inner.set('0', [[self]]);
  return machine.runText(code, inner, place);
}

function print(command: Effective, invocation: Invocation): string {
  const text = outputOf({ ...command, files: invocation.machine.files });
  return leave(command, invocation, text);
}
