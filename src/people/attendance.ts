/**
 * Finds out whether a person is there to answer an agent's question. An agent that was started for one task asks no person: it takes the question
 * for a denial, or waits for ever. Found by the payload, by variables that the agent sets, by its command line and by its terminal.
 */

import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import type { Attendance, Host } from '../core/contracts/host.ts';
import type { Environment } from '../core/values/environment.ts';
import { type JsonObject, textOf } from '../core/values/json.ts';
import type { IsAttended } from '../engine/ports.ts';

/** A process above the hook. */
export interface Ancestor {
  readonly words: readonly string[];
  /** Whether a descriptor is a terminal; undefined if that cannot be seen. */
  isTerminal(descriptor: 0 | 1): boolean | undefined;
}

/** Returns the processes above a hook, the nearest first. */
export type Ancestors = (pid: number) => Iterable<Ancestor>;

/** @param setting what the user says about it: it is to be found out, there is always a person, or there is never one */
export function createAttendance(setting: 'auto' | 'always' | 'never' = 'auto', ancestorsOf: Ancestors = processesFrom): IsAttended {
  if (setting !== 'auto') return () => setting === 'always';
  return ({ attendance }: Pick<Host, 'attendance'>, payload, environment, parent) =>
    attendance === null || isAttended(attendance, payload, environment, parent === undefined ? [] : ancestorsOf(parent));
}

function isAttended(facts: Attendance, payload: JsonObject, environment: Environment, ancestors: Iterable<Ancestor>): boolean {
  const { nobody, somebody, otherwise } = facts;
  if (isSaid(nobody.payload, (key) => textOf(payload[key]))) return false;
  const agent = agentAmong(ancestors, facts.programs);
  if (agent && hasWord(agent.options, somebody.words)) return true;
  if (isSaid(nobody.env, (name) => environment[name])) return false;
  if (isSaid(somebody.env, (name) => environment[name])) return true;
  if (!agent) return otherwise === 'ask';
  if (hasWord(agent.options, nobody.words) || (facts.promptEnds && hasPrompt(agent.options))) return false;
  const seen = facts.terminals.map((descriptor) => agent.isTerminal(descriptor));
  if (seen.includes(false)) return false;
  return seen.includes(undefined) ? otherwise === 'ask' : true;
}

function isSaid(signs: Readonly<Record<string, readonly string[]>>, said: (name: string) => string | undefined): boolean {
  return Object.entries(signs).some(([name, values]) => values.includes(said(name) ?? ''));
}

interface AgentProcess extends Pick<Ancestor, 'isTerminal'> {
  /** The words after the program's own. */
  readonly options: readonly string[];
}

function agentAmong(ancestors: Iterable<Ancestor>, programs: readonly string[]): AgentProcess | undefined {
  for (const { words, isTerminal } of ancestors) {
    // A program that Node runs is the first word that is no option of Node's.
    const at = INTERPRETERS.includes(baseOf(words[0])) ? words.findIndex((word, i) => i > 0 && !word.startsWith('-')) : 0;
    const program = words[at];
    if (program === undefined || !programs.some((name) => isNamed(program, name))) continue;
    const end = words.indexOf('--', at);
    return { options: words.slice(at + 1, end < 0 ? undefined : end), isTerminal };
  }
  return undefined;
}

const INTERPRETERS = ['node', 'bun', 'deno'];

/** The name of a program, or of the package that holds it. */
function isNamed(program: string, name: string): boolean {
  return baseOf(program) === name || program.replaceAll('\\', '/').includes(`/${name}/`);
}

function baseOf(program = ''): string {
  const [last = ''] = program.replaceAll('\\', '/').split('/').slice(-1);
  return last.replace(/\.(exe|cmd|[cm]?js)$/i, '');
}

/** `--print`, `--print=x`, `-p`, the `p` in `-yp`; a word without dashes is a subcommand, which comes first. */
function hasWord(options: readonly string[], words: readonly string[]): boolean {
  return words.some((word) => {
    if (word.startsWith('--')) return options.some((option) => option === word || option.startsWith(`${word}=`));
    if (!word.startsWith('-')) return options[0] === word;
    return options.some((option) => /^-[a-z]+$/i.test(option) && option.includes(word.slice(1)));
  });
}

/** Whether a word is neither an option nor, as far as can be told, the value of one. */
function hasPrompt(options: readonly string[]): boolean {
  return options.some((word, i) => !word.startsWith('-') && (/\s/.test(word) || !options[i - 1]?.startsWith('-')));
}

const MOST_ANCESTORS = 32;

function* processesFrom(pid: number): Iterable<Ancestor> {
  const read = process.platform === 'linux' ? fromProc : process.platform === 'win32' ? () => undefined : fromTable(processTable());
  for (let next = pid, i = 0; next > 1 && i < MOST_ANCESTORS; i++) {
    const found = read(next);
    if (!found) return;
    yield found;
    next = found.parent;
  }
}

interface Found extends Ancestor {
  readonly parent: number;
}

function fromProc(pid: number): Found | undefined {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1);
    const [, parent = '0'] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return { words, parent: Number(parent), isTerminal: (descriptor) => isTerminalLink(`/proc/${pid}/fd/${descriptor}`) };
  } catch {
    return undefined;
  }
}

function isTerminalLink(link: string): boolean | undefined {
  try {
    return /^\/dev\/(pts\/|tty|console)/.test(readlinkSync(link));
  } catch {
    return undefined;
  }
}

/** Elsewhere `ps` tells of the words and of the controlling terminal, and `lsof` of descriptors. */
function processTable(): ReadonlyMap<number, Found> {
  const text = outputOf('/bin/ps', ['-axww', '-o', 'pid=,ppid=,tty=,args=']) ?? '';
  const rows = [...text.matchAll(/^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/gm)];
  return new Map(
    rows.map(([, pid, parent, tty = '', args = '']) => {
      const isTerminal = (descriptor: 0 | 1): boolean | undefined =>
        tty.startsWith('?') ? false : isTerminalThere(Number(pid), descriptor);
      return [Number(pid), { words: args.split(/\s+/), parent: Number(parent), isTerminal }];
    }),
  );
}

function isTerminalThere(pid: number, descriptor: 0 | 1): boolean | undefined {
  const text = outputOf('/usr/sbin/lsof', ['-a', '-p', String(pid), '-d', String(descriptor), '-Fn']);
  return text === undefined ? undefined : /^n\/dev\/(pts\/|tty|console)/m.test(text);
}

function outputOf(program: string, words: readonly string[]): string | undefined {
  try {
    return execFileSync(program, words, { encoding: 'utf8', timeout: 2000, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

function fromTable(table: ReadonlyMap<number, Found>): (pid: number) => Found | undefined {
  return (pid) => table.get(pid);
}
