/** Names for hooks that have none of their own: by the script that runs, the description, the program, or the group. */
import type { Hook } from '../../core/contracts/hook.ts';
import { entryOf, type MapNode } from '../../core/values/document.ts';
import { textOf } from '../../core/values/json.ts';
import { commandsIn } from './shell-words.ts';

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
  const program = telling(runs);
  if (program?.is === 'file' || program?.is === 'script') return cut(program.label);
  const description = described.map(descriptionIn).find((text) => text !== '');
  if (description !== undefined) return description;
  if (command === undefined) return handlerLabel(handler);
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
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

interface Program {
  readonly label: string;
  /**
   * `file`: its name ends like that of a script. `script`: an interpreter reads it, or it has a path. `sourced`: it only prepares the shell for
   * the others.
   */
  readonly is: (typeof KINDS)[number];
}

/** The most telling first. */
const KINDS = ['file', 'script', 'program', 'sourced'] as const;

const SCRIPT = /\.(?:[cm]?[jt]sx?|sh|bash|zsh|fish|pyw?|rb|pl|php|ps1|lua|exs?|bat|cmd|jl|swift|kts?|go|rs|jar|scpt|applescript)$/i;
/** File names that tell nothing without their folder, and folders that tell nothing either. */
const PLAIN_FILE = /^(?:index|main|__main__|cli|mod|hook|run|app|entry)\.\w+$/i;
const PLAIN_FOLDER = /^(?:\..*|hooks?|scripts?|bin|src|dist|build|out|lib|tools|target|release|node_modules)$/i;
const SHELLS = words('sh bash zsh dash fish pwsh powershell');
/** The programs that `handlerLabel` has always passed over. */
const INTERPRETERS = words('sh bash zsh dash env node python python3 ruby perl exec');
const MORE_INTERPRETERS = words('fish pwsh powershell php lua tsx ts-node');
/** Words before the name of a program, such as `env` and `time`. They make no telling name. */
const LEADS = words(
  'if then elif else do while until ! time exec command builtin nohup sudo env xargs timeout nice setsid { ( & cmd wsl function',
);
/** Programs that only prepare, test or print. */
const NOISE = words(
  '[ [[ ] ]] test echo printf cd pushd popd exit true false : export set unset read local return cat jq tee sleep mkdir touch date head tail grep fi done esac for case in wait trap shift basename dirname which type hash } Write-Host Write-Output',
);
/** Programs that run another one, which is the telling one. */
const RUNNERS = words('uv uvx npx bunx poetry pipx pipenv rye mise hatch pdm');
/** Programs whose first argument says what they do. */
const TASKS = words(
  'npm pnpm yarn bun deno make just task cargo go dotnet docker git gh mix composer bundle gradle mvn java osascript hookline',
);
const VERBS = words('run exec x dlx tool task --');
/** Options with a value, by program. Only those that come before the telling word matter. */
const VALUED: Readonly<Record<string, ReadonlySet<string>>> = {
  uv: words('--with --from --python -p --project --directory --group --extra --env-file --with-requirements --index'),
  uvx: words('--with --from --python -p'),
  npx: words('-p --package'),
  npm: words('--prefix -C -w --workspace'),
  pnpm: words('--filter -F -C --dir'),
  yarn: words('--cwd workspace'),
  bun: words('--cwd --env-file -r --preload'),
  poetry: words('-C --directory -P --project'),
  node: words('-r --require --import --loader --experimental-loader --env-file -C --conditions'),
  tsx: words('--tsconfig --import'),
  python: words('-W -X'),
  python3: words('-W -X'),
  bash: words('-o -O --rcfile'),
  powershell: words('-executionpolicy -ep -ex -windowstyle -w -version'),
  pwsh: words('-executionpolicy -ep -ex -windowstyle -w -version'),
  docker: words('-v --volume -e --env --env-file -w --workdir -u --user --name --network --entrypoint -f'),
  git: words('-C -c'),
  go: words('-C'),
  make: words('-C -f'),
  just: words('-f --justfile -d --working-directory'),
  cargo: words('--manifest-path -p --package'),
  deno: words('-c --config'),
  sudo: words('-u -g'),
  timeout: words('-s -k'),
  nice: words('-n'),
  env: words('-u -C'),
  xargs: words('-I -n -P -d -L -a -E'),
};

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

