/** Shells and interpreters, as data, and where each takes its program from: an argument, a file, or standard input. */
import type { Program } from './machine.ts';
import type { Written } from './written.ts';

interface Interpreter {
  readonly names: RegExp;
  readonly language: Program['language'];
  /** Options whose value is the program. */
  readonly code: readonly string[];
  readonly valued?: string;
  readonly long?: readonly string[];
  /** Options that name something else to run, so that neither a file nor stdin is the program. */
  readonly elsewhere?: RegExp;
}

const INTERPRETERS: readonly Interpreter[] = [
  { names: /^(ba|z|da|k|a|mk|pdk|rba|ya)?sh$/, language: 'shell', code: ['c'], valued: 'oO', long: ['rcfile', 'init-file'] },
  { names: /^fish$/, language: 'shell', code: ['c', 'command'] },
  { names: /^(python|pypy)[\d.]*$/, language: 'python', code: ['c'], valued: 'WX', elsewhere: /^-m/ },
  { names: /^perl[\d.]*$/, language: 'other', code: ['e', 'E'], valued: 'IMmCDx' },
  { names: /^ruby[\d.]*$/, language: 'other', code: ['e'], valued: 'IrCEKTW' },
  {
    names: /^(node|nodejs|bun)$/,
    language: 'other',
    code: ['e', 'p', 'eval', 'print'],
    valued: 'rC',
    long: ['require', 'import', 'loader'],
  },
  { names: /^php[\d.]*$/, language: 'other', code: ['r'], valued: 'cdfzS' },
  { names: /^(lua|luajit)[\d.]*$/, language: 'other', code: ['e'], valued: 'l' },
  { names: /^(osascript|tclsh|expect|rscript|julia)$/, language: 'other', code: ['e', 'c'] },
];

export function programOf(name: string, argv: readonly string[], stdin: string, files: Written): Program | undefined {
  if (/^[gmn]?awk$/.test(name)) return awk(argv);
  const script = scriptOf(name, argv, stdin, files);
  if (script) return script;
  const interpreter = INTERPRETERS.find(({ names }) => names.test(name));
  if (interpreter === undefined) return undefined;
  // `bash -n` only reads.
  if (
    interpreter.language === 'shell' &&
    argv.slice(1).some((word, i) => /^-[a-z]*n[a-z]*$/.test(word) && argv.slice(1, i + 1).every((w) => /^-/.test(w)))
  )
    return undefined;
  const { language } = interpreter;
  const { code, operands, stdinForced } = read(interpreter, argv);
  if (code.length > 0) {
    // `bash -c` takes its code from the first operand, wherever other options stand.
    const text = language === 'shell' ? code.slice(0, 1) : code;
    return { language, text: text.join('\n'), from: 'argument' };
  }
  if (interpreter.elsewhere && argv.some((word) => interpreter.elsewhere?.test(word))) return undefined;
  const path = operands[0];
  if (stdinForced || path === undefined || path === '-' || path === '/dev/stdin' || path === '/dev/fd/0')
    return { language, text: stdin, from: 'stdin' };
  return { language, text: files.get(path), from: 'file', path };
}

/** A file that is sourced or run by its path is a program only if the script has written it; others are followed by their path. */
function scriptOf(name: string, argv: readonly string[], stdin: string, files: Written): Program | undefined {
  const path = name === 'source' || name === '.' ? argv[1] : argv[0]?.includes('/') ? argv[0] : undefined;
  const text = path === undefined ? undefined : /^\/dev\/(stdin|fd\/0)$/.test(path) ? stdin : files.get(path);
  return path === undefined || text === undefined ? undefined : { language: 'shell', text, from: 'file', path };
}

/** The words after a shell's code or script: its `$0`, `$1`…, or `$1`…. */
export function operandsOf(argv: readonly string[]): readonly string[] {
  const shell = INTERPRETERS[0];
  return shell ? read(shell, argv).operands : [];
}

interface Reading {
  readonly code: readonly string[];
  readonly operands: readonly string[];
  readonly stdinForced: boolean;
}

function read({ language, code: codes, valued = '', long = [] }: Interpreter, argv: readonly string[]): Reading {
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
    if (word.startsWith('--')) {
      const [name = '', value] = word.slice(2).split(/=(.*)/s);
      if (codes.includes(name)) code.push(value ?? argv[++at] ?? '');
      else if (long.includes(name) && value === undefined) at++;
      continue;
    }
    for (let i = 1; i < word.length; i++) {
      const letter = word[i] ?? '';
      const attached = word.slice(i + 1);
      if (language === 'shell' && letter === 's') stdinForced = true;
      if (codes.includes(letter) && language === 'shell') wantsCode = true;
      else if (codes.includes(letter)) {
        // `perl -ne code`: the value is the next word, unless it is attached as in `-e'code'`.
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

function awk(argv: readonly string[]): Program {
  let at = 1;
  while (/^-./.test(argv[at] ?? '')) at += /^-[Fvf]$/.test(argv[at] ?? '') ? 2 : 1;
  return { language: 'awk', text: argv.some((word) => word.startsWith('-f')) ? undefined : (argv[at] ?? ''), from: 'argument' };
}
