/**
 * Tools that run commands from a file in their folder: makefiles, task files, scripts of a package, and the configuration of build and test
 * tools. If the analysed text has written such a file, its commands are followed.
 */
import { atMost } from '../../limits.ts';
import type { WrittenFiles } from '../flow/written.ts';
import { isDynamic, isOpaque, REMOTE } from '../marks.ts';
import { isTestFile, runsTests, type ToolWithFiles, toolWithFiles } from './tools-with-files.ts';

/** How the commands are found in a file. `code`: the file is a program of this interpreter. */
type Format = 'make' | 'ssh' | 'editor' | 'lines' | 'package' | 'source' | { readonly code: string };

interface Runner {
  readonly tool: ToolWithFiles;
  /** The files that the tool looks for, with their formats. */
  readonly files: Readonly<Record<string, Format>>;
  /** The option that names another file. */
  readonly option?: RegExp;
  /** Operands that name the file. */
  readonly operand?: RegExp;
  /** The option that has the content itself. */
  readonly inline?: RegExp;
  readonly format: Format;
}

const PYTHON: Format = { code: 'python3' };
const JS: Format = { code: 'node' };
const RUBY: Format = { code: 'ruby' };
const BUNDLERS =
  'vite.config vitest.config jest.config webpack.config rollup.config next.config playwright.config cypress.config babel.config tailwind.config postcss.config eslint.config prettier.config svelte.config astro.config nuxt.config karma.conf gulpfile Gruntfile metro.config remix.config .eslintrc .mocharc tsup.config esbuild.config';
const CONFIGS: Readonly<Record<string, Format>> = Object.fromEntries(
  BUNDLERS.split(' ').flatMap((name) => ['js', 'cjs', 'mjs', 'ts', 'mts'].map((ending) => [`${name}.${ending}`, JS])),
);

