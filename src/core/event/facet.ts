/**
 * The facets of an event: the parts that a hook's conditions can test. One of them is the target of a tool's input: the commands of a shell
 * line, a path, or the host of an address. A shell line that cannot be split reliably gives more parts rather than fewer, because a rule that
 * starts a guard must not miss one.
 */
import { isObject, type Json, type JsonObject, serialise, textOf } from '../values/json.ts';
import type { HookEvent } from './event.ts';

const PATHS = ['file_path', 'path', 'filePath', 'notebook_path', 'absolute_path'];

/** Represents any other command that a line might run and that cannot be split off. No real command contains it. */
export const UNTOLD = '\0';

/** Returns undefined if the input has no such target. */
export function targetsOf(input: Json | undefined): readonly string[] | undefined {
  if (!isObject(input)) return undefined;
  const { url } = input;
  const lines = linesIn(input);
  if (lines.length === 1) return commandsOf(lines[0] as string);
  if (lines.length > 1) return [...new Set(lines.flatMap(commandsOf))];
  const paths = PATHS.flatMap((key) => (typeof input[key] === 'string' ? [input[key]] : []));
  if (paths.length > 0) return paths;
  return typeof url === 'string' && URL.canParse(url) ? [`domain:${new URL(url).hostname}`, url] : undefined;
}

/** Agents name the line differently. A list under `commands` has one line per item; any other list has the words of one line. */
function linesIn({ command, cmd, commands }: JsonObject): readonly string[] {
  const lines = [command, cmd].flatMap((line) =>
    Array.isArray(line) ? [line.filter((word) => typeof word === 'string').join(' ')] : typeof line === 'string' ? [line] : [],
  );
  return [...lines, ...(Array.isArray(commands) ? commands : [commands]).filter((line) => typeof line === 'string')];
}

/** Returns the line and every command in it, including substitutions, each as written and without quotes and prefixes. */
export function commandsOf(line: string): readonly string[] {
  const aware = split(line, true);
  const parts = [line, ...(aware ?? split(line, false) ?? [])].map((part) => part.trim());
  const told = [...new Set(parts.flatMap((part) => [part, bare(part)]))].filter((part) => part !== '');
  return aware ? told : [...told, UNTOLD];
}

