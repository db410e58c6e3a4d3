/**
 * Walks a script as a shell would, but runs nothing: it takes every branch once, records every command, and follows text through variables,
 * pipes, files and substitutions. The result is an over-approximation: a command that might run counts as run.
 */
import {
  type AndOr,
  type Coproc,
  type If,
  type ParsedScript,
  type Pipeline,
  parse,
  type Redirection,
  type Script,
  type Statement,
  type SyntaxNode,
} from 'unbash';
import { STDIN, STDOUT, wire } from '../expand/redirects.ts';
import { fieldsOf, type Surroundings, visitSubstitutions } from '../expand/word.ts';
import { NET_TOOLS } from '../flow/downloads.ts';
import { lineOf, type Machine } from '../machine.ts';
import { collect, isDynamic, isOpaque, UNKNOWN } from '../marks.ts';
import type { Scope } from '../scope.ts';
import { delivered, runCommand } from './command.ts';
import { forkBombs } from './forks.ts';

export function createEvaluator(machine: () => Machine): Pick<Machine, 'runScript' | 'runText' | 'runNode'> {
  return {
    runScript: (script, scope, place) => surveyed(script, { scope, machine: machine(), place }),
    runText: (text, scope, place) => runText(text, { scope, machine: machine(), place: { ...place, starts: undefined } }),
    runNode: (node, scope, place) => run(node, { scope, machine: machine(), place }),
  };
}

function runText(text: string, around: Surroundings): string {
  // Unknown code is judged by its origin.
  if (isOpaque(text)) return UNKNOWN;
  around.machine.spend(1 + text.length / 64);
  return surveyed(parse(text), around);
}

function surveyed(script: ParsedScript, around: Surroundings): string {
  survey(script, around);
  return runScript(script, around);
}

/** Records findings that need the whole parsed text. */
function survey(script: ParsedScript, { machine, place }: Surroundings): void {
  for (const { kind, node, text } of forkBombs(script, machine.spend)) machine.shapes.push({ kind, text, line: lineOf(place, node.pos) });
  const error = script.errors?.[0];
  if (error) {
    const limit = error.message.includes('depth exceeded');
    machine.doubts.push({ why: `the text is not valid shell code (${error.message})`, line: lineOf(place, error.pos), limit });
  }
}

function runScript(script: Script, around: Surroundings): string {
  const place = script.source === undefined ? around.place : { ...around.place, starts: undefined };
  return collect(script.commands, (statement) => runStatement(statement, { ...around, place }));
}

function runStatement({ command, background }: Statement, around: Surroundings): string {
  return run(command, background ? { ...around, place: { ...around.place, spawned: true } } : around);
}

function run(node: SyntaxNode, around: Surroundings): string {
  const { machine } = around;
  machine.spend(1);
  return machine.deeper(() => {
    switch (node.type) {
      case 'Statement':
        return runStatement(node, around);
      case 'Command':
        return runCommand(node, around);
      case 'Pipeline':
        return runPipeline(node, around);
      case 'AndOr':
        return runAndOr(node, around);
      case 'CompoundList':
        return collect(node.commands, (statement) => runStatement(statement, around));
      case 'Subshell':
        return run(node.body, { ...around, scope: around.scope.child() });
      case 'BraceGroup':
        return run(node.body, around);
      case 'Redirected':
        return runRedirected(node.redirects, around, (inner) => run(node.command, inner));
      case 'Coproc':
        return runCoproc(node, around);
      case 'Function':
        around.scope.define(node.name.value, node);
        machine.functions.set(node, { scope: around.scope, place: around.place });
        return '';
      default:
        return runBranches(node, around);
    }
  });
}

