/** Finds the file of tasks that a command runs, and the tasks in it: `make lint`, `npm run lint`, `just lint`, `task lint`, `rake lint`. */
import { dirname, join } from 'node:path';
import type { EffectiveCommand } from '../../shell/machine.ts';
import { isDynamic, printable } from '../../shell/marks.ts';
import type { FollowedFile, TaskTool } from '../files.ts';
import { firstFile, foldersUpTo, isFile } from './lookup.ts';
import { imported, NOTHING_REACHED, part, type Reached } from './reached.ts';

interface Around {
  readonly cwd: string;
  readonly line: number;
  readonly root: string;
  find(path: string): readonly string[];
}

interface Runner {
  readonly tool: TaskTool;
  readonly names: RegExp;
  readonly files: readonly string[];
  /** Options that name the file and the folder. */
  readonly file: RegExp;
  readonly folder: RegExp;
  /** Options that take the next word. */
  readonly valued: RegExp;
  /** Whether the file can also be in a folder above. */
  readonly above: boolean;
}

const RUNNERS: readonly Runner[] = [
  {
    tool: 'make',
    names: /^(g|b|d)?make$/,
    files: ['GNUmakefile', 'makefile', 'Makefile', 'BSDmakefile'],
    file: /^(?:-f|--file|--makefile)$/,
    folder: /^(?:-C|--directory)$/,
    valued: /^(?:-[IjloW]|--(?:include-dir|eval|old-file|what-if))$/,
    above: false,
  },
  {
    tool: 'just',
    names: /^just$/,
    files: ['justfile', 'Justfile', '.justfile', 'JUSTFILE'],
    file: /^(?:-f|--justfile)$/,
    folder: /^(?:-d|--working-directory)$/,
    valued: /^(?:--set|--shell|--shell-arg|--dotenv-path|--color)$/,
    above: true,
  },
  {
    tool: 'task',
    names: /^(task|go-task)$/,
    files: ['Taskfile.yml', 'taskfile.yml', 'Taskfile.yaml', 'taskfile.yaml', 'Taskfile.dist.yml', 'Taskfile.dist.yaml'],
    file: /^(?:-t|--taskfile)$/,
    folder: /^(?:-d|--dir)$/,
    valued: /^(?:-[oIC]|--(?:output|interval|concurrency))$/,
    above: true,
  },
];
const SCRIPT_RUNNERS = /^(npm|pnpm|yarn|bun|node|cnpm)$/;
/** Words of a package manager that are no names of scripts. */
const OWN_WORDS =
  /^(run|run-script|rum|urn|add|remove|rm|uninstall|un|install|i|ci|exec|x|dlx|create|init|link|unlink|list|ls|outdated|audit|info|view|why|pack|publish|config|cache|bin|root|prefix|login|logout|whoami|version|update|up|upgrade|workspaces?|node|dedupe|prune|set|get|help|global|import|licenses|policies|self-update|store|fetch|patch|pm|repl|completion)$/;

export function taskRun(command: EffectiveCommand, around: Around): Reached {
  const { name } = command;
  const runner = RUNNERS.find(({ names }) => names.test(name));
  if (runner) return readRunner(runner, command, around);
  if (SCRIPT_RUNNERS.test(name)) return packageScript(command, around);
  if (/^(rake|drake)$/.test(name)) return rubyTasks(command, around);
  return NOTHING_REACHED;
}

function readRunner(runner: Runner, { name, argv }: EffectiveCommand, { cwd, line, find }: Around): Reached {
  const { file, folder, rest } = splitOptions(argv, runner);
  if (rest.some((word) => /^(--version|--help|--list|-l|--dry-run|-n|--summary)$/.test(word))) return NOTHING_REACHED;
  const unclear = [file, folder, ...rest].find((word) => word !== undefined && isDynamic(word) && !word.includes('='));
  const base = (folder === undefined ? find('.') : find(folder))[0];
  const given = file === undefined || base === undefined ? undefined : firstFile(base, [file]);
  const places = base === undefined ? [] : runner.above ? [...new Set(find(folder ?? '.').flatMap((one) => [one, ...above(one)]))] : [base];
  const path =
    given ?? (file === undefined ? places.map((one) => firstFile(one, runner.files)).find((one) => one !== undefined) : undefined);
  const what = printable(argv.join(' ')).slice(0, 200);
  if (unclear !== undefined) {
    const run = path === undefined ? [] : [tasks(path, base ?? cwd, runner.tool, [])];
    return { runs: run, unknown: [{ what, why: `the task of \`${name}\` is known only at run time`, line }] };
  }
  if (path === undefined) return NOTHING_REACHED;
  const runs = runner.tool === 'make' ? (base ?? dirname(path)) : dirname(path);
  return { runs: [tasks(path, runs, runner.tool, rest)], unknown: [] };
}

