/** Runs the actions of a program in another language: each is the command that does the same. */
import { leaveOut } from '../../limits.ts';
import { codeReaders } from '../code-readers.ts';
import type { Program } from '../machine.ts';
import { isOpaque, REMOTE } from '../marks.ts';
import type { Invocation } from './invoke.ts';

/** Longer code on a command line is not read but asked about. */
const MOST_CODE = 16 * 1024;

/** @param known Shell code of the program that has been followed before. */
export function runActions(
  name: string,
  { text = '', from, path }: Program,
  known: ReadonlySet<string>,
  invocation: Invocation,
  invoke: (inner: Invocation) => void,
): void {
  const { wiring, place, machine } = invocation;
  if (from !== 'file' && text.length > MOST_CODE) {
    leaveOut(`a program on the command line is longer than ${MOST_CODE / 1024} KB`);
    return;
  }
  // The program has a folder of its own.
  const scope = invocation.scope.child();
  const actions = codeReaders().actionsOf(text, name, {
    file: (path) => machine.files.get(path),
    stdin: from === 'stdin' ? '' : wiring.stdin,
    args: argumentsOf(invocation.argv, from === 'argument' ? text : from === 'file' ? path : '-', from === 'file'),
  });
  // In quotes, `~` is not the home.
  const isKnown = (argv: readonly string[]): boolean => !argv.some((word) => word.startsWith('~')) && known.has(argv.map(quote).join(' '));
  for (const action of actions) {
    const source = place.source ?? { text, at: action.at, ...(from === 'file' && path !== undefined && { file: path }) };
    const inner = from === 'file' ? { ...place, source, at: place.at ?? action.at } : { ...place, source };
    if (action.what === 'shell') {
      if (known.has(action.text)) continue;
      // Only the origin of such code is known, and a shell that gets it is judged by that.
      if (isOpaque(action.text) && action.text.includes(REMOTE)) {
        invoke({ ...invocation, argv: ['sh', '-c', action.text], scope, place: inner, wiring: { ...wiring, writes: [] } });
        continue;
      }
      const below = scope.child();
      below.stdin = wiring.stdin;
      below.fds = wiring.fds;
      machine.runText(action.text, below, inner);
    } else if (!isKnown(action.argv)) {
      const fed = action.stdin === undefined ? wiring : { ...wiring, stdin: action.stdin, fds: new Map(wiring.fds).set(0, 'text') };
      invoke({ ...invocation, argv: action.argv, scope, place: inner, wiring: { ...fed, writes: [] } });
    }
  }
}

/** Returns the words after a program. A file is one of them for some languages, and its place is kept. */
function argumentsOf(argv: readonly string[], program: string | undefined, isFile: boolean): readonly string[] {
  const at = program === undefined ? -1 : argv.indexOf(program, 1);
  if (at === -1) return [];
  const args = argv.slice(at + 1).filter((word, i) => i > 0 || word !== '--');
  return isFile && /^(?:node|bun|deno|tsx)/.test(argv[0] ?? '') && args.length > 0 ? [program ?? '', ...args] : args;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
