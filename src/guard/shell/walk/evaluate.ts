/**
 * Walks a script as a shell would, but runs nothing: it takes every branch once, records every command, and follows text through variables,
 * pipes, files and substitutions. The result is an over-approximation: a command that might run counts as run.
 */
import type {
  AndOr,
  Coproc,
  Function as FunctionNode,
  If,
  ParsedScript,
  Pipeline,
  Redirection,
  Script,
  Statement,
  SyntaxNode,
  TestExpression,
} from 'unbash';
import { leaveOut, spend } from '../../limits.ts';
import { codeInNames, namesIn, subscriptCode } from '../expand/arithmetic.ts';
import { applyRedirects, STDIN, STDOUT } from '../expand/redirects.ts';
import { fieldsOf, type GuardContext, visitSubstitutions } from '../expand/word.ts';
import { NET_TOOLS } from '../flow/downloads.ts';
import { lineOf, type Machine } from '../machine.ts';
import { CUT, isDynamic, isOpaque, joinOutputs, MOST_TEXT, UNKNOWN } from '../marks.ts';
import { parseShell } from '../parse.ts';
import type { Scope } from '../scope.ts';
import { deliverOutput, runCommand } from './command.ts';
import { commandWords, forkBombs } from './forks.ts';

export function createEvaluator(machine: () => Machine): Pick<Machine, 'runScript' | 'runText' | 'runNode'> {
  return {
    runScript: (script, scope, place) => surveyAndRun(script, { scope, machine: machine(), place }),
    runText: (text, scope, place) => runText(text, { scope, machine: machine(), place: { ...place, starts: undefined } }),
    runNode: (node, scope, place) => run(node, { scope, machine: machine(), place }),
  };
}

function runText(text: string, context: GuardContext): string {
  // Unknown code is judged by its origin.
  if (isOpaque(text)) return UNKNOWN;
  spend(1 + text.length / 64);
  if (text.includes(CUT)) leaveOut(`code that a command runs is longer than ${MOST_TEXT} characters`);
  return surveyAndRun(parseShell(text), context);
}

function surveyAndRun(script: ParsedScript, context: GuardContext): string {
  survey(script, context);
  return runScript(script, context);
}

/** Records findings that need the whole parsed text. */
function survey(script: ParsedScript, { machine, place }: GuardContext): void {
  for (const { kind, node, text } of forkBombs(script))
    machine.shapes.push({
      kind,
      text,
      line: lineOf(place, node.pos),
      ...(place.starts && { span: [node.pos, node.end] }),
      ...(place.at !== undefined && { at: place.at }),
    });
  const error = script.errors?.[0];
  if (error) {
    const limit = error.message.includes('depth exceeded');
    machine.doubts.push({ why: `the text is not valid shell code (${error.message})`, line: lineOf(place, error.pos), limit });
  }
}

function runScript(script: Script, context: GuardContext): string {
  const inner = script.source === undefined ? context : { ...context, place: { ...context.place, starts: undefined } };
  return joinOutputs(script.commands, (statement) => runStatement(statement, inner));
}

function runStatement({ command, background }: Statement, context: GuardContext): string {
  return run(command, background ? { ...context, place: { ...context.place, spawned: true } } : context);
}

function run(node: SyntaxNode, context: GuardContext): string {
  spend(1);
  return context.machine.deeper(runHere, node, context);
}

function runHere(node: SyntaxNode, context: GuardContext): string {
  switch (node.type) {
    case 'Statement':
      return runStatement(node, context);
    case 'Command':
      return runCommand(node, context);
    case 'Pipeline':
      return runPipeline(node, context);
    case 'AndOr':
      return runAndOr(node, context);
    case 'CompoundList':
      return joinOutputs(node.commands, (statement) => runStatement(statement, context));
    case 'Subshell':
      return run(node.body, { ...context, scope: context.scope.child() });
    case 'BraceGroup':
      return run(node.body, context);
    case 'Redirected':
      return runRedirected(node.redirects, context, (inner) => run(node.command, inner));
    case 'Coproc':
      return runCoproc(node, context);
    case 'Function':
      defineFunction(node, context);
      return '';
    default:
      return runBranches(node, context);
  }
}

/** A function with the name of Hookline's program replaces the program for the rest of the shell. */
const OWN_NAME = /^hookline(?:-hook)?$/i;

function defineFunction(node: FunctionNode, { scope, machine, place }: GuardContext): void {
  const { value: name } = node.name;
  scope.define(name, node);
  machine.functions.set(node, { scope, place });
  if (OWN_NAME.test(name))
    machine.shapes.push({ kind: 'own-function', text: `${name}()`, line: lineOf(place, node.pos), span: place.span });
}

/** Evaluates a coprocess. The script reads its output from a descriptor in an array. */
function runCoproc({ name, body }: Coproc, context: GuardContext): string {
  const inner = context.scope.child();
  // The script writes to the coprocess later, so only a second walk knows the text.
  inner.stdin = context.machine.files.get('/dev/fd/60') ?? UNKNOWN;
  const printed = run(body, { ...context, scope: inner, place: { ...context.place, spawned: true } });
  context.scope.set(name?.value ?? 'COPROC', [['63', '60']]);
  context.scope.connect([
    [63, '/dev/fd/63'],
    [60, '/dev/fd/60'],
  ]);
  context.machine.files.set('/dev/fd/63', printed);
  return '';
}

