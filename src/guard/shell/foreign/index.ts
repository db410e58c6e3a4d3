/** Code in other languages. It is not parsed, but searched for a fixed list of calls with literal arguments. */
import { atMost, leaveOut } from '../../limits.ts';
import { environmentValue } from '../code/constants.ts';
import { textOf } from '../code/value.ts';
import { UNKNOWN } from '../marks.ts';
import { awkCommands } from './awk.ts';
import { type Call, callsIn } from './calls.ts';
import { type Flavour, flavourOf } from './flavour.ts';
import type { KnownValue } from './text.ts';
import { type Token, tokensOf } from './tokens.ts';

const MOST_CALLS = 1024;
const CALLS = 'the calls in a program';
const MOST_NESTING = 3;
const RUNS =
  /^(system|popen\d?|execSync|spawnSync|execFileSync|execFile|shell_exec|passthru|proc_open|pcntl_exec|getoutput|getstatusoutput|check_output|check_call|Popen|execute|capture2e?|capture3|exec[lv]p?e?|spawn[lv]p?e?|posix_spawn|create_subprocess_(shell|exec))$/;
const EVALUATES = /^(eval|exec|compile|Function|instance_eval|runInThisContext)$/;
const DELETES = /^(rmtree|rm_rf|rm_r|remove_dir_all|rmSync|rmdirSync|rimraf|rm|remove_entry_secure|removeSync)$/;
const READS =
  /^(open|openSync|fopen|readFileSync|readFile|createReadStream|readfile|file|file_get_contents|readTextFile|readTextFileSync|read_text|read_bytes|read|readlines|readLines|readSync|binread|foreach|each_line|slurp|read_file|lines|ReadAllText|ReadAllBytes|ReadAllLines|copyFile|copyFileSync|cpSync|copyfile|copy|copy2|cp|dofile|parse_ini_file|show_source|highlight_file)$/;

/**
 * Returns the shell commands that the code runs: plain strings, and lists of strings as one command.
 *
 * @param name The command that runs the code.
 */
export function shellTexts(code: string, name = ''): readonly string[] {
  return shellCalls(code, name).map(({ text }) => text);
}

/** A shell command in code, and the position of the call that runs it. */
export interface ShellCall {
  readonly text: string;
  readonly at: number;
}

export function shellCalls(code: string, name = ''): readonly ShellCall[] {
  const flavour = flavourOf(name, code);
  const tcl = /^(expect|tclsh|wish)/.test(name) ? tclCommands(code) : /^(ipython|jupyter|xonsh)/.test(name) ? magicCommands(code) : [];
  const awk = flavour === 'awk' ? awkCommands(code, (variable) => textOf(environmentValue(variable)) ?? UNKNOWN) : [];
  const texts = [...commandsRun(code, flavour, 0), ...(/^(awk|other)$/.test(flavour) ? awkPipes(code) : []), ...awk, ...tcl];
  return atMost(texts, MOST_CALLS, CALLS).map(({ text, at }) => ({ text: text.replaceAll('\uE002', ''), at }));
}

/** Returns the position of the call that names a path, for a finding about this path. */
export function callNaming(code: string, name: string, path: string): number | undefined {
  const flavour = flavourOf(name, code);
  const calls = callsIn(tokensOf(code, flavour), flavour).filter(
    ({ args, on }) => on === path || args.some((arg) => flat(arg).includes(path)),
  );
  const acts = calls.find(({ name: called }) => DELETES.test(called) || !READS.test(called)) ?? calls[0];
  return acts?.at;
}

/** Returns the paths that the code deletes recursively. */
export function deletedPaths(code: string, name = ''): readonly string[] {
  const flavour = flavourOf(name, code);
  const calls = callsIn(tokensOf(code, flavour), flavour).filter(({ name: called }) => DELETES.test(called));
  return atMost(calls, MOST_CALLS, CALLS).flatMap(({ args }) => flat(args[0]));
}

/** Returns the files that the code reads. */
export function readPaths(code: string, name = ''): readonly string[] {
  const flavour = flavourOf(name, code);
  return atMost([...readBy(code, flavour, 0), ...bareReads(code)], MOST_CALLS, CALLS);
}

