/** Runs the built program the way a host does: a process of its own, pipes, and a home that holds nothing. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AGENT_MARKERS, AGENT_PROGRAMS } from '../../../src/cli/input/started-by.ts';
import { findActor } from '../../../src/people/actor.ts';
import { LONG_MS } from '../../support/patience.ts';
import type { Workspace } from '../../support/workspace.ts';

const BIN = fileURLToPath(new URL('../../../bin/hookline.js', import.meta.url));

/** Asks a hook as an agent of its own does, so that the test does not count as one. */
export const AGENT = fileURLToPath(new URL('../../support/agent.sh', import.meta.url));

/** What a command that these tests start in a terminal is found to be started by. It depends on where the tests run. */
export const FOUND_HERE = findActor({
  ...{ env: plainEnvironment(), stateFolder: '/nonexistent', products: AGENT_PROGRAMS, markers: AGENT_MARKERS },
  ...{ hasTerminal: true, via: 'cli' },
});

/** Tests in which a person acts need a terminal that is a person's. */
export const WITHOUT_PERSON = FOUND_HERE.finding === 'person' ? false : `No person can act here: ${FOUND_HERE.evidence.join(' ')}`;

/** If an agent runs the tests, a command leaves the agent's processes. Otherwise nothing that needs a person could be tested. */
function apart(words: readonly string[]): readonly string[] {
  if (FOUND_HERE.finding !== 'agent') return words;
  const leave = 'exec 4<&0; f=$(mktemp -u); mkfifo "$f"; ( { "$@" <&4; echo $? > "$f"; } & ); code=$(cat "$f"); rm -f "$f"; exit "$code"';
  return ['sh', '-c', leave, 'sh', ...words];
}

export interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly bin?: string;
  /** Lets this much time pass before anything is read. */
  readonly readAfterMs?: number;
  /** In a terminal, as a person types it: what is on stdin is typed, and both outputs come on stdout. */
  readonly terminal?: boolean;
  /** In a terminal: the keys that are typed once a question is shown, in this order. */
  readonly typed?: readonly { readonly at: string; readonly keys: string }[];
  /** As this user, which only root can ask for. */
  readonly uid?: number;
}

/** Settles once both pipes are closed: a host that waits for the end of the output waits for exactly this. */
export function hookline({ root, home }: Workspace, argv: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const { file, args, env } = programLine({ home }, argv, options);
  const child = spawn(file, args, {
    ...{ cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] },
    ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
  });
  child.stdin.on('error', () => {});
  if (!options.typed) child.stdin.end(options.stdin ?? '');
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    const read = (): unknown => child[stream].setEncoding('utf8').on('data', (chunk: string) => (said[stream] += chunk));
    if (stream === 'stdout' && options.typed)
      child.stdout.on(
        'data',
        typist(options.typed, (keys) => child.stdin.write(keys)),
      );
    if (options.readAfterMs === undefined) read();
    else setTimeout(read, options.readAfterMs);
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exit) => resolve({ exit, ...said }));
  });
}

/** Returns how to start it, for tests that look at it while it runs. */
export function programLine({ home }: Pick<Workspace, 'home'>, argv: readonly string[], options: RunOptions = {}) {
  const words = [process.execPath, options.bin ?? BIN, ...argv];
  const [file = '', ...args] = options.terminal ? terminalOf(words) : argv[0] === 'hook' ? ['sh', AGENT, ...words] : apart(words);
  return { file, args, env: { ...plainEnvironment(), HOOKLINE_HOME: home, HOME: home, ...options.env } };
}

/** Types the next keys each time the next question is shown. */
function typist(typed: NonNullable<RunOptions['typed']>, type: (keys: string) => void): (chunk: Buffer | string) => void {
  const left = [...typed];
  let shown = '';
  return (chunk) => {
    shown += chunk;
    for (let next = left[0]; next && shown.includes(next.at); next = left[0]) {
      shown = shown.slice(shown.indexOf(next.at) + next.at.length);
      left.shift();
      type(next.keys);
    }
  };
}

/** Ours, without what changes colours or says that an agent is at work: the tests may be run by one. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const set = new Set(['NO_COLOR', 'FORCE_COLOR', ...Object.keys(AGENT_MARKERS)]);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !set.has(name)));
}

/** By the `script` of util-linux. */
function terminalOf(words: readonly string[]): readonly string[] {
  const quoted = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  return ['script', '--quiet', '--return', '--command', quoted, '/dev/null'];
}

/** A skill whose one hook is this command on this event. */
export function skill(command: string, event = 'PreToolUse'): Readonly<Record<string, string>> {
  const text = `---\nname: guard\ndescription: A guard.\nhooks:\n  ${event}:\n    - hooks:\n        - type: command\n          command: ${JSON.stringify(command)}\n---\n`;
  return { [path.join('skills', 'guard', 'SKILL.md')]: text };
}

export async function eventually(holds: () => boolean, withinMs = LONG_MS): Promise<boolean> {
  for (const end = Date.now() + withinMs; Date.now() < end; ) {
    if (holds()) return true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return holds();
}
