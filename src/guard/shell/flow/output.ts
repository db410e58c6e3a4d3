/** The output of a command, as far as it is known without running the command: the text, or marks that name its origin. */

import { posix } from 'node:path';
import type { Program } from '../machine.ts';
import {
  CREDENTIAL,
  DECODED,
  isDynamic,
  KEYS,
  LISTED,
  MOST_TEXT,
  NAMES,
  originsOf,
  PART,
  PRIVATE,
  RELEASE,
  REMOTE,
  SECRET,
  UNKNOWN,
  VENDOR,
} from '../marks.ts';
import { searchedBy } from '../programs/fd.ts';
import { foundBy, parseFind } from '../programs/find.ts';
import { installerIn } from '../programs/installers.ts';
import { isNetwork, NET_TOOLS, onlyProbes, requestIn } from './downloads.ts';
import { type Flow, originsInOutput } from './flow.ts';
import { showsNoSecret } from './harmless-keys.ts';
import { contentOf } from './secret-path.ts';
import { printsSecret, printsToken } from './secret-tools.ts';
import type { WrittenFiles } from './written.ts';

/** Subcommands of git that list files of the working tree. */
const GIT_LISTS =
  /^(?:-C \S+ )?(?:status (?:.* )?(?:--porcelain|-s|--short)\b|ls-files\b|ls-tree (?:.* )?--name-only\b|diff (?:.* )?--name-only\b|grep (?:-\w*l|--files-with))/;

/** Filters that leave the names of files as they are. */
const KEEPS_NAMES = /^(?:[ef]?grep|sort|uniq|head|tail|cut|tr|tee|rg|xargs)(?: |$)|^[gmn]?awk \{\s*print \$\d\s*;?\s*\}$/;

/** Returns whether a command decodes a disguised text. */
export function isDecoder(name: string, args: readonly string[]): boolean {
  if (name === 'rev' || name === 'tr' || name === 'uudecode' || name === 'rot13') return true;
  if (name.startsWith('b') && /^base(64|32|58)|^basenc$|^b64$/.test(name)) return args.some((arg) => /^-[a-z]*[dD]|^--d/.test(arg));
  if (name === 'xxd') return args.some((arg) => /^-[a-z]*r/.test(arg));
  return name === 'openssl' && args.includes('-d');
}

/**
 * Returns the decoded text if the input is literal, or otherwise only the mark. Ordinary filters also use `tr` and `rev`, so they count as
 * decoders only if the script contains the disguised text.
 */
export function decodeInput(name: string, args: readonly string[], input: string): string {
  const plain = name === 'rev' || name === 'tr';
  if (isDynamic(input)) return originsOf(input) + (plain ? UNKNOWN : DECODED);
  if (name === 'rev')
    return (
      DECODED +
      input
        .split('\n')
        .map((line) => [...line].reverse().join(''))
        .join('\n')
    );
  if (name === 'tr') return DECODED + translateSet(args, input);
  if (name === 'xxd') return DECODED + bytes(input.replace(/\s/g, ''), 'hex');
  return name === 'base64' || name === 'b64' ? DECODED + bytes(input, 'base64') : DECODED;
}

function bytes(text: string, encoding: 'hex' | 'base64'): string {
  return Buffer.from(text, encoding).toString('utf8').replaceAll('\0', '');
}

/** Evaluates `tr SET1 SET2` and `tr -d SET`. */
function translateSet(args: readonly string[], input: string): string {
  const [from = '', to = ''] = args.filter((arg) => !/^-[a-zA-Z]+$/.test(arg)).map(members);
  if (args.some((arg) => /^-[a-z]*d/.test(arg))) return [...input].filter((char) => !from.includes(char)).join('');
  if (to === '') return input;
  return [...input].map((char) => (from.includes(char) ? (to[from.indexOf(char)] ?? to.at(-1) ?? char) : char)).join('');
}

function members(set: string): string {
  return set
    .replace(/\[:lower:\]/g, 'a-z')
    .replace(/\[:upper:\]/g, 'A-Z')
    .replace(/\\n/g, '\n')
    .replace(/([!-~])-([!-~])/g, (all, low: string, high: string) => {
      const [first, last] = [low.charCodeAt(0), high.charCodeAt(0)];
      return last < first ? all : String.fromCharCode(...Array.from({ length: last - first + 1 }, (_, i) => first + i));
    })
    .slice(0, 512);
}

