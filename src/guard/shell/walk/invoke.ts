/**
 * Invokes one command with resolved words. It records the command, follows it into the code it runs and returns its output. That code is a
 * function, a wrapped command, a program for a shell, or the commands that `xargs` or `find` build.
 */
import type { Function as FunctionNode } from 'unbash';
import { atMost, spend } from '../../limits.ts';
import { codeReaders } from '../code-readers.ts';
import { STDOUT, type Wiring } from '../expand/redirects.ts';
import { outputOf } from '../flow/output.ts';
import { flavourOf } from '../foreign/flavour.ts';
import { type EffectiveCommand, lineOf, type Machine, type Place, type Program } from '../machine.ts';
import { DECODED, isDynamic, isOpaque, originsOf, REMOTE, UNKNOWN } from '../marks.ts';
import { namesIn } from '../names.ts';
import { carriedBy } from '../programs/carriers.ts';
import { itemsOf } from '../programs/parallel.ts';
import { isInterpreter, operandsOf, programOf, startupFiles } from '../programs/programs.ts';
import type { TaskCode } from '../programs/runners.ts';
import { takesContent, toolWithFiles } from '../programs/tools-with-files.ts';
import { variableCode, variableWords } from '../programs/variables.ts';
import { aliasOf, hashedOf, type Scope } from '../scope.ts';
import { type Unwrapped, unwrap, wrapperNamed } from '../wrappers/unwrap.ts';
import { BUILTINS, builtin } from './builtins.ts';
import { commandName, describeCommand, noteRun, recordFiles } from './noted.ts';
import { runActions } from './program.ts';
import { treatsAsText } from './text-commands.ts';

