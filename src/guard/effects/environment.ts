/** Variables that make a program load or find foreign code, and programs that a command takes from a variable or an option. */
import type { EffectiveCommand } from '../shell/machine.ts';
import { isDynamic, printable } from '../shell/marks.ts';
import { BUILTINS } from '../shell/walk/builtins.ts';
import { type Effect, type EffectReader, effect } from './effect.ts';

const LOADS =
  /^(?:BASH_ENV|LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|PERL5DB|DOTNET_STARTUP_HOOKS|CORECLR_PROFILER_PATH|GCONV_PATH|PYTHONSTARTUP|ZDOTDIR|NODE_REPL_EXTERNAL_MODULE|R_PROFILE|R_PROFILE_USER|OPENSSL_CONF|OPENSSL_ENGINES|GTK_MODULES|GIO_EXTRA_MODULES|PYTEST_PLUGINS|GIT_CONFIG_GLOBAL|GIT_CONFIG_SYSTEM)$/;
/** Variables with options, and the options that load code. */
const JAVA = /-javaagent|-agentpath|-agentlib|-XX:On/;
const OPTIONS: Readonly<Record<string, RegExp>> = {
  NODE_OPTIONS: /(?:^|\s)(?:--require|-r|--import|--loader|--experimental-loader|--eval|-e)\b/,
  npm_config_node_options: /--require|--import|--loader|--eval/,
  BUN_OPTIONS: /--preload|--eval/,
  RUBYOPT: /(?:^|\s)-(?:r|e|I)/,
  PERL5OPT: /(?:^|\s)-(?:M|m|d|I)/,
  JAVA_TOOL_OPTIONS: JAVA,
  _JAVA_OPTIONS: JAVA,
  JDK_JAVA_OPTIONS: JAVA,
  MAVEN_OPTS: JAVA,
  GRADLE_OPTS: JAVA,
  SBT_OPTS: JAVA,
  PHP_INI_SCAN_DIR: /^\/tmp|^\./,
  PHPRC: /^\/tmp|^\./,
  ELIXIR_ERL_OPTIONS: /-eval|-s\b/,
  PYTHONWARNINGS: /::\w+\.\w+/,
  PYTHONBREAKPOINT: /^(?!0$|pdb|ipdb|pudb|web_pdb|IPython)\S/,
  RIPGREP_CONFIG_PATH: /^\/(?:tmp|var\/tmp|dev\/shm)\//,
  WGETRC: /^\/(?:tmp|var\/tmp|dev\/shm)\//,
  PSQLRC: /^\/(?:tmp|var\/tmp|dev\/shm)\//,
};
/** Files that do not name a file, and switch the reading of one off. */
const NOWHERE = /^(?:|\/dev\/null)$/;
const FINDS = /^(?:LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|PATH|PYTHONPATH|PERL5LIB|RUBYLIB)$/;
/** Variables with the folders in which an interpreter looks for modules, before its own. */
const MODULES =
  /^(?:PYTHONPATH|PYTHONHOME|PYTHONUSERBASE|PERL5LIB|PERLLIB|RUBYLIB|GEM_PATH|GEM_HOME|NODE_PATH|LUA_C?PATH(?:_5_\d)?|TCLLIBPATH|GUILE_LOAD_PATH|CLASSPATH|R_LIBS(?:_USER)?|ERL_LIBS|JULIA_LOAD_PATH)$/;
const HERE_OR_TEMPORARY = /^(?:\.?:|\.$|\.\/?(?::|$)|\/tmp\b|\/dev\/shm)/;
const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|dev\/shm)(?:\/|$)/;

/**
 * `exec.library`: a variable that makes a program load or find foreign code. Facts: `variable`, `value`, `place` (system, dynamic, other).
 * `exec.modules`: an interpreter looks for modules in a temporary folder. Facts: `variable`, `folder`, `command`. `exec.shadow`: programs are looked for first in a folder that is not made for them. Facts: `folder`, `command`. `exec.carried`: a program
 * that another one takes from an option or a variable. Facts: `path`, `by`, `temporary`, `asks` (it receives a password).
 */
