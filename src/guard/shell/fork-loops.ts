/** Endless loops that start work beside themselves and never wait for it; and which conditions always hold. */
import { type Command, forEachChild, type SyntaxNode } from 'unbash';

/** What a list of statements does in its own process; a subshell has a process of its own. */
interface Work {
  /** Leaves something running. */
  starts: boolean;
  /** Waits for what was started, or leaves the loop. */
  waits: boolean;
  /** Does something else that takes time. */
  lasts: boolean;
}

const LEAVES = /^(?:wait|break|exit|return|exec|fg|read|mapfile|inotifywait)$/;
const INSTANT = /^(?::|true|false|echo|printf|let|export|unset|shift|disown|local|declare|test|\[|set|continue)$/;

/** `bomb`: it only starts work; `slow`: something in it takes time; undefined: it ends, or waits. */
export function forkLoop(node: SyntaxNode): 'bomb' | 'slow' | undefined {
  if ((node.type !== 'While' && node.type !== 'ArithmeticFor') || !isEndless(node)) return undefined;
  const work = workOf(node.body, 0);
  if (!work.starts || work.waits) return undefined;
  return work.lasts ? 'slow' : 'bomb';
}

/** Whether the condition holds whatever happens: `true`, `:`, `[ 1 ]`, `((1))`. */
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
  if (depth > 100) return work;
  if (node.type === 'Statement' && node.background) return { ...work, starts: true };
  if (node.type === 'Coproc') return { ...work, starts: true };
  if (node.type === 'Function' || node.type === 'Word' || node.type === 'Assignment') return work;
  if (node.type === 'Command') {
    const [name = ''] = commandWords(node);
    return { starts: false, waits: LEAVES.test(name), lasts: name !== '' && !INSTANT.test(name) && !LEAVES.test(name) };
  }
  forEachChild(node, (child) => add(workOf(child, depth + 1)));
  // What waits in a process of its own waits for nothing that was started outside of it.
  const apart = node.type === 'Subshell' || (node.type === 'Pipeline' && node.commands.length > 1);
  return apart ? { starts: work.starts && !work.waits, waits: false, lasts: work.lasts } : work;
}
