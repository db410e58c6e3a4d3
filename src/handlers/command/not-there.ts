/**
 * Finds out why a command line cannot start its program, as far as its plain words show it before the start: a missing script would otherwise
 * come back as an exit code, which could be taken for the hook's own denial. A line with any other syntax of the shell is not judged.
 */
import { existsSync } from 'node:fs';
import { basename, delimiter, isAbsolute, join, resolve } from 'node:path';

/** Returns the value of a variable that the command would see. */
export type Lookup = (name: string) => string | undefined;

export interface NotThere {
  /** The program or script that the line names by a path, and that does not exist. */
  readonly file?: string;
  /** The program that no folder of PATH has. A start-up file of the shell may still know it, so it counts only if the shell says so too. */
  readonly program?: string;
}

const NOTHING: NotThere = {};

export function notThere(line: string, cwd: string, variable: Lookup): NotThere {
  const words = plainWords(line.replace(REDIRECTS, ''), variable);
  const [program, ...rest] = words === undefined ? [] : withoutPrefixes(words);
  if (program === undefined) return NOTHING;
  const script = scriptOf(basename(program), rest);
  if (script !== undefined && !script.names.some((name) => isFound(name, cwd, script.onPath ? variable('PATH') : undefined)))
    return { file: script.word };
  if (program.includes('/')) return existsSync(resolve(cwd, program)) ? NOTHING : { file: program };
  const path = variable('PATH');
  return path === undefined || BUILTINS.has(program) || isOnPath(program, path) ? NOTHING : { program };
}

export function isOnPath(name: string, path: string): boolean {
  return path.split(delimiter).some((folder) => isAbsolute(folder) && existsSync(join(folder, name)));
}

const REDIRECTS = /\s+\d?>{1,2}\s*(?:&\d|\/dev\/null)(?=\s|$)/g;
/** Words of the shell itself that may begin a plain line. */
const BUILTINS: ReadonlySet<string> = new Set(
  'alias cd command declare echo eval exit export false hash kill let local printf pwd read readonly return set shift shopt test time times trap true type typeset ulimit umask unset wait if for while until case select function'.split(
    ' ',
  ),
);

function isFound(name: string, cwd: string, path: string | undefined): boolean {
  return existsSync(resolve(cwd, name)) || (path !== undefined && !name.includes('/') && isOnPath(name, path));
}

interface ScriptWord {
  readonly word: string;
  /** The names under which the interpreter looks for it. */
  readonly names: readonly string[];
  /** Whether it is also looked for along PATH. */
  readonly onPath: boolean;
}

interface Interpreter {
  readonly program: RegExp;
  /** Options without a value that may precede the script. */
  readonly options: RegExp;
  readonly endings: readonly string[];
  readonly onPath: boolean;
}

const INTERPRETERS: readonly Interpreter[] = [
  { program: /^(?:python|pypy)[\d.]*$/, options: /^-[bBdEiIOqsSuvx]+$/, endings: [''], onPath: false },
  { program: /^(?:bash|sh|dash|zsh|ksh|ash)$/, options: /^-[elux]+$/, endings: [''], onPath: true },
  {
    program: /^node(?:js)?$/,
    options: /^--(?:no-warnings|experimental-strip-types)$/,
    endings: ['', '.js', '.json', '.node'],
    onPath: false,
  },
  { program: /^(?:ruby|perl|php|lua|tsx|ts-node|Rscript)$/, options: /^-w$/, endings: ['', '.ts', '.js'], onPath: false },
  { program: /^(?:\.|source)$/, options: /^$/, endings: [''], onPath: true },
];

/** Returns the script that an interpreter is given; undefined if the words do not show it. */
function scriptOf(program: string, rest: readonly string[]): ScriptWord | undefined {
  const interpreter = INTERPRETERS.find((one) => one.program.test(program));
  const word = interpreter && rest.find((one) => !interpreter.options.test(one));
  if (!interpreter || word === undefined || word === '' || word.startsWith('-')) return undefined;
  return { word, names: interpreter.endings.map((ending) => `${word}${ending}`), onPath: interpreter.onPath };
}

/** Removes variables that the line sets, and words that only start the rest. */
function withoutPrefixes(words: readonly string[]): readonly string[] {
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word) && word !== 'exec' && word !== 'env');
  if (first < 0 || words.slice(0, first).some((word) => /^PATH=/.test(word)) || words[first]?.startsWith('-')) return [];
  return words.slice(first);
}

/** Returns the words of a line that has quotes and variables, and nothing else that the shell treats specially. */
function plainWords(line: string, variable: Lookup): readonly string[] | undefined {
  const words: string[] = [];
  let rest = line.trim();
  while (rest !== '') {
    const [raw] = WORD.exec(rest) ?? [];
    if (raw === undefined) return undefined;
    const word = expandWord(raw, variable);
    if (word === undefined) return undefined;
    words.push(word);
    rest = rest.slice(raw.length);
    if (rest !== '' && !/^[ \t]/.test(rest)) return undefined;
    rest = rest.trimStart();
  }
  return words;
}

const VARIABLE = String.raw`\$(?:\w+|\{\w+\})`;
const PLAIN = String.raw`[\w%+,./:=@^~-]`;
const WORD = new RegExp(String.raw`^(?:'[^'\n]*'|"(?:[^"$\\${'`'}\n]|${VARIABLE})*"|${VARIABLE}|${PLAIN})+`);
const PART = new RegExp(`'[^']*'|"[^"]*"|${VARIABLE}|${PLAIN}+?`, 'g');

function expandWord(raw: string, variable: Lookup): string | undefined {
  const home = /^~(?=\/|$)/.test(raw) ? variable('HOME') : '';
  if (home === undefined || (raw.startsWith('~') && home === '')) return undefined;
  let value = home;
  for (const [part] of raw.slice(home === '' ? 0 : 1).matchAll(PART)) {
    if (part.startsWith("'")) value += part.slice(1, -1);
    else if (part.startsWith('"')) value += expand(part.slice(1, -1), variable);
    else if (part.startsWith('$')) {
      const found = expand(part, variable);
      // The shell would split it into words, or drop it.
      if (found === '' || /[\s*?[]/.test(found)) return undefined;
      value += found;
    } else value += part;
  }
  return value;
}

function expand(text: string, variable: Lookup): string {
  return text.replace(/\$(?:(\w+)|\{(\w+)\})/g, (_, bare?: string, braced?: string) => variable(bare ?? braced ?? '') ?? '');
}