export const environment: EffectReader = (command) => {
  const { env, name, argv } = command;
  const effects: Effect[] = [];
  for (const variable in env) {
    const value = env[variable] ?? '';
    if (NOWHERE.test(value)) continue;
    const options = Object.hasOwn(OPTIONS, variable) ? OPTIONS[variable] : undefined;
    const loads = LOADS.test(variable) || options?.test(value) || (FINDS.test(variable) && HERE_OR_TEMPORARY.test(value));
    if (loads) effects.push(libraryEffect(variable, value));
    if (MODULES.test(variable)) effects.push(...modules(command, variable, value));
    if (variable === 'PATH') effects.push(...shadowed(command, value));
    if (variable === 'ENV' && isInteractiveShell(command)) effects.push(libraryEffect(variable, value));
  }
  const at = name === 'enable' ? argv.indexOf('-f') : -1;
  if (at !== -1) effects.push(libraryEffect('enable -f', argv[at + 1] ?? ''));
  return command.via.length === 0 ? effects : [...effects, ...carried(command)];
};

/** Interpreters, and tools that are written in their languages. */
const INTERPRETED =
  /^(?:python[\d.]*|pypy[\d.]*|ipython|pytest|py\.test|pip[\d.]*|uv|tox|nox|mypy|ruff|black|flask|django-admin|gunicorn|uvicorn|celery|jupyter|ansible[\w-]*|perl[\d.]*|prove|cpanm?|ruby[\d.]*|irb|rake|rspec|rails|bundle|gem|node|nodejs|npm|npx|pnpm|yarn|tsx|ts-node|jest|vitest|mocha|lua[\d.]*|luajit|tclsh[\d.]*|guile|java|groovy|kotlin|scala|R|Rscript|erl|elixir|iex|mix|julia)$/i;

/** Returns that modules of a temporary folder come before those of the interpreter. */
function modules({ name }: EffectiveCommand, variable: string, value: string): readonly Effect[] {
  if (!INTERPRETED.test(name)) return [];
  const folder = value.split(/[:;\n]/).find((path) => TEMPORARY.test(path) && !INSTALLED.test(path));
  return folder === undefined ? [] : [effect('exec.modules', { variable, folder: printable(folder.slice(0, 100)), command: name })];
}

/** Folders into which a package manager has put modules. */
const INSTALLED = /\/(?:site-packages|dist-packages|node_modules|venv|\.venv|gems)(?:\/|$)/;

function libraryEffect(variable: string, value: string): Effect {
  return effect('exec.library', { variable, value: printable(value.slice(0, 100)), place: placeOf(value) });
}

function placeOf(value: string): string {
  if (isDynamic(value.slice(0, 1))) return 'dynamic';
  return /^\/(usr|lib|lib64|opt|nix|etc)\//.test(value) ? 'system' : 'other';
}

/** A shell other than Bash reads the file of `ENV` if it is interactive. */
function isInteractiveShell({ name, program, argv }: EffectiveCommand): boolean {
  return program?.language === 'shell' && name !== 'bash' && argv.some((word, i) => i > 0 && /^-[a-z]*i/.test(word));
}

/** The last names of folders that are made for programs. */
const FOR_PROGRAMS = /^(?:s?bin|\.bin|shims|scripts?|tools?|libexec|cmd|current|go|exe|launchers?|wrappers)$/i;
const SYSTEM = /^\/(?:usr|bin|sbin|opt|nix|snap|lib\w*|Library|System|Applications|home\/linuxbrew)(?:\/|$)/;

/** A folder before those of the system that is not made for programs. */
function shadowed({ name, argv }: EffectiveCommand, value: string): readonly Effect[] {
  if (name === '' || argv[0]?.includes('/') || BUILTINS.has(name) || isDynamic(name)) return [];
  // A variable with several possible values has one line for each.
  const folder = value
    .split('\n')
    .map(oddFolder)
    .find((found) => found !== undefined);
  return folder === undefined ? [] : [effect('exec.shadow', { folder, command: name })];
}

function oddFolder(path: string): string | undefined {
  for (const written of path.split(':')) {
    const folder = written.replace(/(.)\/+$/, '$1');
    if (SYSTEM.test(folder)) return undefined;
    if (!isDynamic(folder) && !FOR_PROGRAMS.test(folder.slice(folder.lastIndexOf('/') + 1))) return folder || '.';
  }
  return undefined;
}

/** Tools that take a program from an option, and do not exist to run it. */
const TAKE_PROGRAMS: ReadonlySet<string> = new Set(
  'tar sort tcpdump wget scp sftp rsync split man zip rg ag fzf less git go cargo'.split(' '),
);

function carried({ via, argv, name }: EffectiveCommand): readonly Effect[] {
  const by = via.at(-1) ?? '';
  if (!by.endsWith('=') && !TAKE_PROGRAMS.has(by)) return [];
  const [path = name] = argv;
  return [effect('exec.carried', { path, by, temporary: TEMPORARY.test(path), asks: /ASK_?PASS=$/.test(by), place: placeOf(path) })];
}
