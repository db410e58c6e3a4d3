/**
 * One command with its fields resolved: notes it, then follows it into what it runs — a function, a wrapped command, code given to a
 * shell, the commands that `xargs` or `find` build — and gives back what it prints.
 */
import type { Function as FunctionNode } from 'unbash';
import { builtin } from './builtins.ts';
import { carriedBy } from './carriers.ts';
import { shellTexts } from './foreign.ts';
import { type Effective, lineOf, type Machine, type Place, type Program } from './machine.ts';
import { isDynamic, SELF, UNKNOWN } from './marks.ts';
import { outputOf } from './output.ts';
import { operandsOf, programOf } from './programs.ts';
import type { Wiring } from './redirects.ts';
import type { Scope } from './scope.ts';
import { unwrap, WRAPPERS } from './wrappers.ts';

export interface Invocation {
  readonly argv: readonly string[];
  readonly scope: Scope;
  readonly wiring: Wiring;
  readonly place: Place;
  readonly machine: Machine;
}

export function invoke(invocation: Invocation): string {
  const { argv, scope, machine } = invocation;
  const [word] = argv;
  if (word === undefined) return '';
  return machine.deeper(() => {
    machine.spend(2 + argv.length / 4);
    const defined = scope.functionNamed(word);
    if (defined && !machine.running.has(defined)) return callFunction(defined, invocation);
    const name = commandName(word);
    const program = programOf(name, argv, invocation.wiring.stdin, machine.files);
    machine.commands.push(effective(name, invocation, program));
    noteRun(name, program, invocation);
    if (isDynamic(name)) return UNKNOWN;
    return builtin(name, invocation) ?? follow(name, program, invocation) ?? print(name, invocation);
  });
}

/** The last part of the path, in lower case: some file systems do not tell cases apart. */
export function commandName(word: string): string {
  return word
    .slice(word.lastIndexOf('/') + 1)
    .replace(/\.exe$/i, '')
    .toLowerCase();
}

function effective(name: string, { argv, scope, wiring, place }: Invocation, program: Program | undefined): Effective {
  const { stdin, fds, writes } = wiring;
  return {
    name,
    argv,
    stdin,
    fds,
    writes,
    cwd: scope.cwd,
    self: namesSelf(program?.path ?? argv[0] ?? '', scope),
    spawned: place.spawned,
    line: place.line,
    ...(program ? { program } : {}),
  };
}

function namesSelf(path: string, scope: Scope): boolean {
  const self = scope.get('0')?.[0]?.[0] ?? SELF;
  return path === self || path.includes(SELF) || (path.includes('/') && self.endsWith(`/${path.replace(/^(\.\/)+/, '')}`));
}

function noteRun(name: string, program: Program | undefined, { argv, scope, machine }: Invocation): void {
  const { cwd } = scope;
  if (program?.from === 'file' && program.path !== undefined) {
    machine.runs.push({ path: program.path, cwd, how: program.language === 'shell' ? 'shell' : 'interpreter' });
  } else if (name === 'source' || name === '.') {
    if (argv[1] !== undefined) machine.runs.push({ path: argv[1], cwd, how: 'source' });
  }
  if (argv[0] !== undefined) machine.runs.push({ path: argv[0], cwd, how: 'itself' });
}

function callFunction(node: FunctionNode, { argv, scope, wiring, place, machine }: Invocation): string {
  const { args, stdin } = scope;
  machine.running.add(node);
  machine.called.add(node);
  scope.args = argv.slice(1);
  scope.stdin = wiring.stdin;
  try {
    return machine.runNode(node.body, scope, { ...place, line: lineOf(place, node.pos) });
  } finally {
    machine.running.delete(node);
    scope.args = args;
    scope.stdin = stdin;
  }
}

