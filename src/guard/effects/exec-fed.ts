/**
 * `exec.fed`: a word that `xargs` or a similar command inserts from unknown input and that is more than a name. It can be an option, a
 * script, a test of `find` or a git subcommand. Facts: `role`, `command`, `by`, `text`.
 */

import type { EffectiveCommand } from '../shell/machine.ts';
import { FED, isDynamic, printable } from '../shell/marks.ts';
import { parseFind } from '../shell/programs/find.ts';
import { type EffectReader, effect } from './effect.ts';
import { feederOf } from './exec.ts';

export const execFed: EffectReader = (command) => {
  const { argv, name } = command;
  if (!argv.some((word) => word.includes(FED))) return [];
  const role = roleIn(command);
  return role === undefined
    ? []
    : [effect('exec.fed', { role, command: name, by: feederOf(command), text: printable(argv.join(' ').slice(0, 200)) })];
};

type Role = 'option' | 'script' | 'expression' | 'verb';

/** Tools without dangerous options. */
const HARMLESS =
  /^(echo|printf|cat|wc|ls|stat|file|head|tail|grep|egrep|fgrep|rg|basename|dirname|test|\[|du|md5sum|sha\d+sum|sort|uniq|cut|seq|date|sleep|true)$/;

interface Interpreter {
  readonly valued: string;
  /** Options that load their value as code. */
  readonly loads: RegExp;
  /** Options that take the program as their value. */
  readonly code: RegExp;
  /** Whether the program ends the options. */
  readonly endsWithCode: boolean;
}

const INTERPRETERS: readonly (readonly [names: RegExp, how: Interpreter])[] = [
  [/^(python|pypy)[\d.]*$/, { valued: 'WX', loads: /^-m$/, code: /^-[a-zA-Z]*c$/, endsWithCode: true }],
  [
    /^(node|nodejs|bun|tsx)$/,
    { valued: 'C', loads: /^(-r|--require|--import|--loader)$/, code: /^(-e|-p|-pe|--eval|--print)$/, endsWithCode: false },
  ],
  [/^(ruby|perl|php|lua)[\d.]*$/, { valued: 'ICEKTx', loads: /^(-r|-M|-f)$/, code: /^-[a-zA-Z]*[erE]$/, endsWithCode: false }],
  [/^[gmn]?awk$/, { valued: 'Fv', loads: /^(-i|-l)$/, code: /^(-f|-e|--file|--source)$/, endsWithCode: false }],
];
const GIT_VALUED = /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--config-env)$/;
const GIT_SAFE =
  /^(status|log|diff|show|add|blame|ls-files|ls-tree|grep|rev-parse|rev-list|cat-file|describe|shortlog|check-ignore|hash-object|fetch|commit|branch|rm)$/;

function roleIn({ name, argv }: EffectiveCommand): Role | undefined {
  const interpreter = INTERPRETERS.find(([names]) => names.test(name))?.[1];
  if (interpreter) return inInterpreter(argv, interpreter);
  if (name === 'find' || name === 'gfind') return inFind(argv);
  if (name === 'git') return inGit(argv);
  if (HARMLESS.test(name)) return undefined;
  return options(argv).some((word) => word.startsWith('-') && word.includes(FED)) ? 'option' : undefined;
}

/** Returns whether the start of the word is unknown, because such a word can start with a dash. */
function mayBeOption(word: string): boolean {
  return word.includes(FED) && isDynamic(word.slice(0, 1));
}

function options(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--');
  return argv.slice(1, end === -1 ? undefined : end);
}

function inInterpreter(argv: readonly string[], { valued, loads, code, endsWithCode }: Interpreter): Role | undefined {
  let hasCode = false;
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') return !hasCode && mayBeOption(argv[at + 1] ?? '') ? 'script' : undefined;
    if (mayBeOption(word)) return hasCode ? 'option' : 'script';
    if (!/^-./.test(word)) return undefined;
    if (word.includes(FED)) return 'option';
    const next = argv[at + 1] ?? '';
    if (code.test(word)) {
      if (endsWithCode) return undefined;
      hasCode = true;
      at++;
    } else if (loads.test(word)) {
      if (next.includes(FED)) return 'script';
      at++;
    } else if (word.length === 2 && valued.includes(word.slice(1))) at++;
  }
  return undefined;
}

function inFind(argv: readonly string[]): Role | undefined {
  const { roots, expression } = parseFind(argv);
  if (expression.some(mayBeOption)) return 'expression';
  return mayBeOption(argv.at(-1) ?? '') && roots.includes(argv.at(-1) ?? '') ? 'expression' : undefined;
}

function inGit(argv: readonly string[]): Role | undefined {
  let at = 1;
  while (/^-./.test(argv[at] ?? '')) at += GIT_VALUED.test(argv[at] ?? '') ? 2 : 1;
  const verb = argv[at];
  if (verb === undefined) return undefined;
  if (verb.includes(FED)) return 'verb';
  const rest = options(argv.slice(at));
  if (rest.some((word) => word.startsWith('-') && word.includes(FED))) return 'option';
  return !GIT_SAFE.test(verb) && rest.some(mayBeOption) ? 'option' : undefined;
}
