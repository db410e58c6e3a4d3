/** A terminal for a test: a real pseudo-terminal by `script`, and as much of a terminal emulator as shows what a person sees. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { until } from './patience.ts';
import type { Workspace } from './workspace.ts';

/** Whether the `script` of util-linux is there. */
export const HAS_TERMINAL =
  process.platform === 'linux' && spawnSync('script', ['--quiet', '--return', '--command', 'true', '/dev/null']).status === 0;

export interface Terminal {
  /** The lines that a person sees now. */
  lines(): readonly string[];
  /** Everything that was written. */
  written(): string;
  /** Whether the alternate screen is on. */
  isAlternate(): boolean;
  /** Resolves as soon as the screen shows this. */
  shows(text: string | RegExp): Promise<void>;
  type(keys: string): void;
  resize(columns: number, rows: number): void;
  /** The process that the shell started; its id is known once it runs. */
  pid(): number;
  /** Resolves with the exit code of the shell's last command. */
  ended(): Promise<number | null>;
}

export interface TerminalOptions {
  readonly columns?: number;
  readonly rows?: number;
  readonly env?: Readonly<Record<string, string>>;
}

const quoted = (words: readonly string[]): string => words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');

/**
 * Runs a command in a terminal of this size. Files in the home keep the mode of the terminal before and after it.
 * @param words the command
 */
export function openTerminal(workspace: Workspace, words: readonly string[], options: TerminalOptions = {}): Terminal {
  const { columns = 80, rows = 24, env = {} } = options;
  const at = (name: string): string => path.join(workspace.home, name);
  const lines = [
    // Ctrl-C is for the command, and this shell reports how the command ended.
    'trap : INT',
    ...[`stty cols ${columns} rows ${rows}`, `tty > ${quoted([at('tty')])}`, `stty -g > ${quoted([at('mode-before')])}`],
    `sh -c 'echo $$ > "$0"; exec "$@"' ${quoted([at('pid'), ...words])}`,
    ...['code=$?', `stty -g > ${quoted([at('mode-after')])}`, 'exit $code'],
  ];
  writeFileSync(at('run.sh'), `${lines.join('\n')}\n`);
  const { PATH = '' } = process.env;
  const child = spawn('script', ['--quiet', '--return', '--command', `exec sh ${quoted([at('run.sh')])}`, '/dev/null'], {
    cwd: workspace.root,
    env: { PATH, TERM: 'xterm', HOME: workspace.home, HOOKLINE_HOME: workspace.home, ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  child.stdin.on('error', () => {});
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const screen = (): Screen => emulate(written);
  const read = (name: string): string => readFileSync(at(name), 'utf8').trim();
  return {
    lines: () => screen().lines,
    written: () => written,
    isAlternate: () => screen().isAlternate,
    shows: async (text) => {
      const holds = (): boolean => {
        const all = screen().lines.join('\n');
        return typeof text === 'string' ? all.includes(text) : text.test(all);
      };
      const gone = closed.then(() => {
        if (!holds()) throw new Error(`The command ended, and the terminal does not show ${text}:\n${screen().lines.join('\n')}`);
      });
      await Promise.race([until(holds), gone]);
    },
    type: (keys) => void child.stdin.write(keys),
    resize: (wide, high) => void spawnSync('stty', ['-F', read('tty'), 'cols', `${wide}`, 'rows', `${high}`]),
    pid: () => (existsSync(at('pid')) ? Number(read('pid')) : 0),
    ended: () => closed,
  };
}

/** Whether the terminal has the mode that it had before the command. */
export function isRestored({ home }: Workspace): boolean {
  const [before, after] = ['before', 'after'].map((when) => readFileSync(path.join(home, `mode-${when}`), 'utf8'));
  return before === after;
}

interface Screen {
  readonly lines: readonly string[];
  readonly isAlternate: boolean;
}

const SEQUENCE = /\x1b\[([?\d;]*)([A-Za-z])|\x1b[()][A-B0]|\x1b[=>]|[\s\S]/gu;

/** Knows the sequences that Hookline writes. An unknown one stays visible, so that a test sees it. */
function emulate(text: string): Screen {
  let isAlternate = false;
  const screens: Record<'main' | 'other', string[][]> = { main: [], other: [] };
  let [row, column] = [0, 0];
  const name = (): 'main' | 'other' => (isAlternate ? 'other' : 'main');
  const lineAt = (at: number): string[] => {
    const cells = screens[name()];
    const line = cells[at] ?? [];
    cells[at] = line;
    return line;
  };
  for (const { 0: part, 1: numbers = '', 2: action } of text.matchAll(SEQUENCE)) {
    if (action === 'H') [row, column] = placeOf(numbers);
    else if (action === 'K') lineAt(row).splice(column);
    else if (action === 'J') screens[name()] = [];
    else if ((action === 'h' || action === 'l') && numbers === '?1049') {
      isAlternate = action === 'h';
      if (isAlternate) screens.other = [];
    } else if (part === '\r') column = 0;
    else if (part === '\n') row += 1;
    else if (part.length === 1 || !part.startsWith('\x1b')) {
      const line = lineAt(row);
      while (line.length < column) line.push(' ');
      line[column] = part;
      column += 1;
    }
  }
  return { lines: Array.from(screens[name()], (line = []) => line.join('').trimEnd()), isAlternate };
}

function placeOf(numbers: string): [number, number] {
  const [row = 1, column = 1] = numbers.split(';').map((number) => Number(number) || 1);
  return [row - 1, column - 1];
}
