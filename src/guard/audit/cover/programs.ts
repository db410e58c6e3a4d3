/** Programs that run a second file, as data: the options that name it, the variables that name it, and programs that find code by themselves. */

/** Options whose value is a file of code, by the program. Short options have one letter. */
const CODE_OPTIONS: readonly {
  readonly names: RegExp;
  readonly short: string;
  readonly long: readonly string[];
  readonly modules?: true;
}[] = [
  {
    names: /^(node|nodejs|tsx|ts-node|bun|deno)$/,
    short: 'r',
    long: ['require', 'import', 'loader', 'experimental-loader', 'preload', 'env-file', 'config', 'import-map', 'snapshot-blob'],
    modules: true,
  },
  { names: /^ruby[\d.]*$/, short: 'r', long: [], modules: true },
  { names: /^g?sed$/, short: 'f', long: ['file'] },
  { names: /^[gmn]?awk$/, short: 'fil', long: ['file', 'include', 'load'] },
  { names: /^(jq|jaq|gojq)$/, short: 'f', long: ['from-file'] },
  { names: /^(expect|gnuplot|psql|sqlite3|mysql|tclsh|osascript)$/, short: 'f', long: ['file'] },
  { names: /^php[\d.]*$/, short: 'f', long: ['file'] },
  { names: /^(vim|vi|nvim|ex)$/, short: 'Su', long: [] },
  { names: /^(ba|z|k|da)?sh$/, short: '', long: ['rcfile', 'init-file'] },
  { names: /^(opa|conftest|semgrep|gitleaks|yara|ast-grep)$/, short: 'dpc', long: ['data', 'policy', 'config', 'rules'] },
];

export interface NamedCode {
  readonly path: string;
  /** Whether the name can be one of a module. */
  readonly isModule: boolean;
}

/** Returns the files of code that the options of a command name. */
export function namedByOptions(name: string, argv: readonly string[]): readonly NamedCode[] {
  const known = CODE_OPTIONS.find(({ names }) => names.test(name));
  if (!known) return [];
  const isModule = known.modules === true;
  return argv.flatMap((word, at) => {
    if (at === 0) return [];
    const [, long, given] = /^--([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (long !== undefined) return known.long.includes(long) ? [{ path: given ?? argv[at + 1] ?? '', isModule }] : [];
    const [, letters = '', rest = ''] = /^-([a-zA-Z])(.*)$/s.exec(word) ?? [];
    if (letters !== '' && known.short.includes(letters)) return [{ path: rest || (argv[at + 1] ?? ''), isModule }];
    // `sed -nf x`: the last of several letters takes the value.
    const last = /^-[a-zA-Z]+([a-zA-Z])$/.exec(word)?.[1];
    return last !== undefined && known.short.includes(last) && !isModule ? [{ path: argv[at + 1] ?? '', isModule }] : [];
  });
}

/** Returns the files that variables of the environment load into every program of their kind. */
export function namedByVariables(value: (name: string) => string): readonly NamedCode[] {
  const named: NamedCode[] = [];
  // Almost no hook sets one of them, and every command asks for all of them.
  for (const [variable, read] of CODE_VARIABLES) {
    const text = value(variable);
    if (text !== '') named.push(...read(text));
  }
  return named;
}

const options =
  (program: string) =>
  (text: string): readonly NamedCode[] =>
    namedByOptions(program, [program, ...words(text)]);

function paths(text: string): readonly NamedCode[] {
  return text
    .split(/[:\s]+/)
    .filter(Boolean)
    .map((path) => ({ path, isModule: false }));
}

function perlModules(text: string): readonly NamedCode[] {
  return [...text.matchAll(/-M([\w:]+)/g)].map(([, module = '']) => ({ path: `${module.replaceAll('::', '/')}.pm`, isModule: false }));
}

const CODE_VARIABLES: readonly (readonly [name: string, read: (text: string) => readonly NamedCode[]])[] = [
  ['NODE_OPTIONS', options('node')],
  ['BUN_OPTIONS', options('bun')],
  ['RUBYOPT', options('ruby')],
  ['BASH_ENV', paths],
  ['ENV', paths],
  ['PYTHONSTARTUP', paths],
  ['LD_PRELOAD', paths],
  ['LD_AUDIT', paths],
  ['DYLD_INSERT_LIBRARIES', paths],
  ['MAKEFILES', paths],
  ['GIT_EXTERNAL_DIFF', paths],
  ['PAGER', paths],
  ['EDITOR', paths],
  ['PERL5OPT', perlModules],
];

function words(text: string): readonly string[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
}

/** Programs that find code of the project by themselves: tests, builds, plugins and settings that are programs. */
const FINDERS =
  /^(pytest|py\.test|tox|nox|jest|vitest|mocha|ava|jasmine|karma|cypress|playwright|eslint|prettier|stylelint|tsc|tsup|webpack|vite|rollup|esbuild|babel|nx|turbo|lerna|lint-staged|husky|lefthook|pre-commit|gradle|gradlew|mvn|mvnw|ant|bazel|buck|cargo|dotnet|swift|mix|sbt|lein|stack|cabal|rspec|rubocop|phpunit|composer|ansible|ansible-playbook|terraform|tofu|pulumi|cmake|ctest|ninja|meson|bundle|rails|django-admin|mypy|pylint|flake8|nix-build|nix-shell|earthly|dagger|act|vagrant|packer)$/;
const FINDING_WORDS: Readonly<Record<string, RegExp>> = {
  go: /^(run|test|generate|build|vet|install|tool)$/,
  docker: /^(run|build|compose|exec|buildx)$/,
  podman: /^(run|build|compose|exec)$/,
  'docker-compose': /^/,
  npm: /^(install|i|ci|install-test|it|publish|pack|rebuild)$/,
  pnpm: /^(install|i|publish|rebuild)$/,
  yarn: /^(install|publish)$/,
  pip: /^install$/,
  pip3: /^install$/,
  deno: /^(test|bench|compile|check)$/,
  bun: /^(test|install|build)$/,
  node: /^--test/,
  git: /^(commit|merge|rebase|push|am)$/,
};

/** Returns whether a program runs code of the project that its words do not name. */
export function findsCode(name: string, argv: readonly string[]): boolean {
  if (argv.some((word) => /^(--version|--help|-V|-h)$/.test(word))) return false;
  if (FINDERS.test(name)) return true;
  const verbs = Object.hasOwn(FINDING_WORDS, name) ? FINDING_WORDS[name] : undefined;
  const verb = name === 'node' ? argv[1] : argv.slice(1).find((word) => !word.startsWith('-'));
  return verbs?.test(verb ?? '') ?? false;
}
