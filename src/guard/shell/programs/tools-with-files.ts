/** The tools that run commands from a file in their folder, by name. Apart from the files, because every command is compared with the names. */

const TOOLS = {
  make: /^(?:g|b|p|re)?make$/,
  ssh: /^(?:ssh|scp|sftp|autossh|slogin)$/,
  just: /^just$/,
  task: /^(?:task|go-task)$/,
  packages: /^(?:npm|pnpm|yarn|bun|npx|lerna|turbo|nx)$/,
  bundlers: /^(?:vite|vitest|jest|webpack|rollup|next|playwright|cypress|eslint|prettier|gulp|grunt|karma|mocha|tsup|astro|nuxt)$/,
  python: /^(?:pip3?|python[\d.]*|uv|poetry|pipx|tox|nox|pytest|py\.test|hatch|build|twine)$/,
  ruby: /^(?:rake|bundle|cap|guard|thor|rails|rspec|vagrant|pod|fastlane|jekyll)$/,
  cargo: /^cargo$/,
  go: /^go$/,
  compilers:
    /^(?:gcc|cc|clang|tcc|g\+\+|c\+\+|clang\+\+|rustc|nim|zig|crystal|v|dmd|ocaml|ocamlfind|ocamlopt|swiftc|swift|kotlinc|scala|scalac|javac|java|csc|mcs|dotnet|ghc|runghc|tsc|fpc|gfortran|dart)$/,
  composer: /^composer$/,
  invoke: /^(?:invoke|inv|fab)$/,
  cmake: /^(?:cmake|ctest)$/,
  builds: /^(?:gradle|gradlew|mvn|ant|bazel|buck2?|scons|meson|ninja|sbt|mill|lein)$/,
  elixir: /^(?:mix|elixir|iex)$/,
  commitHooks: /^(?:pre-commit|lefthook|husky|overcommit)$/,
  git: /^git$/,
  processes:
    /^(?:foreman|honcho|overmind|hivemind|mprocs|process-compose|docker-compose|earthly|act|dagger|mage|dvc|snakemake|nextflow|procfile|mask|xc|tusk|run|ops|moon|ansible-playbook|packer|direnv|tmuxinator|tmuxp|tmux|screen|crontab|at|supervisord|monit|systemd-run|entr)$/,
} as const;

export type ToolWithFiles = keyof typeof TOOLS;

/** The words with which a tool runs its file, where it has other work too. */
const WORDS: Partial<Record<ToolWithFiles, RegExp>> = {
  python: /(?:^| )(?:install|wheel|develop|test|build|sync|run|pip|download)\b|^(?:pytest|py\.test|tox|nox|hatch)|-m (?:pytest|build|pip)/,
  git: /^(?:commit|push|checkout|merge|rebase|switch)\b/,
};
const NAMED = Object.entries(TOOLS) as [ToolWithFiles, RegExp][];
/** Tools that run their file without a word. */
const WORDLESS = /^(?:pytest|py\.test|tox|nox|hatch)$/;

/** Returns the tool that a command starts, if it runs a file in its folder. */
export function toolWithFiles(name: string, argv: readonly string[]): ToolWithFiles | undefined {
  const [tool] = NAMED.find(([, names]) => names.test(name)) ?? [];
  const words = tool === undefined ? undefined : WORDS[tool];
  return words === undefined || words.test(`${WORDLESS.test(name) ? name : ''}${argv.slice(1).join(' ')}`) ? tool : undefined;
}
