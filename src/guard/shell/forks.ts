/** Fork bombs by their structure: a function that starts itself beside itself, or an endless loop that only starts things. */
import { type Command, forEachChild, type Script, type Statement, type SyntaxNode } from 'unbash';

interface Call {
  readonly to: string;
  readonly spawned: boolean;
}

export interface Bomb {
  readonly node: SyntaxNode;
  readonly text: string;
}

export function forkBombs(script: Script, spend: (units: number) => void): readonly Bomb[] {
  const functions = new Map<string, { readonly node: SyntaxNode; readonly calls: readonly Call[] }>();
  const bombs: Bomb[] = [];
  const visit = (node: SyntaxNode): void => {
    spend(1);
    // Substitutions are looked at where they run.
    if (node.type === 'Function') functions.set(node.name.value, { node, calls: callsIn(node.body, false, []) });
    if (
      (node.type === 'While' || node.type === 'ArithmeticFor') &&
      isEndless(node) &&
      node.body.commands.some(startsWork) &&
      node.body.commands.every(isInstant)
    )
      bombs.push({ node, text: 'an endless loop that starts work in the background' });
    if (node.type !== 'Word' && node.type !== 'Assignment') forEachChild(node, visit);
  };
  visit({ ...script, errors: undefined });
  for (const [name, { node, calls }] of functions) {
    const back = calls.some(({ to, spawned }) => (spawned && reaches(to, name, functions)) || (to !== name && spawns(to, name, functions)));
    if (back) bombs.push({ node, text: `${name}() starts itself again and again` });
  }
  return bombs;
}

type Functions = ReadonlyMap<string, { readonly calls: readonly Call[] }>;

function reaches(from: string, to: string, functions: Functions): boolean {
  const seen = new Set([from]);
  for (const name of seen) {
    if (name === to) return true;
    for (const call of functions.get(name)?.calls ?? []) seen.add(call.to);
  }
  return false;
}

/** `from` starts `to` beside itself. */
function spawns(from: string, to: string, functions: Functions): boolean {
  return functions.get(from)?.calls.some((call) => call.spawned && call.to === to) ?? false;
}

/** Loops and branches inside a pipeline do not count as spawned: a recursive walk over folders pipes into a loop. */
function callsIn(node: SyntaxNode, spawned: boolean, calls: Call[], depth = 0): readonly Call[] {
  if (depth > 200 || node.type === 'Word') return calls;
  const [name, ...rest] = node.type === 'Command' ? commandWords(node) : [];
  if (name !== undefined) calls.push({ to: /^(command|builtin|exec|nohup|eval)$/.test(name) ? (rest[0] ?? name) : name, spawned });
  const branch = node.type === 'While' || node.type === 'For' || node.type === 'If' || node.type === 'Case';
  forEachChild(node, (child) => {
    const beside =
      (node.type === 'Pipeline' && node.commands.length > 1) ||
      (child.type === 'Statement' && child.background === true) ||
      node.type === 'Coproc';
    callsIn(child, beside || (spawned && !(branch && !beside)), calls, depth + 1);
  });
  return calls;
}

function commandWords(node: Command): readonly string[] {
  return [node.name?.value ?? '', ...node.args.map((arg) => (arg.type === 'Word' ? arg.value : arg.text))];
}

function isEndless(node: SyntaxNode & { type: 'While' | 'ArithmeticFor' }): boolean {
  if (node.type === 'ArithmeticFor') return node.test === undefined;
  const [only, more] = node.clause.commands;
  if (only === undefined || more !== undefined) return false;
  const { command } = only;
  if (command.type === 'ArithmeticCommand') return node.kind === 'while' && /^\s*[1-9]\d*\s*$/.test(command.body);
  if (command.type !== 'Command') return false;
  const text = commandWords(command).join(' ').trim();
  return node.kind === 'while' ? /^(true|:|\/bin\/true|\[ (1|true|1 -eq 1) \]|test 1)$/.test(text) : /^(false|\[ 0 -eq 1 \])$/.test(text);
}

function startsWork(statement: Statement): boolean {
  if (statement.background) return true;
  const { command } = statement;
  return (command.type === 'Subshell' || command.type === 'BraceGroup') && command.body.commands.some(startsWork);
}

/** Ends at once: nothing in it makes the loop wait. */
function isInstant(statement: Statement): boolean {
  if (statement.background) return true;
  const { command } = statement;
  if (command.type === 'Subshell' || command.type === 'BraceGroup') return command.body.commands.every(isInstant);
  if (command.type === 'ArithmeticCommand') return true;
  return (
    command.type === 'Command' &&
    (command.name === undefined || /^(:|true|echo|printf|let|export|unset|shift|disown)$/.test(command.name.value))
  );
}