/** Evaluates a coprocess. The script reads its output from a descriptor in an array. */
function runCoproc({ name, body }: Coproc, around: Surroundings): string {
  const inner = around.scope.child();
  // The script writes to the coprocess later, so only a second walk knows the text.
  inner.stdin = around.machine.files.get('/dev/fd/60') ?? UNKNOWN;
  const printed = run(body, { ...around, scope: inner, place: { ...around.place, spawned: true } });
  around.scope.set(name?.value ?? 'COPROC', [['63', '60']]);
  around.scope.connect([
    [63, '/dev/fd/63'],
    [60, '/dev/fd/60'],
  ]);
  around.machine.files.set('/dev/fd/63', printed);
  return '';
}

function runBranches(node: SyntaxNode, around: Surroundings): string {
  const { scope, place } = around;
  switch (node.type) {
    case 'If':
      return run(node.clause, around) + maybe(scope, () => collect(branchesOf(node), (part) => run(part, around)));
    case 'While':
      return maybe(scope, () => run(node.clause, around) + run(node.body, around));
    case 'For':
    case 'Select': {
      const words = node.wordlist ? fieldsOf(node.wordlist, around) : scope.args;
      scope.set(
        node.name.value,
        (words ?? [UNKNOWN]).map((word) => [word]),
      );
      return maybe(scope, () => run(node.body, around));
    }
    case 'ArithmeticFor':
      for (const part of [node.initialize, node.test, node.update]) if (part) visitSubstitutions(part, around);
      return maybe(scope, () => run(node.body, around));
    case 'Case':
      fieldsOf([node.word, ...node.items.flatMap((item) => item.pattern)], around);
      return maybe(scope, () => collect(node.items, (item) => run(item.body, around)));
    case 'ArithmeticCommand':
      visitSubstitutions(node, around);
      // Some shells read `((` as two subshells.
      if (/^\s*[\w./-]+\s+[-\w/~$"']/.test(node.body))
        runText(node.body, { ...around, scope: scope.child(), place: { ...place, starts: undefined, guessed: true } });
      return '';
    default:
      visitSubstitutions(node, around);
      return '';
  }
}

function branchesOf(node: If): readonly SyntaxNode[] {
  return [node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then]), ...(node.else ? [node.else] : [])];
}

function maybe<T>(scope: Scope, body: () => T): T {
  scope.maybe++;
  try {
    return body();
  } finally {
    scope.maybe--;
  }
}

function runAndOr({ commands }: AndOr, around: Surroundings): string {
  const [first, ...rest] = commands;
  const printed = first ? run(first, around) : '';
  return printed + maybe(around.scope, () => collect(rest, (command) => run(command, around)));
}

function runPipeline({ commands, pos }: Pipeline, around: Surroundings): string {
  if (commands.length < 2) return commands[0] ? run(commands[0], around) : '';
  const { machine } = around;
  const before = machine.commands.length;
  let text = around.scope.stdin;
  for (const [i, command] of commands.entries()) {
    const scope = around.scope.child();
    scope.stdin = text;
    if (i > 0) scope.feeder = machine.commands.at(-1)?.name ?? '';
    scope.connect([...(i > 0 ? [[0, STDIN] as const] : []), ...(i < commands.length - 1 ? [[1, STDOUT] as const] : [])]);
    text = run(command, { ...around, scope, place: { ...around.place, spawned: true } });
  }
  const seen = machine.commands.slice(before);
  const shell = seen.find(({ program }) => program?.language === 'shell' && program.from === 'stdin' && isDynamic(program.text ?? ''));
  const net = seen.find(({ name, argv }) => NET_TOOLS.has(name) || (name === 'openssl' && argv[1] === 's_client'));
  if (shell && net)
    machine.shapes.push({ kind: 'piped-shell', text: `${shell.argv.join(' ')} | ${net.argv.join(' ')}`, line: lineOf(around.place, pos) });
  return text;
}

function runRedirected(redirects: readonly Redirection[], around: Surroundings, body: (inner: Surroundings) => string): string {
  const { scope } = around;
  const wiring = wire(redirects, around);
  const { stdin, fds } = scope;
  scope.fds = wiring.fds;
  scope.stdin = wiring.stdin;
  const printed = body(around);
  scope.stdin = stdin;
  scope.fds = fds;
  return delivered(printed, wiring, around);
}
