/**
 * Finds the further files that a shell text runs, beyond the scripts that it names as its commands: by a task runner, by an option, through a
 * pipe or a substitution, by a glob, as a module, or from a folder of the search path. Code that is known only at run time is unknown.
 */
import { dirname, join } from 'node:path';
import { type AnalyseOptions, type Analysis, analyse } from '../../shell/analyse.ts';
import { type EffectiveCommand, isForeign } from '../../shell/machine.ts';
import { FED, isDynamic, isOpaque, printable } from '../../shell/marks.ts';
import { type FollowedFile, isBelow } from '../files.ts';
import { reachOfCode } from './code.ts';
import { filesRead, findFed } from './fed.ts';
import { languageRunBy } from './literals.ts';
import { below, foldersUpTo, globbed, isFile, isFolder, isGlob, kindOf, textOf } from './lookup.ts';
import { packageOf, pythonModule, scriptAt, scriptModule } from './modules.ts';
import { findsCode, type NamedCode, namedByOptions, namedByVariables } from './programs.ts';
import { type Ground, imported, joinReached, NOTHING_REACHED, part, type Reached, type Unknown, valueIn } from './reached.ts';
import { taskRun } from './task-runs.ts';

const MOST_NESTING = 6;
const TOP_OF_REPOSITORY = /\$\(\s*git rev-parse --show-toplevel[^)`]{0,60}\)|`\s*git rev-parse --show-toplevel[^)`]{0,60}`/g;
let nesting = 0;

/**
 * @param analysis The analysis of the text, if there is one already.
 * @param options The options with which the text was analysed.
 */
export function reachOfShell(text: string, ground: Ground, options: AnalyseOptions = {}, analysis?: Analysis): Reached {
  if (nesting >= MOST_NESTING) return NOTHING_REACHED;
  nesting++;
  try {
    // Hooks of a repository run in it, so its top is the project.
    const replaced = text.replaceAll(TOP_OF_REPOSITORY, ground.root);
    const { asked } = ground;
    const known = { ...options, variables: { ...ground.variables, ...options.variables }, ...(asked && { asked }) };
    return read(replaced, ground, known, replaced === text && analysis ? analysis : analyse(replaced, known));
  } finally {
    nesting--;
  }
}

function read(text: string, ground: Ground, options: AnalyseOptions, analysis: Analysis): Reached {
  const lookup = (path: string, cwd: string): readonly string[] => ground.resolve(path, below(ground.cwd, cwd));
  const first = analysis.commands.filter(isOpen);
  const files = first.length === 0 && !analysis.commands.some(readsList) ? undefined : filesRead(analysis.commands, lookup);
  const fed = files && findFed(text, files, options);
  const seen = fed?.analysis ?? analysis;
  const open = seen.commands.filter(isOpen);
  const unknown = open.map((command): Unknown => ({ what: wordsOf(command), why: whyOpen(command), line: command.line }));
  // Filters such as `sed` change the code on its way to the shell, so the files on the same line belong to it.
  const near = open.flatMap(({ line }) => [
    ...filesRead(
      analysis.commands.filter((one) => one.line === line && !isOpen(one)),
      lookup,
    ).values(),
  ]);
  const doubts = analysis.doubts.map(({ why, line }): Unknown => ({ what: 'the text', why, line }));
  const code = (fed?.code ?? []).map((one): FollowedFile => ({ ...one, cwd: ground.cwd }));
  const listed =
    fed === undefined || fed.lists.length === 0 ? [] : fed.analysis.runs.map((run) => ({ ...run, cwd: below(ground.cwd, run.cwd) }));
  const reached = seen.commands.filter(({ guessed }) => !guessed).map((command) => readCommand(command, ground));
  const all = joinReached([
    ...reached,
    { runs: [...code, ...listed, ...[...(fed?.lists ?? []), ...near].map(part)], unknown: [...unknown, ...doubts] },
  ]);
  return { runs: all.runs, unknown: distinct(all.unknown) };
}

function distinct(all: readonly Unknown[]): readonly Unknown[] {
  return [...new Map(all.map((one) => [`${one.line} ${one.what} ${one.why}`, one])).values()];
}

function readsList({ name }: EffectiveCommand): boolean {
  return name === 'xargs' || name === 'parallel';
}

/** Returns whether the program, or the code that a shell or an interpreter runs, is known only at run time. */
function isOpen({ name, argv, program, guessed }: EffectiveCommand): boolean {
  if (guessed) return false;
  const [first = ''] = argv;
  if (isDynamic(first) && staticFolder(first) === undefined) return true;
  if (name === 'eval') return isOpaque(argv.slice(1).join(' '));
  if (name === 'source' || name === '.') return isDynamic(argv[1] ?? '') && staticFolder(argv[1] ?? '') === undefined;
  if (program === undefined) return false;
  if (program.from === 'file')
    return program.text === undefined && isDynamic(program.path ?? '') && staticFolder(program.path ?? '') === undefined;
  return program.text !== undefined && program.text !== '' && isOpaque(program.text);
}

function whyOpen({ name, argv, program }: EffectiveCommand): string {
  if (isDynamic(argv[0] ?? '')) return 'the program is known only at run time';
  if (program?.from === 'file' || name === 'source' || name === '.') return 'the file is known only at run time';
  return 'the code is known only at run time';
}

function wordsOf({ argv, feeder }: EffectiveCommand): string {
  return printable(`${feeder === '' ? '' : `${feeder} … | `}${argv.join(' ')}`)
    .replace(/\s+/g, ' ')
    .slice(0, 200);
}

/** Returns the folder that a path with an unknown part is in: the part before it. Undefined: nothing of it is known. */
function staticFolder(path: string): string | undefined {
  const at = path.search(/[\uE000-\uE00F]/);
  const folder = path
    .slice(0, at)
    .replace(/[^/]*$/, '')
    .replace(/\/$/, '');
  return folder === '' || /^(\.|\.\.|~|\/)$/.test(folder) ? undefined : folder;
}

function readCommand(command: EffectiveCommand, ground: Ground): Reached {
  const { name, argv, line } = command;
  const cwd = below(ground.cwd, command.cwd);
  const here: Here = { command, ground, cwd, env: { ...ground.env, ...command.env }, find: (path) => ground.resolve(path, cwd) };
  const finds: Unknown[] = findsCode(name, argv)
    ? [{ what: wordsOf(command), why: `\`${name}\` runs code of the project that its words do not name`, line }]
    : [];
  return joinReached([
    patterns(here),
    { runs: [...folders(here), ...options(here)], unknown: finds },
    searched(here),
    modules(here),
    inline(here),
    taskRun(command, { cwd, line, find: here.find, root: ground.root }),
  ]);
}

interface Here {
  readonly command: EffectiveCommand;
  readonly ground: Ground;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  find(path: string): readonly string[];
}

type NamedFile = Pick<FollowedFile, 'path' | 'how' | 'language'>;

/** The names of files that the command runs, with the way in which it runs them. */
function namedFiles({ command: { name, argv, program } }: Here): readonly NamedFile[] {
  const language = languageRunBy(name);
  const files: NamedFile[] = [{ path: argv[0] ?? '', how: 'itself' }];
  if (name === 'source' || name === '.') files.push({ path: argv[1] ?? '', how: 'source' });
  if (program?.from === 'file' && program.path !== undefined)
    files.push({ path: program.path, how: program.language === 'shell' ? 'shell' : 'interpreter', ...(language && { language }) });
  // A shell or an interpreter that several files are given to runs one after the other, as `xargs` and `find` do.
  if (program?.from === 'file' && argv.some(isGlob))
    files.push(
      ...argv
        .slice(1)
        .filter(isGlob)
        .map((path) => ({ path, how: 'shell' as const })),
    );
  return files;
}

/** Globs stand for all files that match, and a path that is known in part for every file of its folder. */
function patterns(here: Here): Reached {
  const { command, cwd, find } = here;
  const unknown: Unknown[] = [];
  const runs = namedFiles(here).flatMap(({ path, ...more }): readonly FollowedFile[] => {
    const folder = isDynamic(path)
      ? find(staticFolder(path) ?? '')
          .filter(isFolder)
          .slice(0, 1)
      : [];
    for (const within of folder.filter(() => !path.includes(FED)))
      unknown.push({ what: wordsOf(command), why: 'the file is known only at run time', line: command.line, within });
    if (isDynamic(path)) return folder.map((one) => ({ path: one, cwd: '', how: 'folder' }));
    if (!isGlob(path)) return withArguments({ path, cwd, ...more }, here);
    const found = find(path).map(globbed);
    if (found.some(({ isWhole }) => !isWhole))
      unknown.push({ what: wordsOf(command), why: 'the pattern stands for too many files', line: command.line });
    return found
      .flatMap(({ paths }) => paths)
      .map((one) => (kindOf(one) === 'file' ? { path: one, cwd, ...more } : { path: one, cwd: '', how: 'folder' }));
  });
  return { runs, unknown };
}

/** Passes the words of a command on, because a script can run its own arguments. */
function withArguments(run: FollowedFile, { command: { argv }, find }: Here): readonly FollowedFile[] {
  if (!run.path.includes('/') && run.how === 'itself') return [];
  const words = argv.slice(1).filter((word) => word !== run.path && !word.startsWith('-') && !isDynamic(word) && word.length < 400);
  const args = words.flatMap((word) => find(word).find(isFile) ?? []);
  return args.length === 0 && run.language === undefined ? [] : [{ ...run, ...(args.length > 0 && { args }) }];
}

/** An interpreter that is given a folder starts a file in it. */
function folders(here: Here): readonly FollowedFile[] {
  const { command, find, ground } = here;
  const operands = operandsOf(command);
  return operands.slice(0, 1).flatMap((path): readonly FollowedFile[] => {
    const language = languageRunBy(command.name);
    const places = find(path);
    if (language === 'js')
      return places.some(isFile) ? linked(places, ground) : (places.map(scriptAt).find((found) => found.length > 0) ?? []);
    const folder = places.find(isFolder);
    if (folder === undefined) return [];
    if (language === 'python') return isFile(join(folder, '__main__.py')) ? [imported(join(folder, '__main__.py'))] : [];
    return [{ path: folder, cwd: '', how: 'folder' }];
  });
}

/** A program of an installed package brings the package. */
function linked(places: readonly string[], { root }: Ground): readonly FollowedFile[] {
  const folder = places.filter(isFile).flatMap((path) => packageOf(path) ?? [])[0];
  return folder !== undefined && isBelow(folder, root) ? [{ path: folder, cwd: '', how: 'package' }] : [];
}

function operandsOf({ name, argv, program }: EffectiveCommand): readonly string[] {
  if (name === 'run-parts') return argv.slice(1).filter((word) => !word.startsWith('-') && !isDynamic(word));
  return program?.from === 'file' && program.path !== undefined && !isDynamic(program.path) ? [program.path] : [];
}

function options(here: Here): readonly FollowedFile[] {
  const { command, env, find, ground, cwd } = here;
  const named = [...namedByOptions(command.name, command.argv), ...namedByVariables((one) => valueIn(env, one, ground))];
  return named.flatMap(({ path, isModule }: NamedCode): readonly FollowedFile[] => {
    if (path === '' || isDynamic(path)) return [];
    const places = find(path);
    const file = (isModule ? find(`${path}.rb`).find(isFile) : undefined) ?? places.find(isFile);
    const how = /^[gmn]?awk$|^g?sed$|jq$|vim?$/.test(command.name) ? 'part' : 'script';
    const language = languageRunBy(command.name);
    if (file !== undefined) return [language ? imported(file, language) : { path: file, cwd, how }];
    const folder = places.find(isFolder);
    if (!isModule) return folder === undefined || folder === ground.root ? [] : [{ path: folder, cwd: '', how: 'folder' }];
    const base = find('.')[0] ?? ground.root;
    return scriptModule(path, base, ground.root);
  });
}

/** A program without a path is searched in the folders of `PATH`, of which some can belong to the project. */
function searched({ command, env, find, ground }: Here): Reached {
  const { argv, line, via } = command;
  const [word = ''] = argv;
  if (word === '' || word.includes('/') || isDynamic(word)) return NOTHING_REACHED;
  const entries = valueIn(env, 'PATH', ground).split(/[:\n]/).filter(Boolean);
  const base = find('.')[0] ?? ground.root;
  const isRunner = via.some((one) => /^(npx|bunx|pnpx|npm|pnpm|yarn|bun)$/.test(one));
  const bins = isRunner ? foldersUpTo(base, ground.root).map((folder) => join(folder, 'node_modules', '.bin')) : [];
  const places = [...bins, ...entries.filter((one) => !isDynamic(one)).flatMap((one) => find(one))];
  const found = places
    .filter((folder) => isBelow(folder, ground.root))
    .map((folder) => join(folder, word))
    .find(isFile);
  const unknown = entries
    .filter(isDynamic)
    .map((one): Unknown => ({ what: `PATH=${printable(one)}`, why: 'the folder is known only at run time', line }));
  if (found === undefined) return { runs: [], unknown: isShellWord(word) ? [] : unknown };
  const owner = packageOf(found) ?? launchedBy(found);
  return {
    runs: [
      owner === undefined ? { path: found, cwd: '', how: 'itself' } : part(found),
      ...(owner === undefined ? [] : [{ path: owner, cwd: '', how: 'package' } as const]),
    ],
    unknown,
  };
}

/** Words of the shell, and programs so common that a folder of the search path hardly replaces them by accident. */
function isShellWord(word: string): boolean {
  return /^(\.|:|\[|alias|break|builtin|cd|command|continue|declare|echo|eval|exec|exit|export|false|hash|let|local|printf|pwd|read|readonly|return|set|shift|source|test|trap|true|type|typeset|ulimit|umask|unset|wait)$/.test(
    word,
  );
}

/** Returns the package behind a launcher in `node_modules/.bin` that is a script and no link. */
function launchedBy(path: string): string | undefined {
  const target = /[\\/]\.bin[\\/]/.test(path) ? /\$basedir\/([^"'\s]+)/.exec(textOf(path) ?? '')?.[1] : undefined;
  return target === undefined ? undefined : packageOf(join(dirname(path), target));
}

function modules({ command: { name, argv }, env, find, ground }: Here): Reached {
  const at = argv.findIndex((word, i) => i > 0 && /^-\w*m/.test(word) && languageRunBy(name) === 'python');
  if (at > 0) {
    const module = /^-\w*m(.+)$/.exec(argv[at] ?? '')?.[1] ?? argv[at + 1] ?? '';
    const path = valueIn(env, 'PYTHONPATH', ground).split(':').filter(Boolean).flatMap(find);
    return { runs: (pythonModule(module, [...find('.'), ...path], true) ?? []).map((path) => imported(path)), unknown: [] };
  }
  if (!/^perl[\d.]*$/.test(name)) return NOTHING_REACHED;
  const places = [
    ...argv.flatMap((word, i) => (/^-I./.test(word) ? [word.slice(2)] : argv[i - 1] === '-I' ? [word] : [])),
    ...valueIn(env, 'PERL5LIB', ground).split(':'),
  ]
    .filter(Boolean)
    .flatMap(find);
  const wanted = argv.flatMap((word) => /^-[mM]-?([\w:]+)/.exec(word)?.[1] ?? []);
  const files = wanted.flatMap((one) => places.map((folder) => join(folder, `${one.replaceAll('::', '/')}.pm`)).find(isFile) ?? []);
  return { runs: files.map((path) => imported(path)), unknown: [] };
}

/** Code in another language that is in the command itself. */
function inline({ command: { name, program, line }, ground, cwd, env }: Here): Reached {
  if (!isForeign(program) || program.from === 'file' || isOpaque(program.text)) return NOTHING_REACHED;
  const language = languageRunBy(name);
  if (language === undefined) return NOTHING_REACHED;
  const { file: _, ...place } = ground;
  const reached = reachOfCode(program.text, language, { ...place, cwd, env }, reachOfShell);
  return { runs: reached.runs, unknown: reached.unknown.map((one) => ({ ...one, line })) };
}