function above(folder: string): readonly string[] {
  return foldersUpTo(folder, '/').slice(1, 12);
}

function tasks(path: string, cwd: string, tool: TaskTool, targets: readonly string[]): FollowedFile {
  return { path, cwd, how: 'tasks', tool, targets };
}

function splitOptions(argv: readonly string[], { file: isFileOption, folder: isFolderOption, valued }: Runner) {
  let file: string | undefined;
  let folder: string | undefined;
  const rest: string[] = [];
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    const [, option = word, value] = /^(-[A-Za-z]|--[\w-]+)=?(.+)$/s.exec(word) ?? [];
    if (isFileOption.test(word)) file = argv[++at];
    else if (isFolderOption.test(word)) folder = argv[++at];
    else if (valued.test(word)) at++;
    else if (isFileOption.test(option)) file = value;
    else if (isFolderOption.test(option)) folder = value;
    else rest.push(word);
  }
  return { file, folder, rest };
}

function packageScript({ name, argv }: EffectiveCommand, { line, find, root }: Around): Reached {
  if (name === 'node') {
    const run = argv.findIndex((word) => word === '--run' || word.startsWith('--run='));
    if (run === -1) return NOTHING_REACHED;
    const script = argv[run]?.split('=')[1] ?? argv[run + 1] ?? '';
    return inManifest(find('.'), root, [script], line, name);
  }
  const words: string[] = [];
  let folder = '.';
  for (let at = 1; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (/^(-C|--prefix|--cwd|--dir)$/.test(word)) folder = argv[++at] ?? '.';
    else if (/^(--prefix|--cwd|--dir)=/.test(word)) folder = word.slice(word.indexOf('=') + 1);
    else if (/^(-w|--workspace|--filter|-F)$/.test(word)) return workspace(argv, line, find);
    else if (/^(--workspace|--filter)=|^(-r|--recursive|-ws|--workspaces)$/.test(word)) return workspace(argv, line, find);
    else if (word === '--') break;
    else if (!word.startsWith('-')) words.push(word);
  }
  const [verb = '', target] = words;
  const places = find(folder);
  if (/^(run|run-script|rum|urn)$/.test(verb)) {
    if (target === undefined) return NOTHING_REACHED;
    return name === 'bun' && /[./]/.test(target) ? NOTHING_REACHED : inManifest(places, root, [target], line, name);
  }
  if (/^(test|t|tst|start|stop|restart)$/.test(verb) && name !== 'bun')
    return inManifest(places, root, [verb === 't' || verb === 'tst' ? 'test' : verb], line, name);
  // `yarn lint`, `pnpm lint` and `bun lint` run a script or an installed program.
  return name === 'npm' || verb === '' || OWN_WORDS.test(verb) || /[./]/.test(verb)
    ? NOTHING_REACHED
    : inManifest(places, root, [verb], line, name);
}

function workspace(argv: readonly string[], line: number, find: Around['find']): Reached {
  const manifest = find('package.json').find(isFile);
  const what = printable(argv.join(' ')).slice(0, 200);
  return {
    runs: manifest === undefined ? [] : [part(manifest)],
    unknown: [{ what, why: 'the scripts of other packages are not followed', line }],
  };
}

function inManifest(places: readonly string[], root: string, targets: readonly string[], line: number, name: string): Reached {
  const folder = places.flatMap((place) => [...foldersUpTo(place, root)]).find((one) => isFile(join(one, 'package.json')));
  const [target = ''] = targets;
  if (isDynamic(target))
    return { runs: [], unknown: [{ what: `${name} run ${printable(target)}`, why: 'the script is known only at run time', line }] };
  return folder === undefined ? NOTHING_REACHED : { runs: [tasks(join(folder, 'package.json'), folder, 'scripts', targets)], unknown: [] };
}

/** The tasks of Ruby are a program, which is read whole. */
function rubyTasks({ argv }: EffectiveCommand, { find }: Around): Reached {
  const at = argv.findIndex((word) => /^(-f|--rakefile)$/.test(word));
  const named = at === -1 ? ['rakefile', 'Rakefile', 'rakefile.rb', 'Rakefile.rb'] : [argv[at + 1] ?? ''];
  const file = named.flatMap(find).find(isFile);
  return file === undefined ? NOTHING_REACHED : { runs: [imported(file)], unknown: [] };
}