function readBy(code: string, flavour: Flavour, depth: number): readonly string[] {
  if (depth > MOST_NESTING) return nestedTooDeep();
  return callsIn(tokensOf(code, flavour), flavour).flatMap(({ name, args, on }) => {
    if (EVALUATES.test(name) && typeof args[0] === 'string') return readBy(args[0], flavour, depth + 1);
    if (!READS.test(name)) return [];
    const given = args.slice(0, 3).flatMap(flat);
    // `open(path, 'w')` and `open(F, '>', path)` write.
    if (
      /^(f?open(Sync)?|file)$/i.test(name) &&
      given
        .slice(1)
        .concat(given[0] ?? '')
        .some((text) => /^(\+?>|[wax]b?\+?$)/.test(text))
    )
      return [];
    const paths = name.startsWith('cop') || name.startsWith('cp') ? given.slice(0, 1) : given;
    return [...paths.map((text) => text.replace(/^\s*[<+]{1,2}\s*/, '')), ...(on === undefined ? [] : [on])];
  });
}

function nestedTooDeep(): readonly never[] {
  leaveOut(`programs inside programs are nested deeper than ${MOST_NESTING} levels`);
  return [];
}

/** Returns reads in languages that call without brackets and quotes. */
function bareReads(code: string): readonly string[] {
  const tcl = [...code.matchAll(/\[\s{0,8}open\s+"?([^\s\]"]{1,200})/g)];
  const powershell = [...code.matchAll(/\b(?:Get-Content|gc)\s+(?:-(?:Literal)?Path\s+|-Raw\s+){0,2}["']?([^\s"')|;]{1,200})/gi)];
  const awk = [...code.matchAll(/\bgetline\b[^;{}<"\n]{0,60}<\s{0,8}"([^"\n]{1,200})"/g)];
  return [...tcl, ...powershell, ...awk].map((match) => match[1] ?? '');
}

function commandsRun(code: string, flavour: Flavour, depth: number): readonly ShellCall[] {
  if (depth > MOST_NESTING) return nestedTooDeep();
  const tokens = tokensOf(code, flavour);
  const texts = callsIn(tokens, flavour).flatMap((call): readonly ShellCall[] => {
    const [first] = call.args;
    const { at } = call;
    if (typeof first === 'string' && EVALUATES.test(call.name) && (flavour === 'python' || call.name !== 'exec') && !isMatch(call))
      return commandsRun(first, flavour, depth + 1).map(({ text }) => ({ text, at }));
    // `fork` runs a file with the interpreter of the code.
    const words = call.name === 'fork' ? ['node', ...call.args] : call.args;
    return isRun(call, code, flavour) ? commandOf(words).map((text) => ({ text, at })) : [];
  });
  return [...texts, ...tokens.filter(({ kind }) => kind === 'shell'), ...appleScriptCode(tokens)];
}

/** Objects with methods of the same names that run no program: patterns, databases, clients. */
const OTHER_OBJECTS =
  /^\/$|^(?:this\.)?\w*?(?:^|_|(?<=[a-z]))(?:re|rx|regexp?|patterns?|matcher|cursor|cur|conn|connection|db|database|session|pool|client|stmt|statement|query|pdo|mysqli|redis|knex|sql|sqlite|engine|container)\d*$/i;

/** Returns whether a call matches a text or asks a database instead of running a program: `pattern.exec(text)`, `cursor.execute(query)`. */
function isMatch({ name, chain }: Call): boolean {
  if (!/^(exec|execute|compile|run|eval)$/.test(name) || chain === name) return false;
  return name === 'compile' || OTHER_OBJECTS.test(chain.slice(0, -name.length - 1).replace(/^.*\./, ''));
}

function isRun(call: Call, code: string, flavour: Flavour): boolean {
  const { name, chain } = call;
  if (isMatch(call)) return false;
  // Other objects execute statements of a database.
  if (name === 'execute') return chain === 'os.execute';
  if (RUNS.test(name)) return true;
  if (name === 'fork') return flavour === 'js';
  if (/^(exec|spawn)$/.test(name)) return flavour !== 'python' || /^(pty|pexpect|ptyprocess)\./.test(chain);
  return /^(run|call)$/.test(name) && (/^(subprocess|sp|asyncio|Open3)\./.test(chain) || (chain === name && code.includes('subprocess')));
}

/** Returns the command of a call. One string is shell code. Several strings, or a list, are the words of one command. */
function commandOf(args: readonly KnownValue[]): readonly string[] {
  const first = args[0];
  if (first === undefined) return [];
  const end = args.indexOf(undefined);
  const known = (end === -1 ? args : args.slice(0, end)).flatMap(flat);
  return [typeof first === 'string' && known.length === 1 ? first : known.map(quote).join(' ')];
}

/** Returns the code in `do shell script "…"` and in `do script "…"` of a terminal. */
function appleScriptCode(tokens: readonly Token[]): readonly ShellCall[] {
  return tokens.flatMap((token, i) => {
    const before = tokens.slice(Math.max(0, i - 3), i).map(({ text }) => text);
    return token.kind === 'string' && /\bdo (?:shell )?script$/.test(before.join(' ')) ? [token] : [];
  });
}

/** Returns the commands in `"command" | getline` and `print | "command"`. */
function awkPipes(code: string): readonly ShellCall[] {
  const fed = Array.from(
    code.matchAll(/\bprintf?\b\s{0,8}\(?\s{0,8}"((?:[^"\\\n]|\\.)+)"[^|;}\n]{0,40}\|&?\s{0,8}"\s*(?:\S*\/)?(?:ba|z|da|k)?sh\b/g),
    (match) => ({
      text: (match[1] ?? '').replace(/\\n/g, '\n').replace(/\\(.)/g, '$1'),
      at: match.index,
    }),
  );
  return [
    ...fed,
    ...[...code.matchAll(/"([^"\n]+)"\s{0,8}\|&?\s{0,8}getline|\|&?\s{0,8}"([^"\n]+)"/g)].map((match) => ({
      text: match[1] ?? match[2] ?? '',
      at: match.index,
    })),
  ];
}

/** Returns the commands in `spawn command` and `exec command`. */
function tclCommands(code: string): readonly ShellCall[] {
  const deleted = Array.from(code.matchAll(/(?:^|[;\n{[])[ \t]{0,40}file[ \t]+delete[ \t]+(?:-\w+[ \t]+){0,3}([^;\n\]}]+)/g), (match) => ({
    text: `rm -rf ${(match[1] ?? '').replaceAll('$env(HOME)', '~').replace(/\[glob\s+/g, '')}`,
    at: match.index,
  }));
  const run = [...code.matchAll(/(?:^|[;\n{[])[ \t]{0,40}(?:spawn|exec|system)[ \t]+(?:-\w+[ \t]+){0,4}([^;\n\]}]+)/g)].map((match) => ({
    text: match[1] ?? '',
    at: match.index,
  }));
  return [...deleted, ...run, ...(SPAWNS_SHELL.test(code) ? typedLines(code) : [])];
}

const SPAWNS_SHELL = /\bspawn[ \t]+(?:-\w+[ \t]+){0,4}(?:\/\S{1,40}\/)?(?:ba|da|z|k|fi)?sh\b/;

/** Returns the lines that a program of `expect` types into the shell that it has started. A value that it answers with is no command. */
function typedLines(code: string): readonly ShellCall[] {
  return Array.from(code.matchAll(/\b(?:exp_)?send[ \t]+(?:-{1,2}\w*[ \t]+){0,4}"([^"$\n][^"\n]{0,2000})"/g), (match) => ({
    text: (match[1] ?? '').replace(/\\[rn]/g, '\n'),
    at: match.index,
  }));
}

/** Returns the shell commands in lines of IPython: `!command`, `%sx command`. */
function magicCommands(code: string): readonly ShellCall[] {
  return Array.from(code.matchAll(/^\s*(?:\w+\s*=\s*)?(?:!{1,2}|%sx\s|%system\s|%%(?:bash|sh|script)\b)\s*([\s\S]+?)$/gm), (match) => ({
    text: match[1] ?? '',
    at: match.index,
  }));
}

function flat(value: KnownValue): readonly string[] {
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