const RUNNERS: readonly Runner[] = [
  {
    tool: 'make',
    files: { Makefile: 'make', makefile: 'make', GNUmakefile: 'make' },
    option: /^(?:-f|--file|--makefile)$/,
    inline: /^(?:--eval|-E)$/,
    format: 'make',
  },
  { tool: 'ssh', files: {}, option: /^-F$/, format: 'ssh' },
  { tool: 'editors', files: {}, option: /^(?:-[xsSu]|--command|--source|-source)$/, format: 'editor' },
  {
    tool: 'just',
    files: { justfile: 'lines', Justfile: 'lines', '.justfile': 'lines' },
    option: /^(?:-f|--justfile)$/,
    format: 'lines',
  },
  {
    tool: 'task',
    files: { 'Taskfile.yml': 'lines', 'Taskfile.yaml': 'lines', 'taskfile.yml': 'lines' },
    option: /^(?:-t|--taskfile)$/,
    format: 'lines',
  },
  {
    tool: 'packages',
    files: { 'package.json': 'package', 'deno.json': 'package', 'deno.jsonc': 'package', ...CONFIGS },
    format: 'package',
  },
  {
    tool: 'bundlers',
    files: CONFIGS,
    option: /^(?:-c|--config|--gulpfile)$/,
    format: JS,
  },
  {
    tool: 'python',
    files: {
      'setup.py': PYTHON,
      'conftest.py': PYTHON,
      'noxfile.py': PYTHON,
      'tests/conftest.py': PYTHON,
      'test/conftest.py': PYTHON,
      'sitecustomize.py': PYTHON,
      'usercustomize.py': PYTHON,
      'tox.ini': 'lines',
      'hatch_build.py': PYTHON,
      'build.py': PYTHON,
    },
    format: PYTHON,
  },
  {
    tool: 'ruby',
    files: {
      Rakefile: RUBY,
      rakefile: RUBY,
      Gemfile: RUBY,
      Capfile: RUBY,
      Guardfile: RUBY,
      Thorfile: RUBY,
      Vagrantfile: RUBY,
      Podfile: RUBY,
      'fastlane/Fastfile': RUBY,
      'spec/spec_helper.rb': RUBY,
      '.rspec': 'lines',
    },
    format: RUBY,
  },
  {
    tool: 'cargo',
    files: { 'build.rs': 'source', 'src/main.rs': 'source', '.cargo/config.toml': 'lines', '.cargo/config': 'lines' },
    format: 'source',
  },
  { tool: 'go', files: { 'main.go': 'source' }, format: 'source' },
  {
    tool: 'compilers',
    files: {},
    format: 'source',
  },
  { tool: 'composer', files: { 'composer.json': 'package' }, format: 'package' },
  { tool: 'invoke', files: { 'tasks.py': PYTHON, 'fabfile.py': PYTHON }, format: PYTHON },
  { tool: 'cmake', files: { 'CMakeLists.txt': 'lines' }, option: /^-P$/, format: 'lines' },
  {
    tool: 'builds',
    files: {
      'build.gradle': 'source',
      'build.gradle.kts': 'source',
      'build.xml': 'lines',
      'pom.xml': 'lines',
      SConstruct: PYTHON,
      'build.sbt': 'source',
      'meson.build': 'lines',
      'build.ninja': 'lines',
      'project.clj': 'source',
    },
    format: 'source',
  },
  { tool: 'elixir', files: { 'mix.exs': 'source', '.iex.exs': 'source' }, format: 'source' },
  {
    tool: 'commitHooks',
    files: { '.pre-commit-config.yaml': 'lines', 'lefthook.yml': 'lines', '.husky/pre-commit': 'lines' },
    format: 'lines',
  },
  {
    tool: 'git',
    files: {
      '.git/hooks/pre-commit': 'lines',
      '.git/hooks/post-checkout': 'lines',
      '.git/hooks/pre-push': 'lines',
      '.git/hooks/commit-msg': 'lines',
      '.husky/pre-commit': 'lines',
    },
    format: 'lines',
  },
  {
    tool: 'processes',
    files: {
      Procfile: 'lines',
      '.envrc': 'lines',
      Snakefile: 'lines',
      'dvc.yaml': 'lines',
      Earthfile: 'lines',
      'maskfile.md': 'lines',
      Tiltfile: 'lines',
      'playbook.yml': 'lines',
      'mprocs.yaml': 'lines',
    },
    operand: /\.ya?ml$/i,
    format: 'lines',
  },
];
const SOURCE = /\.(?:c|cc|cpp|cxx|m|rs|go|nim|zig|cr|v|d|ml|swift|kt|kts|scala|java|cs|hs|ts|pas|f90|dart|ex|exs|gradle|sbt)$/i;
/** The formats of tests that a test runner finds by their names. */
const TEST_FORMATS: readonly (readonly [RegExp, Format])[] = [
  [/\.py$/, PYTHON],
  [/\.[cm]?[jt]sx?$/, JS],
  [/\.rb$/, RUBY],
  [/\.(?:go|rs|exs|java|kt|cs|swift)$/, 'source'],
];
const EDITORS = /^(?:ed|ex|vi|vim|nvim|emacs|gdb|lldb)$/;
const MOST_COMMANDS = 128;

/** Shell code in a file that a tool runs. Without a path, the code is in an option or the input of the tool. */
export interface TaskCode {
  readonly code: string;
  readonly file?: { readonly path: string; readonly text: string };
}

export interface RunFile {
  /** Shell code that the tool runs for sure. */
  readonly code: readonly TaskCode[];
  /** Lines that are probably shell code. */
  readonly guesses: readonly TaskCode[];
  /** Programs in another language, with the interpreter that runs them. */
  readonly argvs: readonly (readonly string[])[];
  /** Sources of a program, with the tool that compiles them. */
  readonly sources: readonly TaskCode[];
}

