/** Shells and interpreters as data, and the source of their program: an argument, a file or standard input. */

import { lazily } from '../../lazily.ts';
import type { WrittenFiles } from '../flow/written.ts';
import type { Program } from '../machine.ts';
import { namesIn, unversioned } from '../names.ts';
import type { Scope } from '../scope.ts';
import { powershellProgram } from './powershell.ts';

interface Interpreter {
  readonly names: string;
  /** Whether a version can follow each name. `digit`: one that starts with a digit. */
  readonly versioned?: true | 'digit';
  readonly language: Program['language'];
  /** Options that take the program as their value. */
  readonly code: readonly string[];
  /** Whether each of these options has a value that is run, and not only the first operand of a shell. */
  readonly each?: boolean;
  readonly valued?: string;
  readonly long?: readonly string[];
  /** Options that name another program to run, so that neither a file nor stdin is the program. */
  readonly elsewhere?: RegExp;
  /** Words before the file that name an action. */
  readonly verb?: RegExp;
  /** Whether long options have one dash. */
  readonly single?: boolean;
}

const SHELL = { language: 'shell', code: ['c'], valued: 'oO', long: ['rcfile', 'init-file'] } as const;
const SCRIPTED = { language: 'other', code: ['e', 'c', 'eval'], valued: 'lLpt' } as const;

const INTERPRETERS: readonly Interpreter[] = [
  {
    names: 'sh bash zsh dash ksh ash mksh pdksh lksh rbash yash osh ysh hush csh tcsh sash posh bosh jsh rsh lsh gash',
    versioned: 'digit',
    ...SHELL,
  },
  { names: 'elvish nu ion murex rc es', ...SHELL },
  { names: 'fish', language: 'shell', code: ['c', 'command', 'C', 'init-command'], each: true },
  { names: 'python pypy', versioned: true, language: 'python', code: ['c'], valued: 'WX', elsewhere: /^-m/ },
  { names: 'perl', versioned: true, language: 'other', code: ['e', 'E'], valued: 'IMmCDx' },
  { names: 'ruby', versioned: true, language: 'other', code: ['e'], valued: 'IrCEKTW' },
  {
    names: 'node nodejs tsx ts-node zx jiti esno vite-node',
    language: 'other',
    code: ['e', 'p', 'eval', 'print'],
    valued: 'rC',
    long: ['require', 'import', 'loader', 'experimental-loader', 'env-file', 'conditions', 'input-type'],
    elsewhere: /^--(test|run|check|watch-path)\b/,
  },
  { names: 'bun deno', language: 'other', code: ['e', 'p', 'eval', 'print'], valued: 'rc', verb: /^[a-z]+$/, elsewhere: /^task$/ },
  { names: 'php', versioned: true, language: 'other', code: ['r'], valued: 'cdfzS' },
  { names: 'lua luajit', versioned: true, language: 'other', code: ['e'], valued: 'l' },
  { names: 'tclsh wish expect', ...SCRIPTED },
  { names: 'osascript rscript julia raku', ...SCRIPTED },
  { names: 'ipython', versioned: true, language: 'python', code: ['c'], elsewhere: /^-m/ },
  { names: 'xonsh bpython', language: 'python', code: ['c'], elsewhere: /^-m/ },
  { names: 'r', language: 'other', code: ['e'], valued: 'fg', long: ['file', 'args'] },
  { names: 'elixir iex mix', language: 'other', code: ['e', 'eval', 'rpc-eval'], valued: 'rS', elsewhere: /^[a-z]/ },
  { names: 'escript', language: 'other', code: ['eval'] },
  { names: 'erl', language: 'other', code: ['eval', 'run'], single: true, elsewhere: /^-(?:s|pa|sname|name)$/ },
  {
    names: 'guile csi gosh racket chez scheme fennel hy janet coffee pry irb kotlin scala scala-cli groovy groovysh ocaml swift',
    versioned: true,
    language: 'other',
    code: ['c', 'e', 'eval', 'execute'],
    valued: 'rlIMmn',
  },
  {
    names: 'sbcl clisp ecl emacs emacsclient',
    language: 'other',
    code: ['eval', 'e', 'x', 'eval-file'],
    valued: 'lq',
    long: ['load', 'script'],
    elsewhere: /^[^-]|^-nw$/,
  },
  { names: 'kotlinc matlab', language: 'other', code: ['e', 'expression', 'r', 'batch'], single: true },
  {
    names: 'swipl gforth maxima m4 octave octave-cli',
    language: 'other',
    code: ['g', 'e', 'eval', 'evaluate', 'batch-string'],
    valued: 't',
  },
  { names: 'bb clojure clj', language: 'other', code: ['e', 'eval', 'x'] },
  { names: 'ghc runghc runhaskell', language: 'other', code: ['e'], elsewhere: /^-package|\.hs$/ },
  { names: 'jshell', language: 'other', code: [], long: ['class-path', 'startup'] },
  {
    names: 'mongosh mongo',
    language: 'other',
    code: ['eval'],
    long: ['host', 'port', 'username', 'password', 'authenticationDatabase'],
    valued: 'up',
    elsewhere: /^[^-]|^--host/,
  },
  { names: 'crystal nim dart wp drush', language: 'other', code: ['e', 'eval'], verb: /^(?:eval|e|run|php:eval|ev)$/ },
];

