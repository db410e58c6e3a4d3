/** Names for hooks that have none of their own: by the script that runs, the description, the program, or the group. */
import type { Hook } from '../../core/contracts/hook.ts';
import { entryOf, type MapNode } from '../../core/values/document.ts';
import { textOf } from '../../core/values/json.ts';

export interface Nameless {
  readonly handler: Hook['handler'];
  readonly event: string;
  readonly matcher?: { readonly source: string } | undefined;
  /** Maps that may have a description, the nearest first. */
  readonly described?: readonly (MapNode | undefined)[];
}

type Named = Pick<Hook, 'name' | 'formerName'>;

/** Returns the hook's own name, or one that is made. `prefix` comes before both names that are made. */
export function nameFor(own: string | undefined, hook: Nameless, prefix = ''): Named {
  return own === undefined ? { name: `${prefix}${labelOf(hook)}`, formerName: `${prefix}${handlerLabel(hook.handler)}` } : { name: own };
}

const MOST = 40;

function labelOf({ handler, event, matcher, described = [] }: Nameless): string {
  const command = textOf(handler.config['command']);
  const runs = command === undefined ? [] : programsIn(command.slice(0, 4000));
  const script = runs.find(({ word }) => SCRIPT.test(word)) ?? runs.find(({ isScript }) => isScript);
  if (script) return cut(baseOf(script.word));
  const description = described.map(descriptionIn).find((text) => text !== '');
  if (description !== undefined) return description;
  if (command === undefined) return handlerLabel(handler);
  const [program] = runs;
  return program ? cut(program.label) : slug(`${event} ${matcher?.source ?? ''}`);
}

function descriptionIn(map: MapNode | undefined): string {
  const nodes = ['description', '_description', 'statusMessage'].map((key) => entryOf(map, key)?.value);
  const text = nodes.flatMap((node) => (node?.kind === 'scalar' && typeof node.value === 'string' ? [slug(node.value)] : []));
  return text.find((one) => one !== '') ?? '';
}

/** Returns the words of a text, as many as fit. */
function slug(text: string): string {
  let name = '';
  for (const word of text.match(/[\p{L}\p{N}_.]+/gu) ?? []) {
    if (name !== '' && name.length + word.length >= MOST) break;
    name = name === '' ? word : `${name}-${word}`;
  }
  return cut(name);
}

function cut(text: string): string {
  return text.slice(0, MOST);
}

function baseOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

interface Program {
  readonly word: string;
  readonly label: string;
  /** Whether an interpreter reads it, or it has a path. */
  readonly isScript: boolean;
}

const SCRIPT = /\.(?:[cm]?[jt]sx?|sh|bash|zsh|fish|pyw?|rb|pl|php|ps1|lua|exs?|bat|cmd|jl|swift|kts?|go|rs)$/i;
const INTERPRETERS: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'env',
  'node',
  'python',
  'python3',
  'ruby',
  'perl',
  'exec',
]);
const MORE_INTERPRETERS: ReadonlySet<string> = new Set(['fish', 'pwsh', 'powershell', 'php', 'lua', 'tsx', 'ts-node', 'source', '.']);
/** Words before the name of a program, such as `env` and `time`. They make no telling name. */
const LEADS: ReadonlySet<string> = new Set(
  'if then elif else do while until ! time exec command builtin nohup sudo env xargs timeout nice setsid { ('.split(' '),
);
/** Programs that only prepare, test or print. */
const NOISE: ReadonlySet<string> = new Set(
  '[ [[ ] ]] test echo printf cd exit true false : export set unset read local return cat jq tee sleep mkdir touch date head tail grep fi done esac for case in wait trap shift basename dirname'.split(
    ' ',
  ),
);
/** Programs that run another one, which is the telling one. */
const RUNNERS: ReadonlySet<string> = new Set(['uv', 'uvx', 'npx', 'bunx', 'poetry', 'pipx', 'pipenv', 'rye', 'mise', 'hatch', 'pdm']);
/** Programs whose first word tells what they do. */
const TASKS: ReadonlySet<string> = new Set(
  'npm pnpm yarn bun deno make just task cargo go dotnet docker git gh mix composer bundle gradle mvn'.split(' '),
);
const VERBS: ReadonlySet<string> = new Set(['run', 'exec', 'x', 'dlx', 'tool', '--']);

