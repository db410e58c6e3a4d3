/**
 * Finds fork bombs by their structure: a function that starts itself in parallel, or an endless loop that starts work and never waits for
 * it.
 */
import { type Command, forEachChild, parse, type Script, type SyntaxNode } from 'unbash';
import { leaveOut, spend } from '../../limits.ts';

/** The work of a list of statements in its own process. A subshell is another process. */
interface Work {
  /** Whether it leaves a process running. */
  starts: boolean;
  /** Whether it waits for started processes, or leaves the loop. */
  waits: boolean;
  /** Whether it does other work that takes time. */
  lasts: boolean;
}

const LEAVES = /^(?:wait|break|exit|return|exec|fg|read|mapfile|inotifywait)$/;
const PASSES_ON = /^(?:command|builtin|exec|nohup|eval|setsid|time)$/;
const RUNS_CODE = /^(?:eval|(?:ba|z|da|k)?sh)$/;
const INSTANT = /^(?::|true|false|echo|printf|let|export|unset|shift|disown|local|declare|test|\[|set|continue)$/;

/** Returns `bomb` if the loop only starts work, and `slow` if a part of it takes time. Undefined: the loop ends or waits. */
export function forkLoop(node: SyntaxNode): 'bomb' | 'slow' | undefined {
  if ((node.type !== 'While' && node.type !== 'ArithmeticFor') || !isEndless(node)) return undefined;
  const work = workOf(node.body, 0);
  if (!work.starts || work.waits) return undefined;
  return work.lasts ? 'slow' : 'bomb';
}

/** Returns whether a condition always holds: `true`, `:`, `[ 1 ]`, `((1))`. */
export function alwaysHolds(node: SyntaxNode): boolean | undefined {
  switch (node.type) {
    case 'CompoundList': {
      const last = node.commands.at(-1);
      return last && alwaysHolds(last.command);
    }
    case 'Pipeline': {
      const only = node.commands.length === 1 ? node.commands[0] : undefined;
      const holds = only && alwaysHolds(only);
      return holds !== undefined && node.prefixes.some(({ type }) => type === 'Negation') ? !holds : holds;
    }
    case 'ArithmeticCommand':
      return /^\s*\d+\s*$/.test(node.body) ? Number(node.body) !== 0 : undefined;
    case 'TestCommand':
      return node.expression.type === 'TestUnary' && /^(?:\d+|true)$/.test(textOf(node.expression)) ? true : undefined;
    case 'Command':
      return commandHolds(commandWords(node));
    default:
      return undefined;
  }
}

export function commandWords(node: Command): readonly string[] {
  return [node.name?.value ?? '', ...node.args.map((arg) => (arg.type === 'Word' ? arg.value : arg.text))];
}

function commandHolds(words: readonly string[]): boolean | undefined {
  const text = words
    .join(' ')
    .trim()
    .replace(/^(?:command|builtin) /, '');
  if (/^(?:(?:\/usr)?(?:\/bin\/)?true|:|\[ (?:\d+|true|-n [\w]+) \]|test \d+)$/.test(text)) return true;
  if (/^(?:\/usr)?(?:\/bin\/)?false$/.test(text)) return false;
  const compared = /^(?:\[|test) (\w+) (-eq|=|==|-ne|!=) (\w+)(?: \])?$/.exec(text);
  if (!compared || !/^\d+$|^[a-z]+$/.test(compared[1] ?? '')) return undefined;
  return (compared[1] === compared[3]) === /^(?:-eq|==?)$/.test(compared[2] ?? '');
}

function textOf(node: SyntaxNode): string {
  let text = '';
  forEachChild(node, (child) => {
    if (child.type === 'Word') text += child.value;
  });
  return text;
}

function isEndless(node: SyntaxNode & { type: 'While' | 'ArithmeticFor' }): boolean {
  if (node.type === 'While') return alwaysHolds(node.clause) === (node.kind === 'while');
  const { test } = node;
  return test === undefined || ('value' in test && /^[1-9]\d*$/.test(String(test.value)));
}

function workOf(node: SyntaxNode, depth: number): Work {
  const work: Work = { starts: false, waits: false, lasts: false };
  const add = (inner: Work): void => {
    work.starts ||= inner.starts;
    work.waits ||= inner.waits;
    work.lasts ||= inner.lasts;
  };
  spend(STEPS_OF_NODE);
  if (depth > MOST_DEPTH) {
    leaveOut(`loops and branches are nested deeper than ${MOST_DEPTH} levels`);
    return work;
  }
  if (node.type === 'Statement' && node.background) return { ...work, starts: true };
  if (node.type === 'Coproc') return { ...work, starts: true };
  if (node.type === 'Function' || node.type === 'Word' || node.type === 'Assignment') return work;
  if (node.type === 'Command') {
    const name = node.name?.value ?? '';
    return { starts: false, waits: LEAVES.test(name), lasts: name !== '' && !INSTANT.test(name) && !LEAVES.test(name) };
  }
  forEachChild(node, (child) => add(workOf(child, depth + 1)));
  // A wait inside another process does not wait for work that was started outside.
  const apart = node.type === 'Subshell' || (node.type === 'Pipeline' && node.commands.length > 1);
  return apart ? { starts: work.starts && !work.waits, waits: false, lasts: work.lasts } : work;
}

interface Call {
  readonly to: string;
  /** Whether the call runs in parallel with its caller, in the background or in a pipeline. */
  readonly spawned: boolean;
  /** Whether the call depends on a condition. */
  readonly guarded: boolean;
}

interface Defined {
  readonly node: SyntaxNode;
  readonly calls: readonly Call[];
}

type Functions = ReadonlyMap<string, Defined>;

/** Returns all functions that a call reaches, including itself. */
type Reached = (from: string) => ReadonlySet<string>;

interface Use {
  readonly name: string;
  readonly at: number;
}

export interface Bomb {
  /** `fork-loop`: it runs without end, but a condition or slow work holds it up. */
  readonly kind: 'fork-bomb' | 'fork-loop';
  readonly node: SyntaxNode;
  readonly text: string;
}

const LOOP = 'an endless loop that starts work in the background';
/** Levels of the syntax tree. One level of the text has several. */
const MOST_DEPTH = 1000;
const LEVELS_OF_CODE = 50;
/** Looking at a node is much less work than running it. */
const STEPS_OF_NODE = 1 / 8;

export function forkBombs(script: Script): readonly Bomb[] {
  const functions = new Map<string, Defined>();
  const used: Use[] = [];
  const bombs: Bomb[] = [];
  const visit = (node: SyntaxNode, inside: boolean): void => {
    spend(STEPS_OF_NODE);
    // Substitutions are checked when they run.
    if (node.type === 'Word' || node.type === 'Assignment') return;
    if (node.type === 'Function') functions.set(node.name.value, { node, calls: callsOf(node.body, node.name.value) });
    // Only the name is read: the values of all words would be worked out for it.
    if (node.type === 'Command' && !inside) used.push({ name: node.name?.value ?? '', at: node.pos });
    const loop = forkLoop(node);
    if (loop !== undefined) bombs.push({ kind: loop === 'bomb' ? 'fork-bomb' : 'fork-loop', node, text: LOOP });
    const within = inside || node.type === 'Function';
    forEachChild(node, (child) => visit(child, within));
  };
  visit({ ...script, errors: undefined }, false);
  const reached = reachableFunctions(functions);
  for (const [name, { node, calls }] of functions) {
    const back = calls.filter(({ to, spawned }) => (spawned && reached(to).has(name)) || (to !== name && spawns(to, name, functions)));
    if (back.length > 0 && isUsed(name, functions, used, reached)) {
      const kind = back.every(({ guarded }) => guarded) ? 'fork-loop' : 'fork-bomb';
      bombs.push({ kind, node, text: `${name}() starts itself again and again` });
    }
  }
  return bombs;
}

/**
 * Returns whether a function can reach itself. A call before all needed definitions cannot. A function without a call may be called from
 * elsewhere.
 */
function isUsed(name: string, functions: Functions, used: readonly Use[], reached: Reached): boolean {
  const circle = [...reached(name)].filter((other) => functions.has(other) && reached(other).has(name));
  const complete = Math.max(...circle.map((other) => functions.get(other)?.node.end ?? 0));
  const calls = used.filter((call) => functions.has(call.name) && reached(call.name).has(name));
  return calls.length === 0 || calls.some(({ at }) => at >= complete);
}

/** Caches the functions that each function reaches and counts the work, because many functions that call each other take long to follow. */
function reachableFunctions(functions: Functions): Reached {
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

/** Returns whether `from` starts `to` in parallel. */
function spawns(from: string, to: string, functions: Functions): boolean {
  return functions.get(from)?.calls.some((call) => call.spawned && call.to === to) ?? false;
}

function callsOf(body: SyntaxNode, self: string): readonly Call[] {
  const calls: Call[] = [];
  let leaves = false;
  /** Loops and branches inside a pipeline do not count as spawned, because a recursive walk over folders pipes into a loop. */
  const visit = (node: SyntaxNode, spawned: boolean, guarded: boolean, depth: number): void => {
    spend(STEPS_OF_NODE);
    if (depth > MOST_DEPTH) {
      leaveOut(`commands in a function are nested deeper than ${MOST_DEPTH} levels`);
      return;
    }
    if (node.type === 'Command') {
      const { name, at } = calledBy(node, self);
      leaves ||= name === 'return' || name === 'exit';
      if (name !== '') calls.push({ to: name, spawned, guarded });
      const code = RUNS_CODE.test(name) ? codeIn(name, commandWords(node).slice(at + 1)) : undefined;
      if (code !== undefined) visitCode(code, spawned, guarded, depth);
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
  /** Each level of code inside code counts as many, so that their number is limited too. */
  const visitCode = (code: string, spawned: boolean, guarded: boolean, depth: number): void => {
    spend(code.length / 64);
    visit(parse(code), spawned, guarded, depth + LEVELS_OF_CODE);
  };
  visit(body, false, false, 0);
  return leaves ? calls.map((call) => ({ ...call, guarded: true })) : calls;
}

/**
 * Returns the command that a call runs, and which of its words that is. `command f` and `eval f` call `f`, and `$FUNCNAME` is the function
 * itself.
 */
function calledBy(node: Command, self: string): { readonly name: string; readonly at: 0 | 1 } {
  if (/^"?\$\{?FUNCNAME/.test(node.name?.text ?? '')) return { name: self, at: 0 };
  const first = node.name?.value ?? '';
  if (!PASSES_ON.test(first)) return { name: first, at: 0 };
  const [word] = node.args;
  const second = word?.type === 'Word' ? word.value : word?.text;
  return second !== undefined && !/\s/.test(second) ? { name: second, at: 1 } : { name: first, at: 0 };
}

/** Returns the code that `eval` or a shell runs. */
function codeIn(name: string, rest: readonly string[]): string | undefined {
  if (name === 'eval') return rest.join(' ');
  return /^-\w*c$/.test(rest[0] ?? '') ? rest[1] : undefined;
}

/** Returns whether the body of a node runs only under a condition, or once per item. */
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