/** Commands of frameworks that run code of the language: the words before it, and the option that takes it. */
const FRAMEWORKS: readonly {
  readonly words: RegExp;
  readonly language: Program['language'];
  readonly code: RegExp;
  readonly operand?: boolean;
}[] = [
  { words: /^(?:\S*\/)?rails (?:runner|r) /, language: 'other', code: /^$/, operand: true },
  {
    words: /^(?:python|python3|\S*manage\.py|django-admin) (?:\S*manage\.py )?shell /,
    language: 'python',
    code: /^(?:-c|--command)$/,
  },
  { words: /^(?:flask|litestar) shell /, language: 'python', code: /^-c$/ },
  { words: /^(?:php |sail )?(?:\S*\/)?artisan tinker /, language: 'other', code: /^--execute$/ },
  { words: /^(?:wp|drush) (?:eval|php:eval|ev|php-eval) /, language: 'other', code: /^$/, operand: true },
  { words: /^(?:crystal|nim) (?:eval|e) /, language: 'other', code: /^(?:-e|--eval)$/, operand: true },
  { words: /^(?:mix) (?:run|eval) /, language: 'other', code: /^-e$/, operand: true },
  { words: /^(?:bin\/)?console dbal:run-sql$/, language: 'other', code: /^$/ },
];

/** The first words of these commands. A script `manage.py` can have a longer name. */
const FRAMEWORK_NAMES = namesIn('rails python python3 django-admin flask litestar php sail artisan wp drush crystal nim mix console');

function frameworkProgram(name: string, argv: readonly string[]): Program | undefined {
  if (argv.length < 3 || !(FRAMEWORK_NAMES.has(name) || name.endsWith('manage.py'))) return undefined;
  const words = `${[name, ...argv.slice(1, 4)].join(' ')} `;
  const framework = FRAMEWORKS.find((one) => one.words.test(words));
  if (framework === undefined) return undefined;
  const at = argv.findIndex((word) => framework.code.test(word.replace(/=.*$/s, '')) && word !== '');
  const given = at === -1 ? undefined : /^--\w+=/.test(argv[at] ?? '') ? argv[at]?.replace(/^[^=]*=/s, '') : argv[at + 1];
  const operand = framework.operand ? argv.slice(2).find((word) => !/^-/.test(word)) : undefined;
  const text = given ?? operand;
  return text === undefined ? undefined : { language: framework.language, text, from: 'argument' };
}

const STDIN_PATH = /^\/(dev\/stdin|dev\/fd\/0|proc\/self\/fd\/0)$/;

