/** The tools that run commands from a file in their folder, by name. Apart from the files, because every command is compared with the names. */
import { lazily } from '../../lazily.ts';
import { namesIn, unversioned } from '../names.ts';

const TOOLS = {
  make: 'make gmake bmake pmake remake',
  ssh: 'ssh scp sftp autossh slogin',
  editors: 'vi vim nvim ex gdb lldb',
  just: 'just',
  task: 'task go-task',
  packages: 'npm pnpm yarn bun npx lerna turbo nx deno',
  bundlers: 'vite vitest jest webpack rollup next playwright cypress eslint prettier gulp grunt karma mocha tsup astro nuxt',
  python: 'pip pip3 python uv poetry pipx tox nox pytest py.test hatch build twine',
  ruby: 'rake bundle cap guard thor rails rspec vagrant pod fastlane jekyll',
  cargo: 'cargo',
  go: 'go',
  compilers:
    'gcc cc clang tcc g++ c++ clang++ rustc nim zig crystal v dmd ocaml ocamlfind ocamlopt swiftc swift kotlinc scala scalac javac java csc mcs dotnet ghc runghc tsc fpc gfortran dart',
  composer: 'composer',
  invoke: 'invoke inv fab',
  cmake: 'cmake ctest',
  builds: 'gradle gradlew mvn ant bazel buck buck2 scons meson ninja sbt mill lein',
  elixir: 'mix elixir iex',
  commitHooks: 'pre-commit lefthook husky overcommit',
  git: 'git',
  processes:
    'foreman honcho overmind hivemind mprocs process-compose docker-compose earthly act dagger mage dvc snakemake nextflow procfile mask xc tusk run ops moon ansible-playbook packer direnv tilt tmuxinator tmuxp tmux screen crontab at supervisord monit systemd-run entr',
} as const;

export type ToolWithFiles = keyof typeof TOOLS;

/** The words with which a tool runs its file, where it has other work too. */
const WORDS: Partial<Record<ToolWithFiles, RegExp>> = {
  python: /(?:^| )(?:install|wheel|develop|test|build|sync|run|pip|download)\b|^(?:pytest|py\.test|tox|nox|hatch)|-m (?:pytest|build|pip)/,
  git: /^(?:commit|push|checkout|merge|rebase|switch)\b/,
};
const NAMED = lazily(
  () => new Map(Object.entries(TOOLS).flatMap(([tool, names]) => names.split(' ').map((name) => [name, tool as ToolWithFiles]))),
);
/** Tools that run their file without a word. */
const WORDLESS = namesIn('pytest py.test tox nox hatch');
/** Tools that can get the content of their file in an option or as their input. */
const TAKES_CONTENT: ReadonlySet<ToolWithFiles> = new Set(['make', 'ssh', 'just', 'task', 'bundlers', 'cmake', 'compilers']);
const EDITORS = namesIn('ed ex vi vim nvim emacs gdb lldb');

/** Returns the tool that a command starts, if it runs a file in its folder. */
export function toolWithFiles(name: string, argv: readonly string[]): ToolWithFiles | undefined {
  const tool = toolNamed(name);
  const words = tool === undefined ? undefined : WORDS[tool];
  return words === undefined || words.test(`${WORDLESS.has(name) ? name : ''}${argv.slice(1).join(' ')}`) ? tool : undefined;
}

/** Returns whether a tool can get the content of its file in an option or as its input. */
export function takesContent(name: string): boolean {
  const tool = toolNamed(name);
  return tool === undefined ? EDITORS.has(name) : TAKES_CONTENT.has(tool);
}

function toolNamed(name: string): ToolWithFiles | undefined {
  return NAMED().get(name) ?? (name.startsWith('python') && unversioned(name) === 'python' ? 'python' : undefined);
}

/** Programs that run the tests of a project, alone or with the word `test`. */
const TESTERS = /^(?:pytest|py\.test|vitest|jest|mocha|ava|tap|rspec|phpunit|playwright|cypress|nox|tox)$/;
const TEST_WORDS = /^(?:--test|tests?(?::.*)?)$/;
const HAVE_TESTS = /^(?:npm|pnpm|yarn|bun|deno|node|go|cargo|make|just|task|rake|rails|mix|dotnet|gradlew?|mvnw?|python[\d.]*|uv)$/;
const TEST_FILE = /(?:^|[._-])(?:tests?|specs?)(?:[._-]|$)/i;

/** Returns whether a command runs the tests of a project. */
export function runsTests(name: string, argv: readonly string[]): boolean {
  return TESTERS.test(name) || (HAVE_TESTS.test(name) && argv.some((word) => TEST_WORDS.test(word) || word === 'pytest'));
}

/** Returns whether a test runner looks for a file with such a name. */
export function isTestFile(path: string): boolean {
  return TEST_FILE.test(path.slice(path.lastIndexOf('/') + 1));
}