const MOST_LINES = 1024;
const STEPS_OF_COMMAND = 20;
/** A line that is a command and not a sentence. */
const COMMAND =
  /^\s*['"]?(?:sudo\s+|\$\s+)?(?:rm\s+-|git\s+[a-z]|find\s+[./~]|dd\s+\w+=|mkfs|shred\s|chmod\s+-R|chown\s+-R|truncate\s+-|wipefs\s|curl\s+|wget\s+|bash\s|sh\s+-c|eval\s)/;

/**
 * Returns the lines of the input that an unknown command might run. They run if the command treats its input as shell code, so they are
 * judged but count as a guess.
 */
export function guessFromInput(name: string, stdin: string): string | undefined {
  if (treatsAsText(name)) return undefined;
  const lines = stdin.split('\n').filter((line) => COMMAND.test(line));
  return lines.length === 0 ? undefined : atMost(lines, MOST_LINES, 'the lines of an input that look like commands').join('\n');
}

/** Returns code in another language that consists only of shell commands. It is judged but counts as a guess. */
export function guessFromCode(code: string): string | undefined {
  const lines = code.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0 || !lines.every((line) => COMMAND.test(line))) return undefined;
  return lines.map((line) => line.replace(/^\s*['"]/, '')).join('\n');
}

/** Programs that destroy, behind at most this many words of an unknown launcher. */
const LAUNCHED = namesIn('rm dd shred find chmod chown wipefs mkfs');
const MOST_BEFORE = 4;

function isLaunched(word: string): boolean {
  const name = word.startsWith('/usr/bin/') ? word.slice(9) : word.startsWith('/bin/') ? word.slice(5) : word;
  return LAUNCHED.has(name) || (name.startsWith('mkfs.') && /^mkfs\.\w+$/.test(name));
}

/** Returns the words from a destroying program on, if an unknown command has them with an option and a path of the machine. */
export function guessFromWords(name: string, argv: readonly string[]): readonly string[] | undefined {
  const at = argv.findIndex((word, i) => i > 0 && isLaunched(word));
  if (at === -1 || at > MOST_BEFORE || treatsAsText(name)) return undefined;
  const rest = argv.slice(at + 1);
  const path = argv[at]?.endsWith('find') ? /^[/~.]/ : /^(?:of=)?[/~]/;
  return rest.some((word) => /^-.|^of=/.test(word)) && rest.some((word) => path.test(word)) ? argv.slice(at) : undefined;
}

export interface Invocation {
  readonly argv: readonly string[];
  readonly scope: Scope;
  readonly wiring: Wiring;
  readonly place: Place;
  readonly machine: Machine;
}

/** Commands that change the files behind a link. */
const DELETERS = namesIn('rm find rsync shred chmod chown mv unlink truncate');
/** The step from a command to the words that its environment adds. */
const VARIABLES = 'environment';
/** Wrappers that pass the content of files to their command. */
const FEEDS = namesIn('tar gtar bsdtar split');
/** Commands with output from another machine. */
const REMOTE_SHELLS = namesIn('ssh slogin autossh');

export function invoke(invocation: Invocation): string {
  const [word] = invocation.argv;
  return word === undefined ? '' : invocation.machine.deeper(invokeHere, word, invocation);
}

function invokeHere(word: string, invocation: Invocation): string {
  const { argv, scope, machine } = invocation;
  spend(STEPS_OF_COMMAND + argv.length / 4 + scope.cwd.length / 64);
  const defined = scope.functionNamed(word);
  if (defined && !machine.running.has(defined)) return callFunction(defined, invocation);
  const other = scope.renames ? resolveName(word, invocation) : undefined;
  if (other !== undefined) return other();
  const found = machine.files.size === 0 || word.includes('/') ? undefined : writtenOnPath(word, invocation);
  if (found !== undefined) return invoke({ ...invocation, argv: [found, ...argv.slice(1)] });
  const renamed = word.includes('/') ? machine.files.behind(word) : undefined;
  if (renamed !== undefined && renamed !== word) return invoke({ ...invocation, argv: [renamed, ...argv.slice(1)] });
  const name = commandName(word);
  if (DELETERS.has(name)) {
    const behind = argv.map((arg) => machine.files.throughLink(arg));
    if (behind.some((arg, i) => arg !== argv[i])) return invoke({ ...invocation, argv: behind });
  }
  const program = programOf(name, argv, invocation.wiring.stdin, machine.files);
  const command = describeCommand(name, invocation, program);
  machine.commands.push(command);
  noteRun(name, program, invocation);
  if (isDynamic(name)) return UNKNOWN;
  return builtin(name, invocation) ?? followCommand(command, invocation) ?? print(command, invocation);
}

/** Returns the file that the shell finds first under a name, if the script has written it and has changed where programs are looked for. */
function writtenOnPath(word: string, { scope, machine, place }: Invocation): string | undefined {
  if (!scope.isSet('PATH') || BUILTINS.has(word) || place.via.includes(word)) return undefined;
  const folders = (scope.get('PATH') ?? []).flatMap(([path = '']) => path.split(':'));
  return folders.map((folder) => `${folder === '' ? '.' : folder.replace(/\/$/, '')}/${word}`).find((path) => machine.files.has(path));
}

/** Returns the command behind an alias or a hashed name. */
function resolveName(word: string, { argv, scope, wiring, place, machine }: Invocation): (() => string) | undefined {
  const via = [...place.via, word];
  const alias = place.via.includes(word) ? undefined : aliasOf(word, scope);
  if (alias !== undefined) return () => machine.runText([alias, ...argv.slice(1).map(quote)].join(' '), scope, { ...place, via });
  const path = BUILTINS.has(word) ? undefined : hashedOf(word, scope);
  return path === undefined
    ? undefined
    : () => invoke({ argv: [path, ...argv.slice(1)], scope, wiring, place: { ...place, via }, machine });
}

/** A word that starts with `~` is below the home, which no quotes may hide. */
function quote(word: string): string {
  const home = /^~(?=\/|$)/.test(word) ? '~' : '';
  return home === word ? word : `${home}'${word.slice(home.length).replaceAll("'", "'\\''")}'`;
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

function followCommand({ name, program, env }: EffectiveCommand, outer: Invocation): string | undefined {
  const { argv, place, wiring, machine } = outer;
  const inside = (as: string): Invocation => ({ ...outer, place: { ...place, via: [...place.via, as] } });
  if (program?.language === 'shell') runVariables(name, env, inside(name));
  const more = place.via.includes(VARIABLES) ? [] : variableWords(name, env);
  if (more.length > 0) return invoke({ ...inside(VARIABLES), argv: [name, ...more, ...argv.slice(1)] });
  if (program) return runProgram(name, program, inside(program.from === 'argument' ? `${name} -c` : name));
  // A script of a package can run the scripts of the same package.
  if (!place.guessed && !isRecursive(place, name)) runFiles(name, outer);
  const recursive = isRecursive(place, name);
  if (!name.startsWith('git') && isSet(env)) runVariables(name, env, inside(name));
  if (!recursive) spend(Object.keys(env).length);
  const carried = carriedBy(name, argv, wiring.stdin, machine.files, recursive ? {} : env);
  if (carried) {
    const invocation = inside(name);
    const printed = carried.argvs.map((inner) => originsOf(invoke({ ...invocation, argv: inner }))).join('');
    for (const inner of carried.guesses ?? []) invoke({ ...asGuess(invocation), argv: inner });
    for (const code of carried.code) runPassedCode(code, invocation);
    if (carried.more) machine.doubts.push({ why: 'the text runs too many commands to check each one', line: place.line, limit: true });
    return printed === '' ? undefined : printed + UNKNOWN;
  }
  const wrapper = wrapperNamed(name);
  if (wrapper) {
    const inner = unwrap(wrapper, argv, isOpaque(wiring.stdin) && originsOf(wiring.stdin) === '' ? '' : wiring.stdin);
    const below = inside(name);
    const printed = runWrapped(
      inner,
      FEEDS.has(name) ? { ...below, wiring: { ...wiring, stdin: UNKNOWN, fds: new Map(wiring.fds).set(0, 'text') } } : below,
    );
    return REMOTE_SHELLS.has(name) ? REMOTE : printed;
  }
  const launched = place.guessed || argv.length < 3 || isInterpreter(name) ? undefined : guessFromWords(name, argv);
  if (launched !== undefined) invoke({ ...asGuess(inside(name)), argv: launched });
  if (wiring.fds.get(0) === 'text' && !place.guessed && !isInterpreter(name) && !isDynamic(wiring.stdin)) {
    const text = guessFromInput(name, wiring.stdin);
    if (text !== undefined) runCode(text, asGuess(inside(name)));
  }
  return undefined;
}

function isSet(env: EffectiveCommand['env']): boolean {
  for (const _ in env) return true;
  return false;
}

/** Runs the programs that a command takes from its environment. The name of the variable is a step of the way to them. */
function runVariables(name: string, env: EffectiveCommand['env'], below: Invocation): void {
  for (const { variable, code } of variableCode(name, below.argv, env)) {
    // The program that a variable names gets the same environment.
    if (!below.place.via.includes(`${variable}=`))
      runPassedCode(code, { ...below, place: { ...below.place, via: [...below.place.via, `${variable}=`] } });
  }
}

/** Follows the commands in a file that the analysed text has written and that this tool runs. */
function runFiles(name: string, invocation: Invocation): void {
  const { argv, wiring, place, machine } = invocation;
  if (machine.files.size === 0 && !((argv.length > 1 || wiring.stdin !== '') && takesContent(name))) {
    // A file that is written after this is read in a second walk of the whole text, so only a tool that reads one asks for it.
    if (toolWithFiles(name, argv) !== undefined) machine.files.missAny();
    return;
  }
  const ran = codeReaders().ranByTool(name, argv, wiring.stdin, machine.files);
  if (ran === undefined) return;
  const below: Invocation = { ...invocation, place: { ...place, via: [...place.via, name] } };
  for (const task of ran.code) runPassedCode(task.code, inTask(task, below));
  for (const task of ran.guesses) runCode(task.code, asGuess(inTask(task, below)));
  for (const words of ran.argvs) invoke({ ...below, argv: words });
  for (const { code: text, file } of ran.sources) {
    runActions('go', { language: 'other', text, from: 'file', ...(file && { path: file.path }) }, new Set(), below, invoke);
    if (!place.guessed) runListed('go', text, inTask({ code: text, ...(file && { file }) }, below));
  }
}

/** Notes the file in which a tool has found the code, for the finding on it. */
function inTask({ file }: TaskCode, invocation: Invocation): Invocation {
  const { place } = invocation;
  if (file === undefined || place.source !== undefined) return invocation;
  return { ...invocation, place: { ...place, source: { text: file.text, file: file.path } } };
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
  const printed = code.map((text) => runPassedCode(text, { ...invocation, scope: below }));
  if (argv.length > 0) printed.push(invoke({ ...invocation, argv, scope: below }));
  return printed.length > 0 ? printed.join('') : undefined;
}

/** Returns whether a command runs itself. Git can start git with the same environment, so following must stop here. */
function isRecursive({ via }: Place, name: string): boolean {
  return via.includes(name);
}

function asGuess(invocation: Invocation): Invocation {
  return { ...invocation, place: { ...invocation.place, guessed: true } };
}

function runProgram(name: string, program: Program, invocation: Invocation): string | undefined {
  const { language, text, from } = program;
  const { place, machine } = invocation;
  if (language === 'shell')
    for (const path of startupFiles(name, invocation.argv, invocation.scope)) invoke({ ...invocation, argv: ['.', path] });
  if (text === undefined) return undefined;
  if (language === 'powershell') {
    const { powershellCommands, powershellStatements } = codeReaders();
    if (from !== 'file') for (const argv of powershellCommands(text)) invoke({ ...invocation, argv });
    else
      for (const { argv, at } of powershellStatements(text)) {
        const source = place.source ?? { text, at, ...(program.path !== undefined && { file: program.path }) };
        invoke({ ...invocation, argv, place: { ...place, source, at: place.at ?? at } });
      }
    return undefined;
  }
  if (language !== 'shell') {
    const calls = codeReaders().shellCalls(text, name);
    for (const { text: code, at } of calls) {
      const source = place.source ?? { text, at, ...(from === 'file' && program.path !== undefined && { file: program.path }) };
      runCode(code, { ...invocation, place: from === 'file' ? { ...place, source, at: place.at ?? at } : { ...place, source } });
    }
    if (!place.guessed && language !== 'awk') runActions(name, program, new Set(calls.map((call) => call.text)), invocation, invoke);
    if (!place.guessed) runListed(name, text, invocation);
    if (machine.files.size > 0) runModules(name, program, invocation);
    const shell = invocation.place.guessed ? undefined : guessFromCode(text);
    if (shell !== undefined) runCode(shell, asGuess(invocation));
    return undefined;
  }
  const operands = operandsOf(invocation.argv);
  const args = from === 'argument' ? operands.slice(1) : from === 'file' ? operands.slice(1) : operands;
  // A shell that reads its program from stdin shares the input with its commands, so their part of it is unknown.
  const inside =
    from === 'file' && program.path !== undefined
      ? { ...invocation, place: { ...place, source: place.source ?? { text, file: program.path } } }
      : invocation;
  const below = from === 'stdin' ? { ...inside, wiring: { ...invocation.wiring, stdin: UNKNOWN } } : inside;
  // The mark for decoded text is removed, because its origin has been recorded before.
  return runCode(text.replaceAll(DECODED, ''), below, args, from === 'argument' ? operands[0] : ownName(program));
}

/** Returns the name by which a script in a file knows itself, so that `$(dirname "$0")` is its folder. */
function ownName({ from, path }: Program): string | undefined {
  return from === 'file' && path !== undefined && !isDynamic(path) ? path : undefined;
}

/** Runs the files of the analysed text that a program loads as modules. */
function runModules(name: string, { text = '' }: Program, invocation: Invocation): void {
  const { place, argv, machine } = invocation;
  for (const path of codeReaders().modulesOf(name, argv, text, machine.files))
    if (!place.via.includes(path)) invoke({ ...invocation, argv: [name, path], place: { ...place, via: [...place.via, path] } });
}

/** Runs what code in a language without a reader does by functions of the closed list. */
function runListed(name: string, text: string, invocation: Invocation): void {
  const { deletesLines, listedIn, walkedIn } = codeReaders();
  for (const path of walkedIn(text)) invoke({ ...asGuess(invocation), argv: ['rm', '-rf', path] });
  const { stdin } = invocation.wiring;
  if (stdin !== '' && !isOpaque(stdin) && deletesLines(text, name, invocation.argv))
    for (const item of itemsOf(stdin, true).items) invoke({ ...asGuess(invocation), argv: ['rm', '-rf', item] });
  if (!/^(?:other|lua)$/.test(flavourOf(name, text)) && name !== 'raku') return;
  const { guesses, deleted, remote, commanded } = listedIn(text);
  for (const code of guesses) runCode(code, asGuess(invocation));
  for (const path of deleted) invoke({ ...asGuess(invocation), argv: ['rm', '-rf', path] });
  if (remote) runPassedCode(REMOTE, invocation);
  else if (commanded) runPassedCode(UNKNOWN, invocation);
}

/** Runs code that a command passes on. Unknown code is recorded as the program of a shell. */
function runPassedCode(code: string, invocation: Invocation): string {
  return isOpaque(code) ? invoke({ ...invocation, argv: ['sh', '-c', code] }) : runCode(code, invocation);
}

/** Evaluates code in a subshell. */
function runCode(code: string, { scope, wiring, place, machine }: Invocation, args?: readonly string[], self?: string): string {
  const inner = scope.child();
  inner.stdin = wiring.stdin;
  inner.fds = wiring.fds;
  if (args) inner.args = args;
  if (self !== undefined) inner.set('0', [[self]]);
  return machine.runText(code, inner, place);
}

function print(command: EffectiveCommand, invocation: Invocation): string {
  // Field by field: every command comes here, and a copy of it is dear.
  const { name, argv, stdin, cwd, env, flow, program, fds } = command;
  // Output that goes into a file does not reach the next command.
  const next = fds.get(1) === STDOUT ? command.next : undefined;
  const text = outputOf({ name, argv, stdin, cwd, env, flow, program, files: invocation.machine.files, ...(next && { next }) });
  return recordFiles(command, invocation, text);
}
