/**
 * `agent.start`: another agent is started so that it asks no person, or so that the hooks of its user do not run. Facts: `agent`, `by` (the
 * words or the variable).
 */
import { lazily } from '../lazily.ts';
import { agentStarts } from '../rules/compiled.ts';
import { type AgentStart, globMatches } from '../rules/rule.ts';
import type { EffectiveCommand } from '../shell/machine.ts';
import { printable } from '../shell/marks.ts';
import { type EffectReader, effect } from './effect.ts';
import { factsOf } from './run.ts';

export const agentStart: EffectReader = (command) => {
  const { name, argv, program } = command;
  const path = program?.from === 'file' ? program.path : undefined;
  const start = path === undefined ? startNamed().get(nameOnly(name)) : startOf(nameOnly(name), path);
  if (start === undefined) return [];
  const words = path === undefined ? argv : argv.slice(argv.indexOf(path, 1));
  const by = wordsOf(start, words) ?? variableOf(start, command);
  return by === undefined ? [] : [effect('agent.start', { agent: start.title, by: printable(by) })];
};

/** The agents by the names of their programs. */
const startNamed = lazily(() => {
  const named = new Map<string, AgentStart>();
  for (const start of agentStarts()) for (const program of start.programs) if (!named.has(program)) named.set(program, start);
  return named;
});

function nameOnly(name: string): string {
  return name.includes('@') ? name.replace(/@.*$/, '') : name;
}

/** Returns the first agent that the name or the file of a program is of. */
function startOf(name: string, path: string): AgentStart | undefined {
  return agentStarts().find(({ programs }) => programs.includes(name) || isIn(path, programs));
}

/** Returns whether a file is in the package of the agent. */
function isIn(path: string, programs: readonly string[]): boolean {
  const segments = path.split('/');
  return segments.includes('node_modules') && programs.some((name) => segments.includes(name));
}

function wordsOf({ words }: AgentStart, argv: readonly string[]): string | undefined {
  const { option } = factsOf('', argv);
  if (option.includes('--help') || option.includes('--version')) return undefined;
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  return words.find((wanted) => {
    const [name = '', value] = wanted.split(/ (.*)/s);
    return value === undefined ? option.includes(name) : valuesOf(name, own).some((given) => globMatches(value, given));
  });
}

/** Returns the values of an option, in the next word or in the same one. */
function valuesOf(name: string, argv: readonly string[]): readonly string[] {
  return argv.flatMap((word, i) => {
    if (word === name) return argv[i + 1] ?? [];
    if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
    return name.length === 2 && word.startsWith(name) ? word.slice(2) : [];
  });
}

/** Returns the variable of the command that takes the settings of the user away, or that allows everything. */
function variableOf({ env: wanted, moves }: AgentStart, { env }: EffectiveCommand): string | undefined {
  const given = Object.entries(env).find(([name, value]) => {
    if (Object.hasOwn(wanted, name)) return (wanted[name] ?? []).some((glob) => globMatches(glob, value)) && !/^(?:|0|false)$/.test(value);
    const usual = Object.hasOwn(moves, name) ? moves[name] : undefined;
    return usual !== undefined && value.replace(/\/+$/, '') !== usual;
  });
  return given?.[0];
}
