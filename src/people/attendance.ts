/**
 * Finds out whether a person is there to answer an agent's question. An agent that was started for one task asks no person: it takes the question
 * for a denial, or waits for ever. Found by the payload, by variables that the agent sets, by its command line and by its terminal.
 */

import type { Attendance, Host } from '../core/contracts/host.ts';
import type { Environment } from '../core/values/environment.ts';
import { type JsonObject, textOf } from '../core/values/json.ts';
import type { IsAttended } from '../engine/ports.ts';
import { type Ancestor, baseOf, processesFrom } from './processes.ts';

/** Returns the processes above a hook, the nearest first. */
export type Ancestors = (pid: number) => Iterable<Ancestor>;

/** @param setting what the user says about it: it is to be found out, there is always a person, or there is never one */
export function createAttendance(
  setting: 'auto' | 'always' | 'never' = 'auto',
  ancestorsOf: Ancestors = (pid) => processesFrom(pid),
): IsAttended {
  if (setting !== 'auto') return () => setting === 'always';
  return ({ attendance, signs }: Pick<Host, 'attendance' | 'signs'>, payload, environment, parent) => {
    const agent = attendance === null || parent === undefined ? undefined : () => agentAmong(ancestorsOf(parent), signs.programs);
    return attendance === null || isAttended(attendance, payload, environment, agent);
  };
}

function isAttended(
  facts: Attendance,
  payload: JsonObject,
  environment: Environment,
  find: (() => AgentProcess | undefined) | undefined,
): boolean {
  const { nobody, somebody, otherwise } = facts;
  if (isSaid(nobody.payload, (key) => textOf(payload[key]))) return false;
  const agent = find?.();
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