export function programOf(name: string, argv: readonly string[], stdin: string, files: WrittenFiles): Program | undefined {
  if (AWK.has(name)) return awk(argv, files, stdin);
  const framed = frameworkProgram(name, argv);
  if (framed !== undefined) return framed;
  const script = scriptOf(name, argv, stdin, files);
  if (script) return script;
  if (name === 'powershell' || name === 'pwsh') return powershellProgram(argv, stdin, files);
  if (name === 'deno' && argv[1] === 'eval')
    return { language: 'other', text: argv.slice(2).find((word) => !/^-/.test(word)) ?? '', from: 'argument' };
  const interpreter = interpreterNamed(name);
  if (interpreter === undefined || onlyReads(interpreter, argv)) return undefined;
  const { language } = interpreter;
  const { code, operands, stdinForced } = read(interpreter, argv);
  if (code.length > 0) {
    // `bash -c` takes its code from the first operand, even if other options come first.
    const text = language === 'shell' && !interpreter.each ? code.slice(0, 1) : code;
    return { language, text: text.join('\n'), from: 'argument' };
  }
  if (interpreter.elsewhere && argv.some((word) => interpreter.elsewhere?.test(word))) return undefined;
  const path = interpreter.verb?.test(operands[0] ?? '') ? operands.slice(1).find((word) => !/^-./.test(word)) : operands[0];
  if (interpreter.verb && path === undefined && operands.length > 0) return undefined;
  // `bun run lint` runs a script of the package, and a file has an ending.
  if (name === 'bun' && operands[0] === 'run' && !/[./]/.test(path ?? '')) return undefined;
  if (stdinForced || path === undefined || path === '-' || STDIN_PATH.test(path)) return { language, text: stdin, from: 'stdin' };
  return { language, text: files.get(path) ?? inFolder(path, files), from: 'file', path };
}

/** Returns the program of a folder, which some interpreters run by the name of the folder. */
function inFolder(path: string, files: WrittenFiles): string | undefined {
  if (files.size === 0) return undefined;
  const entry = ['index.js', 'index.mjs', 'index.ts', '__main__.py'].find((name) => files.has(`${path}/${name}`));
  return entry === undefined ? undefined : files.get(`${path}/${entry}`);
}

/** Returns whether a command is a shell or an interpreter, with or without a program. */
export function isInterpreter(name: string): boolean {
  return interpreterNamed(name) !== undefined || AWK.has(name) || name === 'powershell' || name === 'pwsh';
}

const AWK = namesIn('awk gawk mawk nawk');
const NAMED = lazily(() => new Map(INTERPRETERS.flatMap((one) => one.names.split(' ').map((name) => [name, one] as const))));

function interpreterNamed(name: string): Interpreter | undefined {
  const named = NAMED();
  const exact = named.get(name);
  if (exact !== undefined) return exact;
  const plain = unversioned(name);
  const found = plain === name ? undefined : named.get(plain);
  return found?.versioned === true || (found?.versioned === 'digit' && name[plain.length] !== '.') ? found : undefined;
}

/** Returns the files that a shell runs before its program: named by an option, or by a variable that the script sets. */
export function startupFiles(name: string, argv: readonly string[], scope: Scope): readonly string[] {
  const env = scope.environment();
  const options = argv.slice(
    1,
    argv.findIndex((word, i) => i > 0 && !/^[-+]/.test(word) && !/^--(rcfile|init-file)$/.test(argv[i - 1] ?? '')) >>> 0,
  );
  const named = options.flatMap((word, i) => {
    const [option, value] = word.split(/=(.*)/s);
    return option === '--rcfile' || option === '--init-file' ? [value ?? options[i + 1] ?? ''] : [];
  });
  const interactive = options.some((word) => /^-[a-z]*i/.test(word));
  return [...named, name === 'bash' ? (env['BASH_ENV'] ?? '') : '', name !== 'bash' && interactive ? (env['ENV'] ?? '') : ''].filter(
    (path) => path !== '',
  );
}

/** Returns whether the interpreter runs nothing, as with `bash -n` and `--version`. */
function onlyReads({ language }: Interpreter, argv: readonly string[]): boolean {
  for (const word of argv.slice(1)) {
    if (!/^[-+]/.test(word)) return false;
    if (/^--(version|help)$/.test(word) || (language === 'shell' && /^-[a-z]*n[a-z]*$|^--dump-/.test(word))) return true;
    if (language === 'python' && /^-V+$/.test(word)) return true;
  }
  return false;
}