/** Returns the commands in the files that a tool runs. Undefined: it is no such tool, or no such file is known. */
export function ranByTool(name: string, argv: readonly string[], stdin: string, files: WrittenFiles): RunFile | undefined {
  // An editor runs the commands that it reads.
  if (EDITORS.test(name) && stdin.includes(REMOTE)) return { code: [{ code: REMOTE }], guesses: [], argvs: [], sources: [] };
  const running = toolWithFiles(name, argv);
  const runner = running === undefined ? undefined : RUNNERS.find(({ tool }) => tool === running);
  if (runner === undefined) return undefined;
  const found: { code: TaskCode[]; guesses: TaskCode[]; argvs: string[][]; sources: TaskCode[] } = {
    code: [],
    guesses: [],
    argvs: [],
    sources: [],
  };
  const add = (path: string, text: string, format: Format): void => {
    const inFile = (codes: readonly string[]): readonly TaskCode[] =>
      codes.map((code) => (path === '-' ? { code } : { code, file: { path, text } }));
    if (isOpaque(text)) found.code.push({ code: text });
    else if (format === 'make') found.code.push(...inFile(makeCode(text)));
    else if (format === 'ssh') found.code.push(...inFile(sshCode(text)));
    else if (format === 'editor') found.code.push(...inFile(editorCode(text)));
    else if (format === 'package') found.code.push(...inFile(packageScripts(text)));
    else if (format === 'source') found.sources.push(...inFile([text]));
    else if (format === 'lines') found.guesses.push(...inFile(commandLines(text)));
    else found.argvs.push([format.code, path]);
  };
  for (const { path, format } of filesOf(runner, argv)) {
    const text = path === '-' || path === '/dev/stdin' ? stdin : files.get(path);
    if (text !== undefined) add(path, text, format);
  }
  if (runsTests(name, argv))
    for (const [path, text] of files.all()) {
      const format = isTestFile(path) ? TEST_FORMATS.find(([ending]) => ending.test(path))?.[1] : undefined;
      if (format !== undefined && files.has(path)) add(path, text, format);
    }
  for (const text of inlineTexts(runner, argv)) add('-', text, runner.format);
  const { code, guesses, argvs, sources } = found;
  if (code.length + guesses.length + argvs.length + sources.length === 0) return undefined;
  return {
    code: atMost(code, MOST_COMMANDS, 'the commands of a build'),
    guesses: atMost(guesses, MOST_COMMANDS, 'the commands of a build'),
    argvs,
    sources,
  };
}

/** Returns the paths of the files that a tool may run. */
export function filesOfTool(name: string, argv: readonly string[]): readonly string[] {
  const running = toolWithFiles(name, argv);
  const runner = running === undefined ? undefined : RUNNERS.find(({ tool }) => tool === running);
  return runner === undefined ? [] : filesOf(runner, argv).map(({ path }) => path);
}

function filesOf(
  { files, option, operand, format }: Runner,
  argv: readonly string[],
): readonly { readonly path: string; readonly format: Format }[] {
  const named = argv.flatMap((word, i) => {
    const [name = '', value] = word.startsWith('--') ? word.split(/=(.*)/s) : [word];
    if (option?.test(name)) return [value ?? argv[i + 1] ?? ''];
    return i > 0 && (operand?.test(word) || (format === 'source' && (SOURCE.test(word) || word === '-'))) ? [word] : [];
  });
  const at = argv.findIndex((word) => /^(?:-C|--directory|--prefix|--cwd)$/.test(word));
  const folder = at === -1 ? '' : `${(argv[at + 1] ?? '.').replace(/\/$/, '')}/`;
  const usual =
    named.length > 0 && format !== 'source' ? [] : Object.entries(files).map(([path, one]) => ({ path: folder + path, format: one }));
  return [...named.map((path) => ({ path, format })), ...usual];
}

function inlineTexts({ inline }: Runner, argv: readonly string[]): readonly string[] {
  if (inline === undefined) return [];
  return argv.flatMap((word, i) => {
    const [name = '', value] = word.split(/=(.*)/s);
    return inline.test(name) ? [value ?? argv[i + 1] ?? ''] : [];
  });
}