function runBranches(node: SyntaxNode, context: GuardContext): string {
  const { scope, place } = context;
  switch (node.type) {
    case 'If':
      return run(node.clause, context) + maybe(scope, () => joinOutputs(branchesOf(node), (part) => run(part, context)));
    case 'While':
      return maybe(scope, () => run(node.clause, context) + run(node.body, context));
    case 'For':
    case 'Select': {
      const words = node.wordlist ? fieldsOf(node.wordlist, context) : scope.args;
      scope.set(
        node.name.value,
        (words ?? [UNKNOWN]).map((word) => [word]),
      );
      return maybe(scope, () => run(node.body, context));
    }
    case 'ArithmeticFor':
      for (const part of [node.initialize, node.test, node.update]) if (part) visitSubstitutions(part, context);
      for (const code of [node.initialize, node.test, node.update].flatMap((part) => codeInNames(namesIn(part), scope)))
        runText(code, { ...context, scope: scope.child(), place: { ...place, starts: undefined } });
      return maybe(scope, () => run(node.body, context));
    case 'Case':
      fieldsOf([node.word, ...node.items.flatMap((item) => item.pattern)], context);
      return maybe(scope, () => joinOutputs(node.items, (item) => run(item.body, context)));
    case 'ArithmeticCommand':
      visitSubstitutions(node, context);
      for (const code of codeInNames(node.body, scope))
        runText(code, { ...context, scope: scope.child(), place: { ...place, starts: undefined } });
      // Some shells read `((` as two subshells.
      if (/^\s*[\w./-]+\s+[-\w/~$"']/.test(node.body))
        runText(node.body, { ...context, scope: scope.child(), place: { ...place, starts: undefined, guessed: true } });
      return '';
    case 'TestCommand':
      visitSubstitutions(node, context);
      // A comparison of numbers expands the subscripts in its texts once more.
      for (const text of comparedTexts(node.expression))
        for (const code of [...subscriptCode(text), ...codeInNames(text, scope)])
          runText(code, { ...context, scope: scope.child(), place: { ...place, starts: undefined } });
      return '';
    default:
      visitSubstitutions(node, context);
      return '';
  }
}

function comparedTexts(expression: TestExpression): readonly string[] {
  switch (expression.type) {
    case 'TestBinary':
      return /^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator) ? [expression.left.value, expression.right.value] : [];
    case 'TestUnary':
      return expression.operator === '-v' ? [expression.operand.value] : [];
    case 'TestLogical':
      return expression.operands.flatMap(comparedTexts);
    case 'TestNot':
      return comparedTexts(expression.operand);
    case 'TestGroup':
      return comparedTexts(expression.expression);
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

function runAndOr({ commands }: AndOr, context: GuardContext): string {
  const [first, ...rest] = commands;
  const printed = first ? run(first, context) : '';
  return printed + maybe(context.scope, () => joinOutputs(rest, (command) => run(command, context)));
}

/** The ends of a pipe that the first, the last and any other command of a pipeline has. */
const FIRST = [[1, STDOUT]] as const;
const LAST = [[0, STDIN]] as const;
const MIDDLE = [
  [0, STDIN],
  [1, STDOUT],
] as const;

function runPipeline({ commands, pos, end }: Pipeline, context: GuardContext): string {
  if (commands.length < 2) return commands[0] ? run(commands[0], context) : '';
  const { machine } = context;
  const before = machine.commands.length;
  const place = { ...context.place, spawned: true };
  let text = context.scope.stdin;
  for (const [i, command] of commands.entries()) {
    const scope = context.scope.child();
    scope.stdin = text;
    if (i > 0) scope.feeder = machine.commands.at(-1)?.name ?? '';
    const next = commands[i + 1];
    if (next?.type === 'Command') scope.next = commandWords(next);
    scope.connect(i === 0 ? FIRST : i < commands.length - 1 ? MIDDLE : LAST);
    text = run(command, { scope, machine, place });
  }
  const seen = machine.commands.slice(before);
  const shell = seen.find(({ program }) => program?.language === 'shell' && program.from === 'stdin' && isDynamic(program.text ?? ''));
  const net = shell && seen.find(({ name, argv }) => NET_TOOLS.has(name) || (name === 'openssl' && argv[1] === 's_client'));
  if (shell && net)
    machine.shapes.push({
      kind: 'piped-shell',
      text: `${shell.argv.join(' ')} | ${net.argv.join(' ')}`,
      line: lineOf(context.place, pos),
      ...(context.place.starts && { span: [pos, end] }),
      ...(context.place.at !== undefined && { at: context.place.at }),
    });
  return text;
}

function runRedirected(redirects: readonly Redirection[], context: GuardContext, body: (inner: GuardContext) => string): string {
  const { scope } = context;
  const wiring = applyRedirects(redirects, context);
  const { stdin, fds } = scope;
  scope.fds = wiring.fds;
  scope.stdin = wiring.stdin;
  const printed = body(context);
  scope.stdin = stdin;
  scope.fds = fds;
  return deliverOutput(printed, wiring, context);
}