function follow(name: string, program: Program | undefined, invocation: Invocation): string | undefined {
  const { argv, scope } = invocation;
  if (program) return runProgram(program, invocation);
  const carried = carriedBy(name, argv, invocation.wiring.stdin);
  if (carried) {
    for (const inner of carried.argvs) invoke({ ...invocation, argv: inner });
    for (const code of carried.code) runCode(code, invocation);
    return undefined;
  }
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper === undefined) return undefined;
  if (name === 'command' && /^-[a-zA-Z]*[vV]/.test(argv[1] ?? '')) return undefined;
  const inner = unwrap(wrapper, argv);
  const below = inner.assigned.length > 0 ? scope.child() : scope;
  for (const [variable, value] of inner.assigned) below.set(variable, [[value]]);
  const printed = inner.code.map((code) => runCode(code, { ...invocation, scope: below }));
  if (inner.argv.length > 0) printed.push(invoke({ ...invocation, argv: inner.argv, scope: below }));
  return printed.length > 0 ? printed.join('') : undefined;
}

function runProgram({ language, text, from }: Program, invocation: Invocation): string | undefined {
  if (text === undefined) return undefined;
  if (language !== 'shell') {
    for (const code of shellTexts(text)) runCode(code, invocation);
    return undefined;
  }
  const operands = operandsOf(invocation.argv);
  const args = from === 'argument' ? operands.slice(1) : from === 'file' ? operands.slice(1) : operands;
  return runCode(withoutMarksOfOrigin(text), invocation, args);
}

/** Evaluates code in a shell of its own. */
function runCode(code: string, { scope, wiring, place, machine }: Invocation, args?: readonly string[]): string {
  const inner = scope.child();
  inner.stdin = wiring.stdin;
  inner.fds = wiring.fds;
  if (args) inner.args = args;
  return machine.runText(code, inner, place);
}

/** Decoded text is judged as what it decodes to; the rule on its origin has seen the mark by then. */
function withoutMarksOfOrigin(text: string): string {
  return text.replace(/\uE002/g, '');
}

function print(name: string, { argv, scope, wiring, machine }: Invocation): string {
  const text = outputOf({ name, argv, stdin: wiring.stdin, cwd: scope.cwd, files: machine.files });
  const target = downloadTarget(name, argv);
  if (target !== undefined) machine.files.set(target, text);
  if (name === 'tee') for (const path of argv.slice(1)) if (!path.startsWith('-')) machine.files.set(path, text);
  if ((name === 'cp' || name === 'mv' || name === 'ln') && argv.length >= 3) {
    const [from, to] = [machine.files.get(argv.at(-2) ?? ''), argv.at(-1)];
    if (from !== undefined && to !== undefined) machine.files.set(to, from);
  }
  return target !== undefined && target !== SELF ? '' : text;
}

/** The file that a download goes to; undefined if it is printed. */
function downloadTarget(name: string, argv: readonly string[]): string | undefined {
  if (name !== 'curl' && !/^wget2?$/.test(name)) return undefined;
  const url = argv.findLast((word) => /^[a-z]+:\/\//i.test(word)) ?? argv.at(-1) ?? '';
  const remoteName =
    url
      .replace(/[?#].*$/, '')
      .split('/')
      .at(-1) || 'index.html';
  const [short, long] = name === 'curl' ? ['o', 'output'] : ['O', 'output-document'];
  for (const [i, word] of argv.entries()) {
    const attached = new RegExp(`^(?:--${long}=|-[a-zA-Z]*${short})(.*)$`).exec(word)?.[1];
    const target = word === `--${long}` ? argv[i + 1] : attached === '' ? argv[i + 1] : attached;
    if (target !== undefined && (word.startsWith(`--${long}`) || /^-[a-zA-Z]*$/.test(word) || attached === target))
      return target === '-' ? undefined : target;
    if (name === 'curl' && /^(-[a-zA-Z]*O[a-zA-Z]*|--remote-name)$/.test(word)) return remoteName;
  }
  return name === 'curl' ? undefined : remoteName;
}