/** Returns what each command of a shell line runs, except for commands that only prepare. */
function programsIn(line: string): Program[] {
  const functions = new Set([...line.matchAll(/([\w-]+)[ \t]*\(\)|function[ \t]+([\w-]+)/g)].map(([, plain, named]) => plain ?? named));
  return commandsIn(line).flatMap((given) => (functions.has(given[0]) ? [] : (programIn(given) ?? [])));
}

/** Returns the one that says most. */
function telling(runs: readonly Program[]): Program | undefined {
  return KINDS.map((kind) => runs.find(({ is }) => is === kind)).find((one) => one !== undefined);
}

function programIn(given: readonly string[]): Program | undefined {
  let owner = '';
  let isRead = false;
  for (let rest = given; rest.length > 0; rest = rest.slice(1)) {
    const word = rest[0] as string;
    const base = baseOf(word).replace(/\.exe$/i, '');
    if (word.startsWith('-')) {
      if (isRead && isCode(word, owner)) return SHELLS.has(owner) ? telling(programsIn(rest[1] ?? '')) : undefined;
      if (takesValue(owner, word)) rest = rest.slice(1);
    } else if (word === '.' || word === 'source') return rest[1] ? { label: fileLabel(rest[1]), is: 'sourced' } : undefined;
    else if (LEADS.has(base) && !(base === 'command' && rest[1] === '-v')) owner = base;
    else if (NOISE.has(base) || base === 'command') return undefined;
    else if (INTERPRETERS.has(base) || MORE_INTERPRETERS.has(base) || isUnknownReader(word, rest)) [owner, isRead] = [base, true];
    else if (RUNNERS.has(base) && rest.length > 1) owner = base;
    else if (!isFiller(word, owner)) return found(rest, isRead);
  }
  return undefined;
}

/** Whether an interpreter takes its code from the next word. */
function isCode(option: string, interpreter: string): boolean {
  return /^-[a-z]*[ce]$|^--eval$|^-Command$/.test(option) || (interpreter === 'php' && option === '-r');
}

function takesValue(program: string, option: string): boolean {
  return VALUED[program]?.has(/^(?:pwsh|powershell)$/.test(program) ? option.toLowerCase() : option) ?? false;
}

/** `"$PYTHON" check.py`: an interpreter that is known only at run time. */
function isUnknownReader(word: string, rest: readonly string[]): boolean {
  return /^\$(?:\w+|\{\w+\})?$/.test(word) && SCRIPT.test(rest[1] ?? '');
}

/** Assignments, durations, verbs of a runner and switches of a Windows shell. */
function isFiller(word: string, owner: string): boolean {
  if (word === '' || word === '$' || /^[A-Za-z_]\w*=/.test(word) || /^\d+[smh]?$/.test(word)) return true;
  return owner === 'cmd' ? /^\/[a-z]$/i.test(word) : RUNNERS.has(owner) && VERBS.has(word);
}

function found([word = '', ...rest]: readonly string[], isRead: boolean): Program | undefined {
  const base = baseOf(word);
  if (base === '') return undefined;
  if (SCRIPT.test(base)) return { label: fileLabel(word), is: 'file' };
  const program = base.replace(/\.exe$/i, '');
  if (TASKS.has(program)) return taskOf(program, rest);
  const isScript = isRead || (/[\\/]/.test(word) && !word.startsWith('@') && !/^\/(?:usr|bin|opt)\//.test(word));
  return { label: withoutVersion(base), is: isScript ? 'script' : 'program' };
}

function taskOf(program: string, rest: readonly string[]): Program {
  const operands = rest.filter(
    (word, i) => !word.startsWith('-') && !VERBS.has(word) && !takesValue(program, word) && !takesValue(program, rest[i - 1] ?? ''),
  );
  const script = operands.find((word) => SCRIPT.test(word));
  if (script !== undefined) return { label: fileLabel(script), is: 'file' };
  const task = baseOf(operands[0] ?? '');
  return { label: /^[\w.:@-]+$/.test(task) ? `${program}-${withoutVersion(task)}` : program, is: 'program' };
}

/** `index.js` tells nothing, so the nearest folder that does comes before it. */
function fileLabel(path: string): string {
  const base = baseOf(path);
  if (!PLAIN_FILE.test(base)) return base;
  const folder = path
    .split(/[\\/]/)
    .slice(0, -1)
    .reverse()
    .find((part) => !PLAIN_FOLDER.test(part) && part !== '');
  return folder !== undefined && /^[\w.-]+$/.test(folder) ? `${folder}/${base}` : base;
}

/** The name of a package without the version that is asked for. */
function withoutVersion(name: string): string {
  return name.replace(/(.)@[\w.^~*-]+$/, '$1');
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
