/** What a command prints, as far as it can be known without running it: the text, or marks that say where it comes from. */
import { posix } from 'node:path';
import { foundBy } from './carriers.ts';
import { DECODED, isDynamic, originsOf, REMOTE, UNKNOWN } from './marks.ts';
import type { Written } from './written.ts';

export const DOWNLOADERS: ReadonlySet<string> = new Set([
  'curl',
  'wget',
  'wget2',
  'fetch',
  'aria2c',
  'lynx',
  'links',
  'w3m',
  'http',
  'https',
  'xh',
  'httpie',
  'ftp',
  'tftp',
  'axel',
]);
export const NET_TOOLS: ReadonlySet<string> = new Set([
  'nc',
  'ncat',
  'netcat',
  'nc.traditional',
  'nc.openbsd',
  'telnet',
  'socat',
  'pwncat',
  'rcat',
  'websocat',
  'cryptcat',
]);
const SILENT: ReadonlySet<string> = new Set([
  'true',
  'false',
  ':',
  'test',
  '[',
  'cd',
  'sleep',
  'wait',
  'mkdir',
  'touch',
  'rm',
  'chmod',
  'export',
  'set',
]);

export interface Printing {
  readonly name: string;
  readonly argv: readonly string[];
  readonly stdin: string;
  readonly cwd: string;
  readonly files: Written;
}

export function outputOf(printing: Printing): string {
  const { name, argv, stdin, cwd, files } = printing;
  const args = argv.slice(1);
  const operands = args.filter((arg) => !/^-./.test(arg));
  if (name === 'echo') return echo(args);
  if (name === 'printf') return printf(args);
  if (name === 'cat' || name === 'tac') return concatenated(operands, stdin, files);
  if (name === 'tee') return stdin;
  if (isNetwork(name, args)) return REMOTE;
  if (isDecoder(name, args)) return decoded(name, operands.length > 0 ? concatenated(operands, stdin, files) : stdin);
  if (name === 'find') return foundBy(argv).join('\n');
  if (name === 'dirname') return posix.dirname(operands[0] ?? UNKNOWN);
  if (name === 'basename') return posix.basename(operands[0] ?? UNKNOWN);
  if (name === 'realpath' || name === 'readlink') return operands[0] ?? UNKNOWN;
  if (name === 'pwd') return cwd === '' ? '.' : cwd;
  if (name === 'mktemp') return `/tmp/${UNKNOWN}`;
  if (name === 'which' || name === 'type' || (name === 'command' && /^-[vV]/.test(args[0] ?? ''))) return operands[0] ?? UNKNOWN;
  if (SILENT.has(name)) return '';
  return originsOf([stdin, ...operands.map((path) => files.get(path) ?? '')].join('')) + UNKNOWN;
}

export function isNetwork(name: string, args: readonly string[]): boolean {
  return DOWNLOADERS.has(name) || NET_TOOLS.has(name) || (name === 'openssl' && args[0] === 's_client');
}

function concatenated(paths: readonly string[], stdin: string, files: Written): string {
  return paths.length === 0 ? stdin : paths.map((path) => (path === '-' ? stdin : (files.get(path) ?? UNKNOWN))).join('');
}

function isDecoder(name: string, args: readonly string[]): boolean {
  if (name === 'rev' || name === 'tr' || name === 'uudecode' || name === 'rot13') return true;
  if (/^base(64|32|58)|^basenc$|^b64$/.test(name)) return args.some((arg) => /^-[a-z]*[dD]|^--d/.test(arg));
  if (name === 'xxd') return args.some((arg) => /^-[a-z]*r/.test(arg));
  return name === 'openssl' && args.includes('-d');
}

/** Ordinary filters also use `tr` and `rev`; a disguise is one only if the script itself holds the disguised text. */
function decoded(name: string, input: string): string {
  if (name === 'rev' || name === 'tr') return originsOf(input) + (isDynamic(input) ? UNKNOWN : DECODED);
  if (name !== 'base64' || isDynamic(input)) return originsOf(input) + DECODED;
  return DECODED + Buffer.from(input, 'base64').toString('utf8').replaceAll('\0', '');
}

function echo(args: readonly string[]): string {
  let at = 0;
  while (/^-[neE]+$/.test(args[at] ?? '')) at++;
  const escapes = args.slice(0, at).some((option) => option.includes('e'));
  const text = args.slice(at).join(' ');
  return `${escapes ? unescaped(text) : text}\n`;
}

function printf(args: readonly string[]): string {
  const [format = '', ...values] = args[0] === '--' ? args.slice(1) : args;
  const rest = [...values];
  let text = '';
  // The format is used again until all values are printed; one that takes none is used once.
  for (let round = 0; round < 64 && (round === 0 || rest.length > 0); round++) {
    const before = rest.length;
    text += unescaped(format).replace(/%(%|[-+ 0#]*\d*(?:\.\d+)?([a-zA-Z]))/g, (_, all: string, kind?: string) => {
      if (all === '%') return '%';
      const value = rest.shift() ?? '';
      return kind === 'b' ? unescaped(value) : value;
    });
    if (rest.length === before) break;
  }
  return text;
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|u([0-9a-fA-F]{1,4})|([abefnrtv\\"']))/g,
    (_, hex?: string, octal?: string, unicode?: string, plain?: string) => {
      if (plain !== undefined) return { n: '\n', t: '\t', r: '\r' }[plain] ?? plain;
      return String.fromCharCode(Number.parseInt(hex ?? unicode ?? octal ?? '0', octal === undefined ? 16 : 8));
    },
  );
}
