/** Reads the processes above a command, and the others of this machine: their words, terminal, start and variables. Nothing is kept. */

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { uptime } from 'node:os';
import type { Environment } from '../core/values/environment.ts';

/** A process above a hook. */
export interface Ancestor {
  readonly words: readonly string[];
  /** Whether a descriptor is a terminal; undefined if that cannot be seen. */
  isTerminal(descriptor: 0 | 1): boolean | undefined;
}

export interface Process extends Ancestor {
  readonly pid: number;
  readonly parent: number;
  /** The name that the system shows, which a script has from its file. */
  readonly name: string;
  /** Whether it has a controlling terminal. */
  readonly hasTerminal: boolean;
  /** Milliseconds since the epoch, to about a second; undefined if it is not told. */
  readonly startedAt: number | undefined;
  /** The file that runs; undefined if that cannot be seen. */
  file(): string | undefined;
  /** The variables that it was started with; undefined if they cannot be seen. */
  environment(): Environment | undefined;
}

/** The processes of this machine, as far as this user sees them. */
export interface Processes {
  find(pid: number): Process | undefined;
  all(): readonly Process[];
  /** Whether these are all processes there are. False in a namespace of its own, whose first process has a parent that is not seen. */
  readonly isWhole: boolean;
}

const MOST_ANCESTORS = 64;

/** Returns a process and those above it, the nearest first, up to and with the first process of the system. */
export function* processesFrom(pid: number, processes: Processes = seenProcesses()): Iterable<Process> {
  for (let next = pid, i = 0; next > 0 && i < MOST_ANCESTORS; i++) {
    const found = processes.find(next);
    if (!found) return;
    yield found;
    next = found.parent;
  }
}

export function seenProcesses(): Processes {
  if (process.platform === 'linux')
    return {
      find: fromProc,
      all: allInProc,
      get isWhole() {
        return isFirstNamespace();
      },
    };
  if (process.platform === 'win32') return { find: () => undefined, all: () => [], isWhole: false };
  const table = processTable();
  return { find: (pid) => table.get(pid), all: () => [...table.values()], isWhole: true };
}

/** The kernel gives the first namespace of processes this number. */
const FIRST_NAMESPACE = 'pid:[4026531836]';

function isFirstNamespace(): boolean {
  try {
    return readlinkSync('/proc/self/ns/pid') === FIRST_NAMESPACE && readlinkSync('/proc/self') === String(process.pid);
  } catch {
    return false;
  }
}

function allInProc(): Process[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (fromProc(Number(name)) ?? []) : []));
}

const TICKS_PER_SECOND = 100;

function fromProc(pid: number): Process | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    // The name may contain spaces and parentheses; the fields follow the last one.
    const [, name = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    const fields = rest.split(' ');
    const [parent, terminal, ticks] = [fields[1], fields[4], fields[19]].map(Number) as [number, number, number];
    return {
      pid,
      parent,
      words,
      name,
      hasTerminal: terminal !== 0,
      startedAt: Date.now() - uptime() * 1000 + (ticks / TICKS_PER_SECOND) * 1000,
      isTerminal: (descriptor) => isTerminalLink(`/proc/${pid}/fd/${descriptor}`),
      file: () => linkOf(`/proc/${pid}/exe`),
      environment: () => variablesIn(`/proc/${pid}/environ`),
    };
  } catch {
    return undefined;
  }
}

function linkOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

const TERMINAL = /^\/dev\/(pts\/|tty|console)/;

function isTerminalLink(link: string): boolean | undefined {
  const target = linkOf(link);
  return target === undefined ? undefined : TERMINAL.test(target);
}

function variablesIn(file: string): Environment | undefined {
  try {
    const lines = readFileSync(file, 'utf8').split('\0');
    return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  } catch {
    return undefined;
  }
}

/** Elsewhere `ps` tells of the words and of the controlling terminal, and `lsof` of descriptors. */
function processTable(): ReadonlyMap<number, Process> {
  const text = outputOf('/bin/ps', ['-axww', '-o', 'pid=,ppid=,tty=,lstart=,args=']) ?? '';
  const rows = [...text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+[\d:]+\s+\d{4})\s+(.*)$/gm)];
  return new Map(
    rows.map(([, pid, parent, tty = '', start = '', args = '']): [number, Process] => {
      const isTerminal = (descriptor: 0 | 1): boolean | undefined =>
        tty.startsWith('?') ? false : isTerminalThere(Number(pid), descriptor);
      const words = args.split(/\s+/);
      const startedAt = Date.parse(start);
      const found: Process = {
        ...{ pid: Number(pid), parent: Number(parent), words, name: baseOf(words[0]), isTerminal },
        hasTerminal: !tty.startsWith('?'),
        startedAt: Number.isNaN(startedAt) ? undefined : startedAt,
        file: () => undefined,
        environment: () => undefined,
      };
      return [Number(pid), found];
    }),
  );
}

function isTerminalThere(pid: number, descriptor: 0 | 1): boolean | undefined {
  const text = outputOf('/usr/sbin/lsof', ['-a', '-p', String(pid), '-d', String(descriptor), '-Fn']);
  return text === undefined ? undefined : /^n\/dev\/(pts\/|tty|console)/m.test(text);
}

function outputOf(program: string, words: readonly string[]): string | undefined {
  try {
    const env = { ...process.env, LC_ALL: 'C' };
    // Loaded here, because a hook on Linux starts no process for this.
    const { execFileSync } = process.getBuiltinModule('node:child_process');
    return execFileSync(program, words, { encoding: 'utf8', timeout: 2000, stdio: ['ignore', 'pipe', 'ignore'], env });
  } catch {
    return undefined;
  }
}

const SHELLS = ['sh', 'bash', 'dash', 'zsh', 'fish', 'ksh', 'mksh', 'ash', 'busybox', 'tcsh', 'csh', 'nu', 'pwsh', 'xonsh', 'elvish'];

export function isShell({ words: [first] }: Pick<Process, 'words'>): boolean {
  return SHELLS.includes(baseOf(first));
}

/** Whether a shell runs the text that it was given: `sh -c TEXT`. */
export function runsText({ words }: Pick<Process, 'words'>): boolean {
  const options = words.slice(1);
  const end = options.findIndex((word, i) => !/^[-+]/.test(word) && !/^[-+]o$/i.test(options[i - 1] ?? ''));
  return options.slice(0, end < 0 ? undefined : end).some((word) => /^-[a-z]*c$/i.test(word));
}

/** Whether it is a shell that reads its commands from a person: it was given neither a text nor a file. */
export function isInteractiveShell(found: Pick<Process, 'words'>): boolean {
  return isShell(found) && !runsText(found) && found.words.slice(1).every((word) => word.startsWith('-'));
}

/** The name of a program's file, without the end that says how it runs. A login shell has a dash before its name. */
export function baseOf(program = ''): string {
  const [last = ''] = program.replaceAll('\\', '/').split('/').slice(-1);
  return last.replace(/^-/, '').replace(/\.(exe|cmd|[cm]?js)$/i, '');
}
