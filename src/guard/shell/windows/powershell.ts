/**
 * PowerShell is not shell code. A few of its verbs are translated to equivalent commands, and the rest is read as plain words.
 */
import { atMost, leaveOut } from '../../limits.ts';
import { tokensOf } from '../foreign/tokens.ts';
import { DECODED, REMOTE, UNKNOWN } from '../marks.ts';
import { unrolled } from './cmd-loops.ts';
import { folded } from './folded.ts';
import { type Statement, withValues } from './pipelines.ts';

const MOST_COMMANDS = 2048;
const COMMANDS = 'the commands of a PowerShell program';
const FETCHES = /\b(iwr|irm|invoke-webrequest|invoke-restmethod|curl|wget)\b|downloadstring|downloaddata|webclient/i;
const DECODES = /frombase64string/i;
const RUNS = /\b(iex|invoke-expression)\b|\[scriptblock\]::create|\breflection\.assembly\]::load/i;
/** Copies of a disk that a pipe or a method deletes. */
const SHADOWS = /Win32_ShadowCopy[\s\S]*(?:\.Delete\(|remove-(?:wmiobject|ciminstance))/i;
/** Programs that start themselves without end: a loop of PowerShell, and a script of `cmd` in a pipe or with a jump back. */
const STARTS_ITSELF =
  /\bwhile\s*\(\s*(?:\$true|\uE000|1)\s*\)\s*\{\s*(?:start-process|saps|start)\s+(?:-filepath\s+)?["']?(?:pwsh|powershell|cmd)\b|%~?f?0\s*\|\s*%~?f?0|:(\w+)\s*&?\s*start\b[^\n]{0,80}\bgoto\s+:?\1\b/i;
const FORK_BOMB: readonly string[] = ['eval', 'f(){ f|f& };f'];
/** A name or a text that is still computed where it is run. */
const COMPUTED =
  /(?:^|[\s;|{(])&\s*\(\s*(?:Get-Command|gcm)\s[^()]*[*?]|(?:^|[\s;|{(])&\s*\(\s*(?!Get-Command|gcm|Join-Path|Resolve-Path|Split-Path)[^()]*(?:\+|-f\b|-join|-replace|\[char\])|\b(?:iex|invoke-expression)\b\s*\(?[^;|\n]*(?:\[char\]|-join|-replace|::Reverse)/i;

/** The home as .NET computes it, and blocks that are made of a text. */
const HOME_CALL =
  /\[(?:System\.)?Environment\]::(?:GetFolderPath\(\s*(?:["']UserProfile["']|\[[\w.+]*SpecialFolder\]::UserProfile)\s*\)|GetEnvironmentVariable\(\s*["']USERPROFILE["'][^)]*\))/gi;
const BLOCK = /[&.]\s*\(?\s*\[scriptblock\]::create\(\s*("[^"]*"|'[^']*')\s*\)\s*\)?/gi;

/** A condition that asks only whether something is a file or a folder leaves none out that counts. */
const KIND =
  /\|\s*(?:Where-Object|where|\?)\s*\{?\s*(?:!|-not\s)?\s*\(?(?:\$_\.|\uE000\.)?PSIsContainer\)?\s*(?:-eq\s+\$(?:true|false)\s*)?\}?/gi;

/** Returns the text with the home by its variable, and with blocks as texts that are run. */
function plainCalls(text: string): string {
  if (!/\]::(?:get|create)|PSIsContainer/i.test(text)) return text;
  const withHome = text
    .replace(KIND, '')
    .replace(HOME_CALL, '$$HOME')
    .replace(/(?<![\w\]])\(\s*\$HOME\s*\)/g, '$$HOME');
  return withHome.replace(BLOCK, 'iex $1');
}

/** Returns the commands that the text would run, as shell commands. */
export function powershellCommands(written: string): readonly (readonly string[])[] {
  const text = plainCalls(folded(written));
  const commands: (readonly string[])[] = [];
  if (RUNS.test(text)) {
    if (FETCHES.test(text)) commands.push(['eval', REMOTE]);
    else if (DECODES.test(text)) commands.push(['eval', DECODED]);
    else if (/\b(iex|invoke-expression)\b\s*\(?\s*["']?\$/i.test(text)) commands.push(['eval', UNKNOWN]);
  }
  if (/\b(?:get-process|gps)\s*\|\s*(?:stop-process|spps|kill)\b/i.test(text)) commands.push(['kill', '-9', '-1']);
  if (STARTS_ITSELF.test(text)) commands.push(FORK_BOMB);
  if (SHADOWS.test(text)) commands.push(['vssadmin', 'delete', 'shadows']);
  if (COMPUTED.test(text)) commands.push(['eval', UNKNOWN]);
  const why = unreadable(text);
  if (why !== undefined) leaveOut(why);
  for (const words of withValues(atMost(linked(text), MOST_COMMANDS, COMMANDS)))
    commands.push(...translateStatement(words), ...redirected(words));
  return [...methodCalls(text), ...commands];
}

/** Returns why a text is no PowerShell: a quote or a bracket that is never closed. Undefined: it can be read. */
export function unreadable(text: string): string | undefined {
  const rest = text.replace(/`[\s\S]|"(?:[^"`]|`[\s\S]|"")*"|'[^']*'|#[^\n]*/g, ' ');
  if (/["']/.test(rest)) return 'a quote in a PowerShell program is never closed';
  let depth = 0;
  for (const char of rest) {
    if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    if (depth < 0) break;
  }
  return depth === 0 ? undefined : 'the brackets of a PowerShell program do not match';
}

/** Static methods of .NET that delete, write or start, as commands. */
function methodCalls(text: string): readonly (readonly string[])[] {
  const calls = text.matchAll(
    /\[(?:system\.)?(io\.directory|io\.file|diagnostics\.process|environment)\]::(\w+)\(\s*(?:["']([^"']*)["']|([$\uE000][\w:]+))?[^)]*/gi,
  );
  const fetched = Array.from(text.matchAll(/\.DownloadFile\(\s*["']([^"']+)["']\s*,\s*["']([^"']+)["']/gi), ([, from = '', to = '']) => [
    'curl',
    '-o',
    pathOf(to),
    from,
  ]);
  const acts = Array.from(calls).flatMap(([, type = '', method = '', literal, variable]): (readonly string[])[] => {
    const path = pathOf(literal ?? variable ?? '');
    if (/^delete$/i.test(method)) return [['rm', /directory/i.test(type) ? '-rf' : '-f', path]];
    if (/^(?:write|append)all/i.test(method)) return [['tee', path]];
    return /process/i.test(type) && /^start$/i.test(method) ? [[literal ?? UNKNOWN]] : [];
  });
  return [...fetched, ...acts];
}

/** Returns the commands that `cmd /c` runs. Undefined: it runs none. */
export function cmdCommands(argv: readonly string[]): readonly (readonly string[])[] | undefined {
  const at = argv.findIndex((word) => /^\/{1,2}[ckr]/i.test(word));
  if (at === -1) return undefined;
  const text = [(argv[at] ?? '').replace(/^\/{1,2}[ckr]/i, ''), ...argv.slice(at + 1)].join(' ').trim();
  const inner = withVariables(text.replace(/^"([\s\S]*)"$/, '$1').replace(/\^(.)/g, '$1'));
  if (STARTS_ITSELF.test(inner)) return [FORK_BOMB];
  const texts = unrolled(inner.replace(/&&|\|\|/g, ';'));
  return atMost(
    texts.flatMap((one) => statements(one)),
    MOST_COMMANDS,
    COMMANDS,
  ).flatMap((words) => [...translateStatement(words), ...redirected(words)]);
}

/** Returns a text of `cmd` with the values of the variables that it sets, however they are read: `%a%` and `!a!`. */
function withVariables(text: string): string {
  let filled = text;
  for (const [, name = '', value = ''] of [...text.matchAll(/\bset\s+"?(\w+)=([^&|"\n]*)/gi)].slice(0, 32))
    filled = filled.replace(new RegExp(`[%!]${name}[%!]`, 'gi'), () => value.trim());
  return filled;
}

/** Returns the commands of a whole file, with their positions. Comments and texts are not commands. */
export function powershellStatements(text: string): readonly { readonly argv: readonly string[]; readonly at: number }[] {
  const all: { words: string[]; at: number }[] = [];
  let [end, open] = [-1, false];
  for (const token of tokensOf(text, 'powershell')) {
    const between = end === -1 ? '\n' : text.slice(end, token.at);
    const ends = /\n/.test(between) && !/`[ \t]*\n/.test(between);
    const word = token.kind === 'string' ? token.text : text.slice(token.at, token.end);
    const last = all.at(-1);
    if (token.kind === 'sign' && /^[;|{}()&,]$/.test(word)) open = false;
    else if (last && open && !ends) {
      if (between === '') last.words.push(`${last.words.pop() ?? ''}${word}`);
      else last.words.push(word);
    } else {
      open = token.kind === 'name';
      if (open) all.push({ words: [word], at: token.at });
    }
    end = token.end;
  }
  return atMost(all, MOST_COMMANDS, COMMANDS).flatMap(({ words, at }) => translateStatement(words).map((argv) => ({ argv, at })));
}

/** Verbs of commands that only read, show or compute, and commands that change nothing outside the script. */
const HARMLESS =
  /^(?:(?:get|select|where|sort|measure|test|format|group|compare|write|read|convert|convertto|convertfrom|join|split|resolve|show|find|wait)-\w+|foreach-object|out-(?:null|string|host|default)|(?:set|push|pop)-location|set-(?:strictmode|variable)|clear-host)$/i;
const TRANSLATED =
  /^(?:remove-item|get-content|invoke-webrequest|invoke-restmethod|format-volume|clear-disk|(?:stop|restart)-computer|set-content|add-content|clear-content|out-file|tee-object|new-item|copy-item|move-item|start-process|invoke-expression)$/i;

/** Returns the commands and calls in the text whose effect is not known: cmdlets, methods of .NET, and names in variables. */
export function unknownCalls(text: string): readonly string[] {
  const names = statements(text).flatMap(([verb = '', next]) => {
    if (/^[a-z]\w*-\w+$/i.test(verb)) return HARMLESS.test(verb) || TRANSLATED.test(verb) ? [] : [verb];
    if (/^\[[\w.]+\]::/.test(verb)) return [verb];
    return verb.startsWith('$') && next !== undefined && !/^[-+*/%?]?=|^[-+*/%.]/.test(next) ? [verb] : [];
  });
  const called = [...text.matchAll(/(?:^|[\s;|{(])&\s*(\$[\w:]+|\()/g)].map((match) => `& ${match[1]}`);
  return [...new Set([...names, ...called])];
}

/** Returns the words of each statement. Statements end at `;`, `|`, `&`, line ends and brackets, and quotes keep words together. */
function statements(text: string): readonly (readonly string[])[] {
  return linked(text).map(({ words }) => words);
}

/** Returns the statements of a text. */
function linked(text: string): readonly Statement[] {
  const all: { words: string[]; piped: boolean }[] = [{ words: [], piped: false }];
  for (const [token] of text.matchAll(/"[^"]*"|'[^']*'|[;|\n{}()&]|[^\s;|{}()&"',]+/g)) {
    if (/^[;|\n{}()&]$/.test(token))
      all.push({ words: [], piped: token === '|' || (token !== ';' && token !== '\n' && all.at(-1)?.piped === true) });
    else all.at(-1)?.words.push(token.replace(/^(["'])(.*)\1$/s, '$2'));
  }
  return all.filter(({ words }) => words.length > 0);
}

/** Returns the files that `>` and `>>` write, as commands that write them. */
function redirected(words: readonly string[]): readonly (readonly string[])[] {
  return words.flatMap((word, i) => {
    const [, attached] = /^(?:[*\d])?>{1,2}(.*)$/s.exec(word) ?? [];
    const file = attached === '' ? words[i + 1] : attached;
    return file === undefined || file.startsWith('$null') ? [] : [['tee', pathOf(file)]];
  });
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
      if (operands.some((path) => /^(?:Registry::)?HK\w+:?\\|^Cert:\\/i.test(path))) return [['reg', 'delete', ...operands]];
      return [['rm', args.some((arg) => /^(-r(e\w*)?|-rf|-fr|\/s)$/i.test(arg)) ? '-rf' : '-f', ...paths]];
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
    case 'clear-content':
    case 'clc':
      return [['truncate', '-s', '0', ...paths]];
    case 'set-content':
    case 'add-content':
    case 'out-file':
    case 'tee-object':
    case 'new-item':
    case 'ni': {
      const named = args.some((arg) => /^-(literal|file)?path$/i.test(arg)) ? pathOf(value(/^-(literal|file)?path$/i)) : (paths[0] ?? '');
      return [[args.some((arg) => /^directory$/i.test(arg)) ? 'mkdir' : 'tee', named]];
    }
    case 'copy-item':
    case 'cpi':
    case 'copy':
      return [['cp', '-r', ...paths]];
    case 'move-item':
    case 'mi':
    case 'move':
      return [['mv', ...paths]];
    case 'invoke-expression':
    case 'iex':
      // A text that is not written out has been recorded before.
      return operands[0] === undefined || /^[$(]/.test(operands[0]) ? [] : powershellCommands(operands[0]);
    case 'start-process':
    case 'saps': {
      const file = args.some((arg) => /^-filepath$/i.test(arg)) ? value(/^-filepath$/i) : (args[0] ?? '');
      const list = args.findIndex((arg) => /^-arg\w*$/i.test(arg));
      const given = list === -1 ? [] : args.slice(list + 1).filter((arg) => !/^(?:-verb|runas)$/i.test(arg));
      // One text is a whole command line, and several are its words.
      const argv = [file, ...(given.length === 1 ? (given[0] ?? '').split(/\s+/) : given)];
      return [args.some((arg) => /^runas$/i.test(arg)) ? ['sudo', ...argv] : argv];
    }
    case 'format-volume':
    case 'clear-disk':
      return [['mkfs', '/dev/sda']];
    case 'format':
      return args.some((arg) => /^[a-z]:$/i.test(arg)) ? [['mkfs', '/dev/sda']] : [];
    case 'call':
      return translateStatement(args);
    case 'compress-archive':
      return [
        [
          'zip',
          '-r',
          value(/^-dest\w*$/i) || (paths[1] ?? 'archive.zip'),
          args.some((arg) => /^-(?:literal)?path$/i.test(arg)) ? pathOf(value(/^-(?:literal)?path$/i)) : (paths[0] ?? ''),
        ],
      ];
    case 'new-localuser':
      return [['net', 'user', operands[0] ?? 'user', '/add']];
    case 'add-localgroupmember':
      return [['net', 'localgroup', operands.join(' '), '/add']];
    case 'start-bitstransfer':
      return [['curl', '-o', paths[1] ?? 'file', operands[0] ?? '']];
    case 'takeown':
    case 'icacls': {
      const all = args.some((arg) => /^\/(?:r|t)$/i.test(arg));
      const path = /^takeown$/i.test(verb) ? value(/^\/f$/i) : (operands[0] ?? '');
      return [['chmod', ...(all ? ['-R'] : []), '777', pathOf(path)]];
    }
    case 'stop-computer':
    case 'restart-computer':
      return [['shutdown', 'now']];
    default:
      if (/^[a-z]+-[a-z]+$/i.test(verb)) return HARMLESS.test(verb) ? [] : [[verb.toLowerCase(), ...args]];
      // A program of the current folder.
      if (/^(?:\.\\)?[\w-]+\.(?:exe|bat|cmd|ps1|com|vbs|js)$/i.test(verb)) return [[`./${verb.replace(/^\.\\/, '')}`, ...args]];
      return /^[\w./\\-]+$/.test(verb) ? [[verb, ...args]] : [];
  }
}

/** Returns the equivalent of a Windows path. */
function pathOf(written: string): string {
  // A shell around the program has read the dollar of `$env:NAME`.
  const path = written
    .replace(/^\uE000(?=:[A-Za-z])/, '$env')
    .replace(/^%(\w+)%/, '$env:$1')
    .replace(/(^|[\\/])\*\.\*$/, '$1*');
  const plain = path.replaceAll('\\', '/').replace(/^(\$HOME|\$env:(USERPROFILE|HOME|HOMEPATH))/i, '~');
  return plain
    .replace(/^(\$env:(?:SystemDrive|HomeDrive|SystemRoot|WinDir)|[A-Za-z]:)/i, (drive) => (/root$|windir$/i.test(drive) ? '/usr' : ''))
    .replace(/^\/windows(?=\/|$)/i, '/usr')
    .replace(/^\/users(?=\/|$)/i, '/home')
    .replace(/^$/, /^(?:[A-Za-z]|\$env):/.test(path) ? '/' : '');
}
