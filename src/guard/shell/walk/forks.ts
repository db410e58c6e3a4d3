/** Fork bombs by their structure: a function that starts itself beside itself, or an endless loop that only starts things. */
import { type Command, forEachChild, parse, type Script, type SyntaxNode } from 'unbash';
import { alwaysHolds, commandWords, forkLoop } from './fork-loops.ts';

interface Call {
  readonly to: string;
  /** Beside its caller: in the background or in a pipeline. */
  readonly spawned: boolean;
  /** Only if something holds. */
  readonly guarded: boolean;
}

interface Defined {
  readonly node: SyntaxNode;
  readonly calls: readonly Call[];
}

type Functions = ReadonlyMap<string, Defined>;

/** All that a call leads to, itself included. */
type Reached = (from: string) => ReadonlySet<string>;

interface Use {
  readonly name: string;
  readonly at: number;
}

export interface Bomb {
  /** `fork-loop`: goes on without end, but something holds it up. */
  readonly kind: 'fork-bomb' | 'fork-loop';
  readonly node: SyntaxNode;
  readonly text: string;
}

const LOOP = 'an endless loop that starts work in the background';
const MOST_CODE = 2000;

export function forkBombs(script: Script, spend: (units: number) => void): readonly Bomb[] {
  const functions = new Map<string, Defined>();
  const used: Use[] = [];
  const bombs: Bomb[] = [];
  const visit = (node: SyntaxNode, inside: boolean): void => {
    spend(1);
    // Substitutions are looked at where they run.
    if (node.type === 'Function') functions.set(node.name.value, { node, calls: callsOf(node.body, node.name.value) });
    if (node.type === 'Command' && !inside) used.push({ name: commandWords(node)[0] ?? '', at: node.pos });
    const loop = forkLoop(node);
    if (loop !== undefined) bombs.push({ kind: loop === 'bomb' ? 'fork-bomb' : 'fork-loop', node, text: LOOP });
    if (node.type !== 'Word' && node.type !== 'Assignment') forEachChild(node, (child) => visit(child, inside || node.type === 'Function'));
  };
  visit({ ...script, errors: undefined }, false);
  const reached = followed(functions, spend);
  for (const [name, { node, calls }] of functions) {
    const back = calls.filter(({ to, spawned }) => (spawned && reached(to).has(name)) || (to !== name && spawns(to, name, functions)));
    if (back.length > 0 && isUsed(name, functions, used, reached)) {
      const kind = back.every(({ guarded }) => guarded) ? 'fork-loop' : 'fork-bomb';
      bombs.push({ kind, node, text: `${name}() starts itself again and again` });
    }
  }
  return bombs;
}

/** A function that is called only before all it needs are defined can't come back to itself; one that is never called may be elsewhere. */
function isUsed(name: string, functions: Functions, used: readonly Use[], reached: Reached): boolean {
  const circle = [...reached(name)].filter((other) => functions.has(other) && reached(other).has(name));
  const complete = Math.max(...circle.map((other) => functions.get(other)?.node.end ?? 0));
  const calls = used.filter((call) => functions.has(call.name) && reached(call.name).has(name));
  return calls.length === 0 || calls.some(({ at }) => at >= complete);
}

/** Looked up once for each function, and counted: many functions that all call each other are much to follow. */
function followed(functions: Functions, spend: (units: number) => void): Reached {
  const known = new Map<string, ReadonlySet<string>>();
  return (from) => {
    const before = known.get(from);
    if (before !== undefined) return before;
    const seen = new Set([from]);
    for (const name of seen) {
      spend(1);
      for (const call of functions.get(name)?.calls ?? []) seen.add(call.to);
    }
    known.set(from, seen);
    return seen;
  };
}

/** `from` starts `to` beside itself. */
function spawns(from: string, to: string, functions: Functions): boolean {
  return functions.get(from)?.calls.some((call) => call.spawned && call.to === to) ?? false;
}

function callsOf(body: SyntaxNode, self: string): readonly Call[] {
  const calls: Call[] = [];
  let leaves = false;
  /** Loops and branches inside a pipeline do not count as spawned: a recursive walk over folders pipes into a loop. */
  const visit = (node: SyntaxNode, spawned: boolean, guarded: boolean, depth: number): void => {
    if (depth > 200) return;
    if (node.type === 'Command') {
      const [name = '', ...rest] = wordsOf(node, self);
      leaves ||= name === 'return' || name === 'exit';
      if (name !== '') calls.push({ to: name, spawned, guarded });
      const code =
        name === 'eval' ? rest.join(' ') : /^(?:ba|z|da|k)?sh$/.test(name) && /^-\w*c$/.test(rest[0] ?? '') ? rest[1] : undefined;
      if (code !== undefined && code.length < MOST_CODE && depth < 20) visit(parse(code), spawned, guarded, depth + 50);
    }
    const branch = node.type === 'While' || node.type === 'For' || node.type === 'If' || node.type === 'Case';
    const held = guarded || isGuard(node);
    forEachChild(node, (child) => {
      const beside =
        (node.type === 'Pipeline' && node.commands.length > 1) ||
        (child.type === 'Statement' && child.background === true) ||
        node.type === 'Coproc';
      visit(child, beside || (spawned && !(branch && !beside)), held, depth + 1);
    });
  };
  visit(body, false, false, 0);
  return leaves ? calls.map((call) => ({ ...call, guarded: true })) : calls;
}

/** `command f` and `eval f` call `f`, and `$FUNCNAME` is the function itself. */
function wordsOf(node: Command, self: string): readonly string[] {
  const words = commandWords(node);
  const [first = '', second] = words;
  if (/^\$\{?FUNCNAME/.test(node.name?.text.replace(/^"/, '') ?? '')) return [self, ...words.slice(1)];
  return second !== undefined && /^(?:command|builtin|exec|nohup|eval|setsid|time)$/.test(first) && !/\s/.test(second)
    ? words.slice(1)
    : words;
}

/** Whether what is below runs only under some condition, or as often as there is something to do. */
function isGuard(node: SyntaxNode): boolean {
  if (node.type === 'If') return alwaysHolds(node.clause) === undefined;
  if (node.type === 'AndOr') return node.commands.slice(0, -1).some((command) => alwaysHolds(command) === undefined);
  return (
    node.type === 'For' ||
    node.type === 'Case' ||
    node.type === 'Select' ||
    (node.type === 'While' && alwaysHolds(node.clause) === undefined)
  );
}