/** Returns what each part of a shell line runs, except for parts that only prepare. */
function programsIn(line: string): Program[] {
  return partsOf(line).flatMap((words) => programIn(words) ?? []);
}

function programIn(given: readonly string[]): Program | undefined {
  let words = given.filter((word, i) => !/^\w+=/.test(word) || given.slice(0, i).some((before) => !/^\w+=/.test(before)));
  let isRead = false;
  while (words.length > 0) {
    const word = words[0] as string;
    const base = baseOf(word);
    if (word === '' || word.startsWith('-') || (LEADS.has(base) && !word.includes('/')) || /^\d+[smh]?$/.test(word)) words = words.slice(1);
    else if (NOISE.has(base)) return undefined;
    else if (INTERPRETERS.has(base) || MORE_INTERPRETERS.has(base)) {
      const code = words.findIndex((one) => /^-[a-z]*[ce]$|^--eval$|^-Command$/.test(one));
      if (code > 0) return /sh$/.test(base) ? programsIn(words[code + 1] ?? '')[0] : undefined;
      isRead = true;
      words = words.slice(1);
    } else if (RUNNERS.has(base) && words.length > 1) words = words.slice(1).filter((one, i) => i > 0 || !VERBS.has(one));
    else return found(words, isRead);
  }
  return undefined;
}

function found([word = '', ...rest]: readonly string[], isRead: boolean): Program | undefined {
  const base = baseOf(word);
  if (base === '') return undefined;
  const more = rest.filter((one) => !one.startsWith('-') && !VERBS.has(one));
  const script = TASKS.has(base) ? more.find((one) => SCRIPT.test(one)) : undefined;
  if (script !== undefined) return { word: script, label: baseOf(script), isScript: true };
  const task = TASKS.has(base) && /^[\w.:-]+$/.test(more[0] ?? '') ? `-${more[0]}` : '';
  return { word, label: `${base}${task}`, isScript: isRead || (word.includes('/') && !/^\/(?:usr|bin|opt)\//.test(word)) };
}

/** Splits a line at the operators of a shell and into words, without quotes and comments. A wrong split only makes a worse name. */
function partsOf(line: string): string[][] {
  const parts: string[][] = [[]];
  let word: string | undefined;
  let quote = '';
  const endWord = (): void => {
    if (word !== undefined) parts.at(-1)?.push(word);
    word = undefined;
  };
  for (let i = 0; i < line.length; i++) {
    const char = line[i] as string;
    if (quote !== '') {
      if (char === quote) quote = '';
      else word = `${word ?? ''}${char}`;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (char === '#' && word === undefined) {
      while (i + 1 < line.length && line[i + 1] !== '\n') i++;
    } else if (/[;|&\n()]/.test(char)) {
      endWord();
      parts.push([]);
    } else if (/\s/.test(char)) endWord();
    else word = `${word ?? ''}${char}`;
  }
  endWord();
  return parts.filter((words) => words.length > 0);
}

/**
 * Returns the name that earlier versions made. Trust, pins and settings may contain it, so it is still computed in the same way: the first word of
 * the command that is no interpreter, the server, or the type.
 */
export function handlerLabel({ type, config }: Hook['handler']): string {
  const url = textOf(config['url']);
  if (url !== undefined) return url.replace(/^[a-z]+:\/\/(?:[^/@]*@)?/, '').split(/[/?#]/, 1)[0] || type;
  const words = (textOf(config['command']) ?? '').replace(/["']/g, '').split(/\s+/).slice(0, 20);
  const program = words
    .filter((word) => word !== '' && !word.startsWith('-') && !/^\w+=/.test(word))
    .map((word) => word.slice(word.lastIndexOf('/') + 1))
    .find((word) => word !== '' && !INTERPRETERS.has(word));
  return program === undefined ? type : program.slice(0, 40);
}