/**
 * Returns the program in a file that is sourced or run by its path, if the script has written that file. Other files are followed by their
 * path.
 */
function scriptOf(name: string, argv: readonly string[], stdin: string, files: WrittenFiles): Program | undefined {
  const path = name === 'source' || name === '.' ? argv[1] : argv[0]?.includes('/') ? argv[0] : undefined;
  const text = path === undefined ? undefined : STDIN_PATH.test(path) ? stdin : files.get(path);
  return path === undefined || text === undefined ? undefined : { language: 'shell', text, from: 'file', path };
}

/** Returns the words after a shell's code (`$0`, `$1`, …) or after its script (`$1`, …). */
export function operandsOf(argv: readonly string[]): readonly string[] {
  const shell = INTERPRETERS[0];
  return shell ? read(shell, argv).operands : [];
}

interface Reading {
  readonly code: readonly string[];
  readonly operands: readonly string[];
  readonly stdinForced: boolean;
}

function read(
  { language, code: codes, valued = '', long = [], single = false, each = language !== 'shell' }: Interpreter,
  argv: readonly string[],
): Reading {
  const code: string[] = [];
  let stdinForced = false;
  let wantsCode = false;
  let at = 1;
  for (; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') {
      at++;
      break;
    }
    if (!/^[-+]./.test(word)) break;
    if (word.startsWith('--') || (single && word.startsWith('-'))) {
      const [name = '', value] = word.replace(/^--?/, '').split(/[=:](.*)/s);
      if (codes.includes(name)) code.push(value ?? argv[++at] ?? '');
      else if (long.includes(name) && value === undefined) at++;
      continue;
    }
    for (let i = 1; i < word.length; i++) {
      const letter = word[i] ?? '';
      const attached = word.slice(i + 1);
      if (language === 'shell' && letter === 's') stdinForced = true;
      if (codes.includes(letter) && !each) wantsCode = true;
      else if (codes.includes(letter)) {
        // In `perl -ne code` the value is the next word, unless it is attached as in `-e'code'`.
        code.push(attached === '' || codes.includes(attached) ? (argv[++at] ?? '') : attached);
        break;
      } else if (valued.includes(letter)) {
        if (attached === '') at++;
        break;
      }
    }
  }
  const operands = argv.slice(at);
  if (wantsCode) return { code: [operands[0] ?? ''], operands: operands.slice(1), stdinForced: false };
  return { code, operands, stdinForced };
}

function awk(argv: readonly string[], files: WrittenFiles, stdin: string): Program {
  const texts: string[] = [];
  const given: string[] = [];
  let file: string | undefined;
  let at = 1;
  for (; /^-./.test(argv[at] ?? ''); at++) {
    const word = argv[at] ?? '';
    if (word === '--') {
      at++;
      break;
    }
    const [, short, attached] = /^-([Fvfeil])(.*)$/s.exec(word) ?? [];
    const [, long, assigned] = /^--(file|source|include|load|assign|field-separator)(?:=(.*))?$/s.exec(word) ?? [];
    if (short === undefined && long === undefined) continue;
    const value = (short === undefined ? assigned : attached || undefined) ?? argv[++at] ?? '';
    if (short === 'f' || long === 'file') file = value;
    else if (short === 'e' || long === 'source') texts.push(value);
    else if ((short === 'v' || long === 'assign') && /^\w+=[^"\\\n]*$/.test(value)) given.push(value.replace(/=(.*)$/s, ' = "$1"'));
  }
  if (file === '-' || STDIN_PATH.test(file ?? '')) return { language: 'awk', text: stdin, from: 'stdin' };
  if (file !== undefined) return { language: 'awk', text: files.get(file), from: 'file', path: file };
  const text = texts.length > 0 ? texts.join('\n') : (argv[at] ?? '');
  // Values of options are assigned before the program starts. At the end they change no position in its text.
  const runs = given.length > 0 && /\bsystem\b|\|/.test(text);
  return { language: 'awk', text: runs ? `${text}\nBEGIN { ${given.join('; ')} }` : text, from: 'argument' };
}