const SILENT: ReadonlySet<string> = new Set('true false : test [ cd sleep wait mkdir touch rm chmod export set'.split(' '));

export interface Printing {
  readonly name: string;
  readonly argv: readonly string[];
  readonly stdin: string;
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly files: WrittenFiles;
  readonly flow?: Flow | undefined;
  readonly program?: Program | undefined;
  /** The words of the command that reads the output, if they are known. */
  readonly next?: readonly string[];
}

export function outputOf(printing: Printing): string {
  const text = textOf(printing);
  return text.includes(SECRET) && showsParts(printing) ? text.replaceAll(SECRET, PART) : text;
}

/** Returns whether only harmless parts of a settings file are printed, or reach the next command. */
function showsParts({ name, argv, stdin, flow, next }: Printing): boolean {
  const reads = flow?.reads ?? [];
  const isSettings = reads.every(({ secret, held }) => secret === 'settings' || !held.includes(SECRET));
  return isSettings && !stdin.includes(SECRET) && showsNoSecret(name, argv, next);
}

function textOf(printing: Printing): string {
  const { name, argv, stdin, cwd, env = {}, files, flow, program } = printing;
  const args = argv.slice(1);
  if (name === 'echo') return echo(args);
  if (name === 'printf') return printf(args);
  const operands = args.filter((arg) => !arg.startsWith('-') || !/^-./.test(arg));
  if (name === 'cat' || name === 'tac') return concatenate(operands, printing);
  if (name === 'tee') return stdin;
  if (NET_TOOLS.has(name) && onlyProbes(name, args)) return '';
  if (isNetwork(name, args, program)) {
    const request = requestIn(name, argv);
    const installer = request === undefined ? undefined : installerIn(request, argv.slice(1), env);
    return installer === undefined ? REMOTE : installer === 'release' ? RELEASE : VENDOR;
  }
  const listing = name === 'git' ? gitOutput(args) : undefined;
  if (listing !== undefined) return listing;
  if (isDecoder(name, args)) {
    const files = name === 'tr' || name === 'xxd' || name === 'openssl' ? [] : operands;
    return decodeInput(name, args, files.length > 0 ? concatenate(files, printing) : stdin);
  }
  if (name === 'find') return pathsFound(argv).join('\n');
  if ((name === 'fd' || name === 'fdfind' || (name === 'rg' && args.includes('--files'))) && operands.length > 0)
    return filesBelow(name, argv, operands);
  if (name === 'ls' && !args.some((arg) => /^-\w*[lgo]/.test(arg))) return NAMES + UNKNOWN;
  if (name === 'dirname') return posix.dirname(operands[0] ?? UNKNOWN);
  if (name === 'basename') return posix.basename(operands[0] ?? UNKNOWN);
  if (name === 'realpath' || name === 'readlink') return operands[0] ?? UNKNOWN;
  if (name === 'printenv' && operands[0] === 'HOME') return '~';
  if (name === 'history' || isCapture(name, args)) return PRIVATE + UNKNOWN;
  if (name === 'pwd') return cwd === '' ? '.' : cwd;
  if (name === 'mktemp') return `/tmp/${UNKNOWN}`;
  if (name === 'which' || name === 'type' || (name === 'command' && /^-[vV]/.test(args[0] ?? ''))) return installed(operands[0]);
  const printed = flow === undefined ? '' : originsInOutput(name, argv, flow);
  if (SILENT.has(name) && printed === '') return '';
  const token = printsToken(name, operands) || printsSecret(name, argv) ? CREDENTIAL : '';
  const listed = stdin.includes(LISTED) || stdin.includes(NAMES);
  const input = !listed || KEEPS_NAMES.test([name, ...operands].join(' ')) ? stdin : stdin.replaceAll(LISTED, '').replaceAll(NAMES, '');
  return originsOf([input, printed, token, ...operands.map((path) => files.get(path) ?? '')].join('')) + UNKNOWN;
}

