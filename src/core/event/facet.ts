/**
 * What a tool's input acts on, as the patterns of permission rules see it: the commands of a shell line, a path, the host of an address.
 * A shell line that can't be told apart safely gives more parts rather than fewer: a rule that starts a guard must not miss.
 */
import { isObject, type Json } from './json.ts';

const PATHS = ['file_path', 'path', 'filePath', 'notebook_path', 'absolute_path'];

/** Stands among the targets for whatever else a line might run that can't be told apart. No command holds it. */
export const UNTOLD = '\0';

/** Undefined if the input names nothing of the kind. */
export function targetsOf(input: Json | undefined): readonly string[] | undefined {
  if (!isObject(input)) return undefined;
  const { command, url } = input;
  const line = Array.isArray(command) ? command.filter((word) => typeof word === 'string').join(' ') : command;
  if (typeof line === 'string') return commandsOf(line);
  const paths = PATHS.flatMap((key) => (typeof input[key] === 'string' ? [input[key]] : []));
  if (paths.length > 0) return paths;
  return typeof url === 'string' && URL.canParse(url) ? [`domain:${new URL(url).hostname}`, url] : undefined;
}

/** The line itself and every command in it, substitutions included, each as it stands and bare. */
export function commandsOf(line: string): readonly string[] {
  const aware = split(line, true);
  const parts = [line, ...(aware ?? split(line, false) ?? [])].map((part) => part.trim());
  const told = [...new Set(parts.flatMap((part) => [part, bare(part)]))].filter((part) => part !== '');
  return aware ? told : [...told, UNTOLD];
}

const ENDS = /^(?:&&|\|\||[;&|\n(){}`]|\$\(|<\(|>\()/;
/** Outside single quotes: what stands there in the end, a variable or another command says. */
const FILLED_IN = /^(?:`|\$(?:[\w{@*#?!-]|\((?!\()))/;
/** Outside all quotes: a text that follows, a process as a file, a function, a group or a choice of words, a list in the background. */
const UNCLEAR = /^(?:<<|[<>]\(|\(\s*\)|\{|\$['"]|\)\s*&(?!&))/;
const CHOICE = /^\s*(?:case|select)\s/;

/** Undefined if it can't be told apart for certain; without regard for quotes it always can. */
function split(line: string, quotes: boolean): readonly string[] | undefined {
  const parts: string[] = [];
  let part = '';
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    const end = ENDS.exec(line.slice(i, i + 2))?.[0];
    if (quotes && char === '\\' && quote !== "'") part += char + line.charAt(++i);
    else if (quotes && isUnclear(line.slice(i), quote)) return undefined;
    else if (quotes && (quote === '' ? char === "'" || char === '"' : char === quote)) {
      quote = quote === '' ? char : '';
      part += char;
    } else if (end !== undefined && quote === '' && !(end === '&' && isOfRedirect(part, line.charAt(i + 1)))) {
      parts.push(part);
      part = '';
      i += end.length - 1;
    } else part += char;
  }
  const all = [...parts, part];
  return quote !== '' || (quotes && all.some((one) => CHOICE.test(one))) ? undefined : all;
}

function isUnclear(rest: string, quote: string): boolean {
  return quote !== "'" && (FILLED_IN.test(rest) || (quote === '' && UNCLEAR.test(rest)));
}

/** `2>&1`, `&>file` */
function isOfRedirect(before: string, next: string): boolean {
  return /[<>]$/.test(before) || next === '>';
}

/** Words of the shell before a command, and the one program that is looked through. */
const BEFORE = /^(?:(?:if|then|else|elif|while|until|do|!)\s+|xargs\s+(?!-))+/;
const VARIABLES = /^(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+)+/;
const REDIRECTS = /\s*(?:&|\d+)?[<>]{1,2}[&|]?\s*[^\s<>]*/g;
const COMMENT = /(?:^|\s)#.*$/;

/** Without what stands before its name or says where its output goes, and without quotes around its words. */
function bare(part: string): string {
  const words = part.replace(BEFORE, '').replace(VARIABLES, '');
  const alone = /["']/.test(words) ? words : words.replace(COMMENT, '').replace(REDIRECTS, '');
  return alone
    .replace(/["'\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