/** Returns the shell code of a makefile: its recipes, `$(shell …)` and `!=`. */
function makeCode(text: string): readonly string[] {
  const recipes = text.split('\n').flatMap((line) => {
    if (line.startsWith('\t')) return [line.slice(1)];
    const inline = /^[^\s#=][^=\n]*?::?(?!=)[^;\n]*;(.*)$/.exec(line)?.[1];
    const shelled = /^\s*[\w.-]+\s*!=\s*(.+)$/.exec(line)?.[1];
    return [...(inline === undefined ? [] : [inline]), ...(shelled === undefined ? [] : [shelled])];
  });
  const called = Array.from(text.matchAll(/\$[({](?:shell|file)\s+([^)}\n]+)/g), (match) => match[1] ?? '');
  const values = new Map(Array.from(text.matchAll(/^(\w+)\s*[:?+]?:?=\s*(.*)$/gm), (match) => [match[1] ?? '', match[2] ?? '']));
  const filled = (line: string): string => line.replace(/(?<!\$)\$[({](\w+)[)}]/g, (_, name: string) => values.get(name) ?? `\${${name}}`);
  return [...recipes, ...called].map((line) => filled(filled(line.replace(/^[@+\- ]+/, ''))).replaceAll('$$', '$'));
}

/** Returns the commands in a configuration of ssh. */
function sshCode(text: string): readonly string[] {
  return Array.from(
    text.matchAll(/^\s*(?:(?:ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand)\s*=?\s*|Match\s+.*\bexec\s+)(.+)$/gim),
    (match) => (match[1] ?? '').replace(/^"(.*)"$/, '$1'),
  );
}

/** Returns the shell code in a script of an editor or a debugger. */
function editorCode(text: string): readonly string[] {
  return Array.from(
    text.matchAll(/^[ \t]*:*(?:sil\w*!?[ \t]+)?(?:exe\w*[ \t]+["'])?(?:!|(?:platform[ \t]+)?shell[ \t])[ \t]*(.+)$/gm),
    (match) => match[1] ?? '',
  );
}

/** Returns the scripts of a package. A text that is no JSON is searched for them. */
function packageScripts(text: string): readonly string[] {
  try {
    const { scripts, tasks }: { scripts?: unknown; tasks?: unknown } = JSON.parse(text);
    return Object.values(scripts ?? tasks ?? {})
      .flatMap((script: unknown) => (Array.isArray(script) ? script : [script]))
      .filter((script) => typeof script === 'string');
  } catch {
    return scriptsIn(text);
  }
}

function scriptsIn(text: string): readonly string[] {
  // A part of a file that an editor inserts has the scripts alone.
  const scripts = /"(?:scripts|tasks)"\s*:\s*\{([\s\S]*?)\}/.exec(text)?.[1] ?? (text.includes('"scripts"') ? '' : text);
  return Array.from(scripts.matchAll(/:\s*\[?\s*"((?:[^"\\]|\\.)*)"/g), (match) => (match[1] ?? '').replace(/\\(["\\/])/g, '$1'));
}

/** Returns the lines of a task file without the marks of its format, and the texts in quotes. */
function commandLines(text: string): readonly string[] {
  const quoted = Array.from(text.matchAll(/'([^'\n]{4,400})'|"([^"\n]{4,400})"/g), (match) => match[1] ?? match[2] ?? '');
  // `execute_process(COMMAND …)` of cmake.
  const named = Array.from(text.matchAll(/\bCOMMAND\s+([^()\n]{4,400})/g), (match) => (match[1] ?? '').replace(/\$ENV\{/g, '${'));
  const listed = Array.from(text.matchAll(/:\s*\[([^\]\n"']{4,400})\]/g), (match) => (match[1] ?? '').split(/,\s+/)).flat();
  // The module `file` of a playbook deletes what shall be absent.
  const absent = Array.from(
    text.matchAll(/\b(?:path|dest|name)["']?\s*[:=]\s*["']?([/~][^\s"',}]*)["']?[\s,]+state["']?\s*[:=]\s*["']?absent\b/g),
    (match) => `rm -rf ${match[1]}`,
  );
  const lines = text.split('\n').map((line) =>
    line
      .replace(/^\s*(?:[-*]\s+)?(?:[\w.-]+\s*:\s*(?:;\s*)?|[\w.-]+\s*=\s*)?/, '')
      .replace(/^[@+\-|>&"'[{ ]+/, '')
      .trim(),
  );
  return [...lines.filter((line) => !line.startsWith('COMMAND ')), ...listed, ...quoted, ...named, ...absent].filter(
    (line) => /^[\w./~$-]+\s+\S/.test(line) && !isDynamic(line.slice(0, 1)),
  );
}