const ENDS = /^(?:&&|\|\||[;&|\n(){}`]|\$\(|<\(|>\()/;
/** Outside single quotes, the final text depends on a variable or on another command. */
const FILLED_IN = /^(?:`|\$(?:[\w{@*#?!-]|\((?!\()))/;
/** Outside all quotes: a here-document, a process substitution, a function, a group or brace expansion, or a background list. */
const UNCLEAR = /^(?:<<|[<>]\(|\(\s*\)|\{|\$['"]|\)\s*&(?!&))/;
const CHOICE = /^\s*(?:case|select)\s/;

/** Returns undefined if the line cannot be split reliably. Without regard for quotes it always can. */
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

/** Shell keywords before a command, and the one wrapper program that is skipped. */
const BEFORE = /^(?:(?:if|then|else|elif|while|until|do|!)\s+|xargs\s+(?!-))+/;
const VARIABLES = /^(?:[A-Za-z_]\w*=(?:"[^"]*"|'[^']*'|\S*)\s+)+/;
const REDIRECTS = /\s*(?:&|\d+)?[<>]{1,2}[&|]?\s*[^\s<>]*/g;
const COMMENT = /(?:^|\s)#.*$/;

/** Returns the command without prefixes, redirections and quotes. */
function bare(part: string): string {
  const words = part.replace(BEFORE, '').replace(VARIABLES, '');
  const alone = /["']/.test(words) ? words : words.replace(COMMENT, '').replace(REDIRECTS, '');
  return alone
    .replace(/["'\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** A part of an event that a hook's conditions can test. It is derived from the canonical payload on demand. */
export type Facet =
  | 'tool'
  | 'toolTail'
  | 'input'
  | 'agent'
  | 'subagent'
  | 'skill'
  | 'model'
  | 'channel'
  | 'user'
  | 'text'
  | 'cause'
  | 'subject'
  | 'target';

/** Facets that differ on every call, so a plan must not be cached by them. */
export const DYNAMIC_FACETS: ReadonlySet<Facet> = new Set(['input', 'text', 'target']);

/** Returns the values of a facet, or undefined if this event has no such facet. */
export function facetValues(event: HookEvent, facet: Facet): readonly string[] | undefined {
  const { data } = event;
  switch (facet) {
    case 'tool':
      return withAliases(event, one(data['tool']));
    case 'toolTail': {
      const tool = textOf(data['tool']);
      return tool === undefined ? undefined : withAliases(event, [tool.slice(tool.lastIndexOf('.') + 1)]);
    }
    case 'input':
      return data['input'] === undefined || data['input'] === null ? undefined : [...leaves(data['input']), serialise(data['input'])];
    case 'agent':
      return one(data['agent'] ?? actingAgent(event));
    case 'subagent':
      return event.kind.startsWith('subagent.') ? one(data['name']) : undefined;
    case 'skill':
      return event.kind.startsWith('skill.') ? one(data['skill']) : undefined;
    case 'model':
      return one(data['model']);
    case 'channel':
      return one(data['channel']);
    case 'user':
      return one(data['user']);
    case 'text':
      return one(data['prompt'] ?? data['content']) ?? spokenWith(event);
    // The cause or the type of the event: `startup` of a session, `auto` of a compaction, `idle_prompt` of a notification.
    case 'cause':
      return one(data['source'] ?? data['reason'] ?? data['type']);
    // The subject of the event if it is neither a tool nor a text: a model, a server, a command, a file name.
    case 'subject':
      return one(data['to'] ?? data['server'] ?? data['command']) ?? baseName(data['path']);
    case 'target':
      return targetsOf(data['input']);
  }
}

/**
 * Returns the value of a facet that has one, undefined if this event has no such facet, and null if it has several values. It makes no list where
 * it can do without, because every event is asked for the names that its hooks test.
 */
export function soleValue(event: HookEvent, facet: Facet): string | undefined | null {
  if (facet === 'tool' && event.toolAliases === undefined) return textOf(event.data['tool']);
  const values = facetValues(event, facet);
  if (values === undefined) return undefined;
  return values.length === 1 ? (values[0] as string) : null;
}

/** The text that a model was given or returned. */
function spokenWith({ kind, data }: HookEvent): readonly string[] | undefined {
  const spoken = kind === 'llm.before' ? data['input'] : kind === 'llm.after' ? data['output'] : undefined;
  return spoken === undefined || spoken === null ? undefined : [...leaves(spoken), serialise(spoken)];
}

function withAliases({ toolAliases }: HookEvent, own: readonly string[] | undefined): readonly string[] | undefined {
  return own && toolAliases ? [...own, ...toolAliases] : own;
}

function baseName(path: Json | undefined): readonly string[] | undefined {
  return typeof path === 'string' ? [path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)] : undefined;
}

function one(value: Json | undefined): readonly string[] | undefined {
  return typeof value === 'string' ? [value] : undefined;
}

/** Returns the agent that acts, as the caller shows it. At the start and end of a subagent, a host names that subagent and not the one that acts. */
export function actingAgent({ kind, caller, ahead }: HookEvent): string | undefined {
  return (kind.startsWith('subagent.') && !ahead ? undefined : caller?.agent) ?? caller?.host;
}

/** Returns every string in a value, depth first. It does not recurse, because a payload may be nested to any depth. */
function leaves(value: Json): string[] {
  const found: string[] = [];
  const stack: (Json | undefined)[] = [value];
  while (stack.length > 0) {
    const next = stack.pop();
    if (typeof next === 'string') found.push(next);
    else if (Array.isArray(next)) for (let i = next.length - 1; i >= 0; i--) stack.push(next[i] as Json);
    else if (isObject(next)) for (const item of Object.values(next).reverse()) stack.push(item);
  }
  return found;
}