/** The start of a word with which git prints names or objects. Almost no call has one, so it is looked for first. */
const GIT_PRINTS = ['rev-parse', 'bundle', 'status', 'ls-files', 'ls-tree', 'diff', 'grep'];

function gitOutput(args: readonly string[]): string | undefined {
  const words = args.join(' ');
  if (!GIT_PRINTS.some((verb) => words.includes(verb))) return undefined;
  if (/^(?:-C \S+ )?rev-parse (?:.* )?--show-(?:toplevel|cdup)/.test(words)) return '.';
  if (words.startsWith('bundle create -')) return KEYS + UNKNOWN;
  return GIT_LISTS.test(words) ? LISTED + NAMES + UNKNOWN : undefined;
}

/** Returns the usual place of a program, which is no file of the project. */
function installed(name: string | undefined): string {
  return name === undefined || /[/\uE000-\uE00F]/.test(name) ? (name ?? UNKNOWN) : `/usr/local/bin/${name}`;
}

function concatenate(paths: readonly string[], { stdin, cwd, files }: Printing): string {
  return paths.length === 0 ? stdin : paths.map((path) => (path === '-' ? stdin : (contentOf(path, cwd, files) ?? UNKNOWN))).join('');
}

/** Returns the paths that `find` prints. If the search names files, the paths end with these names. */
function pathsFound(argv: readonly string[]): readonly string[] {
  const names = argv.flatMap((word, i) => (/^-i?name$/.test(argv[i - 1] ?? '') ? [word] : []));
  if (names.length === 0) return foundBy(argv);
  return parseFind(argv).roots.flatMap((root) => names.map((name) => `${root.replace(/\/$/, '')}/${NAMES}${UNKNOWN}/${name}`));
}

/** Returns the paths that `fd` and `rg --files` print. */
function filesBelow(name: string, argv: readonly string[], operands: readonly string[]): string {
  const { roots, narrowed } = name === 'rg' ? { roots: operands, narrowed: argv.some((word) => /^-[gt]/.test(word)) } : searchedBy(argv);
  return roots.map((root) => `${root.replace(/\/$/, '')}/${narrowed ? `${UNKNOWN}/${UNKNOWN}` : '*'}`).join('\n');
}

function echo(args: readonly string[]): string {
  let at = 0;
  while (/^-[neE]+$/.test(args[at] ?? '')) at++;
  const escapes = args.slice(0, at).some((option) => option.includes('e'));
  const text = args.slice(at).join(' ');
  return `${escapes ? decodeEscapes(text) : text}\n`;
}

function printf(args: readonly string[]): string {
  const [format = '', ...values] = args[0] === '--' ? args.slice(1) : args;
  const decoded = decodeEscapes(format);
  let used = 0;
  let text = '';
  // The format repeats until all values are printed. A format without placeholders is used once.
  do {
    const before = used;
    text += decoded.replace(/%(%|[-+ 0#]*\d*(?:\.\d+)?([a-zA-Z]))/g, (_, all: string, kind?: string) => {
      if (all === '%') return '%';
      const value = values[used++] ?? '';
      if (kind === 'q') return value.replace(/[^\w./\uE000-\uE00F-]/g, '\\$&');
      return kind === 'b' ? decodeEscapes(value) : value;
    });
    if (used === before || text.length > MOST_TEXT) break;
  } while (used < values.length);
  return text;
}

function decodeEscapes(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|u([0-9a-fA-F]{1,4})|([abefnrtv\\"']))/g,
    (_, hex?: string, octal?: string, unicode?: string, plain?: string) => {
      if (plain !== undefined) return { n: '\n', t: '\t', r: '\r' }[plain] ?? plain;
      const code = Number.parseInt(hex ?? unicode ?? octal ?? '0', octal === undefined ? 16 : 8);
      // An octal number is one byte, and the rest of it is lost.
      return String.fromCharCode(octal === undefined ? code : code & 0xff);
    },
  );
}

/** Returns whether a command prints the clipboard, which often has a password, or records the microphone. */
function isCapture(name: string, args: readonly string[]): boolean {
  if (/^(?:xclip|xsel)$/.test(name)) return args.some((arg) => /^-(?:-output|o\w*)$/.test(arg));
  return /^(?:pbpaste|wl-paste|arecord|parecord)$/.test(name);
}
