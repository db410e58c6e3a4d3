/**
 * PowerShell is not shell code. A few of its verbs are translated to equivalent commands, and the rest is read as plain words. Base64 text
 * is decoded and stays marked as disguised.
 */
import type { Program } from '../machine.ts';
import { DECODED, REMOTE, UNKNOWN } from '../marks.ts';

const MOST_COMMANDS = 128;
const FETCHES = /\b(iwr|irm|invoke-webrequest|invoke-restmethod|curl|wget)\b|downloadstring|downloaddata|webclient/i;
const DECODES = /frombase64string/i;
const RUNS = /\b(iex|invoke-expression)\b|\[scriptblock\]::create/i;
const VALUED = /^-(ep|ex\w*|w|wi\w*|v|ve\w*|in\w*|ou\w*|o|of|if|config\w*|wd|wo\w*|psc\w*|settings\w*|custom\w*)$/i;

export function powershellProgram(argv: readonly string[], stdin: string): Program | undefined {
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (/^--?(help|version|\?|h)$/i.test(word)) return undefined;
    if (VALUED.test(word)) at++;
    else if (/^[-/](e|ec|en\w*)$/i.test(word))
      return { language: 'powershell', text: decodeBase64(argv[at + 1] ?? ''), from: 'argument', encoded: true };
    else if (/^[-/]c(o\w*)?$/i.test(word)) return program(argv.slice(at + 1), stdin);
    else if (/^[-/]f(i\w*)?$/i.test(word)) return { language: 'powershell', text: undefined, from: 'file', path: argv[at + 1] ?? '' };
    else if (!/^-/.test(word))
      return word.endsWith('.ps1') ? { language: 'powershell', text: undefined, from: 'file', path: word } : program(argv.slice(at), stdin);
  }
  return { language: 'powershell', text: stdin, from: 'stdin' };
}

/** Returns the commands that the text would run, as shell commands. */
export function powershellCommands(text: string): readonly (readonly string[])[] {
  const commands: (readonly string[])[] = [];
  if (RUNS.test(text)) {
    if (FETCHES.test(text)) commands.push(['eval', REMOTE]);
    else if (DECODES.test(text)) commands.push(['eval', DECODED]);
    else if (/\b(iex|invoke-expression)\b\s*\(?\s*["']?\$/i.test(text)) commands.push(['eval', UNKNOWN]);
  }
  for (const words of statements(text).slice(0, MOST_COMMANDS)) commands.push(...translateStatement(words));
  return commands;
}

function program(words: readonly string[], stdin: string): Program {
  return words[0] === '-' || words.length === 0
    ? { language: 'powershell', text: stdin, from: 'stdin' }
    : { language: 'powershell', text: words.join(' '), from: 'argument' };
}

function decodeBase64(text: string): string {
  return /^[A-Za-z0-9+/=\s]*$/.test(text) ? Buffer.from(text, 'base64').toString('utf16le').replaceAll('\0', '') : UNKNOWN;
}

/** Returns the words of each statement. Statements end at `;`, `|`, `&`, line ends and brackets, and quotes keep words together. */
function statements(text: string): readonly (readonly string[])[] {
  const all: string[][] = [[]];
  for (const [token] of text.matchAll(/"[^"]*"|'[^']*'|[;|\n{}()&]|[^\s;|{}()&"',]+/g)) {
    if (/^[;|\n{}()&]$/.test(token)) all.push([]);
    else all.at(-1)?.push(token.replace(/^(["'])(.*)\1$/s, '$2'));
  }
  return all.filter((words) => words.length > 0);
}

function translateStatement([verb = '', ...args]: readonly string[]): readonly (readonly string[])[] {
  const operands = args.filter(
    (arg, i) => !/^[-/]\w/.test(arg) && !/^-(filter|include|exclude|uri|outfile|body|method|headers)$/i.test(args[i - 1] ?? ''),
  );
  const paths = operands.map(pathOf);
  const value = (option: RegExp) => args[args.findIndex((arg) => option.test(arg)) + 1] ?? '';
  switch (verb.toLowerCase()) {
    case 'remove-item':
    case 'ri':
    case 'rm':
    case 'rmdir':
    case 'rd':
    case 'del':
    case 'erase':
      return [['rm', args.some((arg) => /^(-r(e\w*)?|\/s)$/i.test(arg)) ? '-rf' : '-f', ...paths]];
    case 'get-content':
    case 'gc':
    case 'type':
      return [['cat', ...paths]];
    case 'invoke-webrequest':
    case 'invoke-restmethod':
    case 'iwr':
    case 'irm': {
      const uri = args.some((arg) => /^-uri$/i.test(arg)) ? value(/^-uri$/i) : (operands[0] ?? '');
      if (args.some((arg) => /^-infile$/i.test(arg))) return [['curl', '-T', value(/^-infile$/i), uri]];
      if (args.some((arg) => /^-body$/i.test(arg))) return [['curl', '-d', value(/^-body$/i) || '@-', uri]];
      return [args.some((arg) => /^-outfile$/i.test(arg)) ? ['curl', '-o', value(/^-outfile$/i), uri] : ['curl', uri]];
    }
    case 'format-volume':
    case 'clear-disk':
      return [['mkfs', '/dev/sda']];
    case 'stop-computer':
    case 'restart-computer':
      return [['shutdown', 'now']];
    default:
      return /^[\w./\\-]+$/.test(verb) && !/^[A-Z]\w+-[A-Z]/.test(verb) ? [[verb, ...args]] : [];
  }
}

/** Returns the equivalent of a Windows path. */
function pathOf(path: string): string {
  const plain = path.replaceAll('\\', '/').replace(/^(\$HOME|\$env:(USERPROFILE|HOME|HOMEPATH)|%USERPROFILE%)/i, '~');
  return plain
    .replace(/^(\$env:SystemDrive|\$env:SystemRoot|[A-Za-z]:)/i, (drive) => (/root$/i.test(drive) ? '/usr' : ''))
    .replace(/^\/windows(?=\/|$)/i, '/usr')
    .replace(/^\/users(?=\/|$)/i, '/home')
    .replace(/^$/, /^[A-Za-z]:$/.test(path) ? '/' : '');
}
