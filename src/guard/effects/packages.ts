/**
 * Packages from elsewhere. Effects: `package.address` (a package is an address; facts `command`, `address`, `forge`) and `package.source` (packages
 * come from another index than the usual ones; `command`, `address`, `by`).
 */
import type { EffectiveCommand } from '../shell/machine.ts';
import { isDynamic } from '../shell/marks.ts';
import { namesIn } from '../shell/names.ts';
import { type Effect, type EffectReader, effect } from './effect.ts';
import { isLoopback } from './network.ts';
import { ADDRESS, FORGES, hostIn } from './worlds.ts';

/** Package managers and runners with the verbs that take a package. Undefined: every word can be one. */
const INSTALLERS: Readonly<Record<string, RegExp | undefined>> = {
  npm: /^(?:i|install|add|exec|x|create|init|ci|link)$/,
  pnpm: /^(?:i|install|add|dlx|exec|create)$/,
  yarn: /^(?:add|dlx|create|global)$/,
  bun: /^(?:add|install|i|x|create|run)$/,
  npx: undefined,
  bunx: undefined,
  pnpx: undefined,
  pip: /^install$/,
  pip3: /^install$/,
  pipx: /^(?:install|run|inject)$/,
  uv: /^(?:pip|add|tool|run)$/,
  uvx: undefined,
  poetry: /^add$/,
  pipenv: /^install$/,
  conda: /^(?:install|create)$/,
  gem: /^(?:install|i)$/,
  cargo: /^(?:install|add)$/,
  go: /^(?:run|install|get)$/,
  deno: /^(?:run|install|eval|test|serve|compile)$/,
  brew: /^(?:install|tap|reinstall)$/,
  apt: /^install$/,
  'apt-get': /^install$/,
  dnf: /^install$/,
  yum: /^install$/,
  rpm: undefined,
  dpkg: undefined,
  kubectl: /^(?:apply|create|replace)$/,
  oc: /^(?:apply|create|replace|new-app)$/,
  helm: /^(?:install|upgrade|plugin)$/,
  docker: /^(?:build|buildx|stack)$/,
  podman: /^(?:build|play|kube)$/,
  'ansible-pull': undefined,
  'ansible-galaxy': /^(?:install|collection|role)$/,
  nix: /^(?:run|shell|build|develop|profile)$/,
  flatpak: /^install$/,
  'nix-env': undefined,
  'nix-shell': undefined,
  code: undefined,
  luarocks: /^install$/,
  composer: /^(?:require|create-project|config)$/,
  mix: /^(?:archive\.install|escript\.install)$/,
  cpanm: undefined,
  cpan: undefined,
  gcloud: undefined,
  terraform: /^init$/,
  cookiecutter: undefined,
  copier: undefined,
  degit: undefined,
  opam: /^(?:pin|install)$/,
  stack: /^install$/,
  raco: /^pkg$/,
  dart: /^pub$/,
  mise: /^(?:use|install|plugins)$/,
  asdf: /^plugin(?:-add)?$/,
  tmux: /^source(?:-file)?$/,
  vim: undefined,
  emacs: undefined,
  fish: undefined,
};
/** Options that name where packages come from, and not a package. */
const SOURCES =
  /^--?(?:registry|index-url|i|s|extra-index-url|find-links|f|index|default-index|proxy|repository|repo|channel|c|url|source|trusted-host|cache|disturl|server|context|kube-apiserver)$/;
/** Of these options, those that name an index or a registry. */
const INDEXES =
  /^--?(?:registry|index-url|i|extra-index-url|find-links|f|index|default-index|source|s|clear-sources|repository|repository-url|channel|c)$/;
/** Package managers with indexes, and the verbs that fetch packages from them. */
const FETCHES: Readonly<Record<string, RegExp>> = {
  npm: /^(?:i|install|add|exec|x|create|init|ci|update|up|view|pack)$/,
  pnpm: /^(?:i|install|add|dlx|exec|create|update|up)$/,
  yarn: /^(?:add|dlx|create|global|install|up|upgrade|)$/,
  bun: /^(?:add|install|i|x|create|update)$/,
  npx: /^/,
  bunx: /^/,
  pnpx: /^/,
  pip: /^(?:install|download|wheel)$/,
  pip3: /^(?:install|download|wheel)$/,
  pipx: /^(?:install|run|inject|upgrade)$/,
  uv: /^(?:pip|add|tool|run|sync|lock)$/,
  uvx: /^/,
  poetry: /^(?:add|install|update|source)$/,
  pipenv: /^(?:install|sync|update)$/,
  conda: /^(?:install|create|update)$/,
  mamba: /^(?:install|create|update)$/,
  gem: /^(?:install|i|update|sources|fetch)$/,
  bundle: /^(?:install|update|config)$/,
  cargo: /^(?:install|add|update|build)$/,
  go: /^(?:run|install|get|build|mod)$/,
};
/** Variables that name an index. */
const VARIABLES =
  /^(?:PIP_(?:EXTRA_)?INDEX_URL|PIP_FIND_LINKS|UV_(?:EXTRA_)?INDEX(?:_URL)?|UV_DEFAULT_INDEX|UV_FIND_LINKS|npm_config_registry|YARN_(?:NPM_)?REGISTRY(?:_SERVER)?|BUN_CONFIG_REGISTRY|PIPENV_PYPI_MIRROR|CONDA_CHANNELS?|GOPROXY|CARGO_REGISTRIES_\w+_INDEX|BUNDLE_MIRROR__\w+|GEM_SOURCE)$/i;
/** Indexes that everybody can use, and their well-known mirrors. */
const USUAL =
  /^(?:(?:[\w-]+\.)*(?:pypi\.org|pythonhosted\.org|pytorch\.org|npmjs\.(?:org|com)|yarnpkg\.com|npmmirror\.com|jsr\.io|rubygems\.org|crates\.io|golang\.org|anaconda\.(?:org|com)|conda\.io|nvidia\.com|pkg\.github\.com|gitlab\.com|goproxy\.(?:io|cn)|vllm\.ai|pyg\.org|jetson-ai-lab\.dev|packagist\.org)|mirrors\.(?:aliyun\.com|cloud\.tencent\.com|huaweicloud\.com|163\.com)|[\w.-]+\.edu\.cn|[\w.-]+\.(?:internal|local|lan|corp|localdomain))$/i;

/** Verbs that change where packages come from, so that every address counts, and words with which it no longer does. */
const SETS = /^(?:sources?|config)$/;
const UNSETS = /^(?:-r|--remove|remove|unset|delete)$/;

export const packageOrigins: EffectReader = (command) => (command.guessed ? [] : [...addresses(command), ...indexes(command)]);

function addresses(command: EffectiveCommand): readonly Effect[] {
  const { name, argv } = command;
  if (!Object.hasOwn(INSTALLERS, name)) return [];
  const verbs = INSTALLERS[name];
  const first = argv.slice(1).find((word) => !word.startsWith('-')) ?? '';
  if (verbs !== undefined && !verbs.test(first)) return [];
  const found = argv.flatMap((word, i) => {
    const option = word.startsWith('-') ? word.replace(/=.*$/s, '') : (argv[i - 1] ?? '');
    if (i === 0 || (option.startsWith('-') && SOURCES.test(option) && !(/^(?:cargo|rpm|dpkg)$/.test(name) || /^-f$/.test(option))))
      return [];
    if (name === 'go') return /^[\w-]+(?:\.[\w-]+)+\/\S*@/.test(word) ? [`https://${word}`] : [];
    return ADDRESS.exec(word)?.[1] ?? shortAddress(word, name, word === first && !/^-(?!p$|-package$)/.test(argv[i - 1] ?? '')) ?? [];
  });
  const read = runsAtOnce(name, first) ? addressesRead(argv, verbs === undefined ? 1 : argv.indexOf(first) + 1) : NONE;
  return found
    .filter((address) => !read.has(address))
    .slice(0, MOST_ADDRESSES)
    .map((address) =>
      effect('package.address', { command: name, address, forge: FORGES.test(hostIn(address)), runs: runsAtOnce(name, first) }),
    );
}

const MOST_ADDRESSES = 8;
const NONE: ReadonlySet<string> = new Set();
/** Programs of runners that look at an address and run none of its code outside a browser. */
const LOOKS = namesIn(
  'lighthouse pa11y linkinator broken-link-checker autocannon loadtest wait-on start-server-and-test openapi-typescript playwright cypress schemathesis',
);
const NAMES_PACKAGE = /^(?:-p|--package|--from|--spec|-w|--with|-c|--call)$/;
const CODE = /\.(?:[cm]?[jt]sx?|py|rb|sh|git|whl|tgz|zip|gz|xz|bz2|tar)(?:[?#]|$)/i;

/**
 * Returns the addresses that a runner passes to its program to look at: those after the name of such a program, and those of servers on this
 * machine that name no code.
 *
 * @param start The place of the first word after the verb of the runner.
 */
function addressesRead(argv: readonly string[], start: number): ReadonlySet<string> {
  const at = argv.findIndex((word, i) => i >= start && !word.startsWith('-'));
  const looks = LOOKS.has((argv[at] ?? '').replace(/@[^/]*$/, ''));
  const named = new Set(argv.filter((word, i) => i <= at || word.startsWith('-') || NAMES_PACKAGE.test(argv[i - 1] ?? '')));
  return new Set(argv.filter((word) => !named.has(word) && (looks || (isLoopback(hostIn(word)) && !CODE.test(word)))));
}

/** The short forms of a repository: `github:owner/name`, and of a runner of Node `owner/name`. */
function shortAddress(word: string, name: string, isFirst: boolean): string | undefined {
  const [, forge, path = ''] = /^(?:\S+@)?(github|gitlab|bitbucket|gist):([\w.-]+\/?\S*)$/.exec(word) ?? [];
  if (forge !== undefined && path !== '') return `https://${forge}.${forge === 'bitbucket' ? 'org' : 'com'}/${path}`;
  return isFirst && /^(?:npx|bunx|pnpx)$/.test(name) && /^[a-z\d][\w-]*\/[\w-]+(?:#.*)?$/i.test(word)
    ? `https://github.com/${word}`
    : undefined;
}

/** Returns whether the code of a package runs at once, so that no person reads it before. */
function runsAtOnce(name: string, verb: string): boolean {
  return /^(?:npx|bunx|pnpx|uvx)$/.test(name) || (/^(?:npm|pnpm|yarn|bun|pipx|nix)$/.test(name) && /^(?:exec|x|dlx|run|shell)$/.test(verb));
}

/** Returns the indexes that an option or a variable names for a command that fetches packages. */
function indexes({ name, argv, env }: EffectiveCommand): readonly Effect[] {
  const fetches = Object.hasOwn(FETCHES, name) ? FETCHES[name] : undefined;
  if (fetches === undefined) return [];
  const verb = argv.slice(1).find((word, i) => !word.startsWith('-') && !INDEXES.test(argv[i] ?? '')) ?? '';
  if (!fetches.test(verb)) return [];
  const named = argv.flatMap((word, i) => {
    const [option = '', value] = word.startsWith('-') ? word.split(/=(.*)/s) : [argv[i - 1] ?? '', word];
    const names = SETS.test(verb) ? !argv.some((one) => UNSETS.test(one)) : /^-/.test(option) && INDEXES.test(option);
    return i > 0 && names && value !== undefined ? [{ by: option, address: value }] : [];
  });
  const set = Object.keys(env).flatMap((by) => (VARIABLES.test(by) ? [{ by, address: env[by] ?? '' }] : []));
  return [...named, ...set]
    .flatMap(({ by, address }) => address.split(/[\s,|]+/).map((one) => ({ by, address: one.replace(/^[\w-]+=(?=https?:)/, '') })))
    .filter(({ address }) => isStrange(address))
    .slice(0, MOST_ADDRESSES)
    .map(({ by, address }) => effect('package.source', { command: name, address, by }));
}

function isStrange(address: string): boolean {
  if (!/^(?:[a-z+]+:)?\/\/[^/]/i.test(address) || isDynamic(address)) return false;
  const host = hostIn(address.replace(/^\/\//, 'https://'));
  return host !== '' && !/^file:/i.test(address) && !USUAL.test(host) && !isLoopback(host);
}

/** Files of a project in which a package manager looks for its index. Other addresses in them are of other kinds. */
const FILES: readonly (readonly [file: RegExp, setting: RegExp])[] = [
  [/(?:^|\/)\.npmrc$/, /^\s*(?:[\w@./:-]*:)?registry\s*=\s*["']?(\S+?)["']?\s*$/gm],
  [/(?:^|\/)\.yarnrc(?:\.yml)?$/, /^\s*(?:-\s*)?["']?(?:npmRegistryServer|registry)["']?:?\s+["']?([^\s"']+)/gm],
  [/(?:^|\/)bunfig\.toml$/, /^\s*(?:registry|url)\s*=\s*(?:\{\s*url\s*=\s*)?["']([^"']+)/gm],
  [
    /(?:^|\/)(?:pip\.conf|pip\.ini|uv\.toml|Pipfile|poetry\.toml)$/,
    /^\s*(?:(?:extra-)?index-url|find-links|url|default-index)\s*=\s*["']?([^\s"']+)/gm,
  ],
  [/(?:^|\/)requirements[\w.-]*\.(?:txt|in)$/, /^\s*(?:--(?:extra-)?index-url|--find-links|-[if])[\s=]+(\S+)/gm],
  [/(?:^|\/)Gemfile$/, /^\s*source\s*\(?\s*["']([^"']+)/gm],
  [/(?:^|\/)\.cargo\/config(?:\.toml)?$/, /^\s*(?:registry|index)\s*=\s*["'](?:sparse\+)?([^"']+)/gm],
];

/** Returns whether a package manager looks for its index in the file. */
export function namesIndexes(path: string): boolean {
  return FILES.some(([file]) => file.test(path));
}

/** Returns the indexes that a file of a project names, if a text is written to it. */
export function indexesInFile(path: string, text: string): readonly Effect[] {
  const [, setting] = FILES.find(([file]) => file.test(path)) ?? [];
  if (setting === undefined) return [];
  return [...text.slice(0, MOST_TEXT).matchAll(setting)]
    .map((match) => match[1] ?? '')
    .filter(isStrange)
    .slice(0, MOST_ADDRESSES)
    .map((address) => effect('package.source', { command: 'file', address, by: path.slice(path.lastIndexOf('/') + 1) }));
}

const MOST_TEXT = 64 * 1024;

/** Returns the indexes in the files that the commands write. */
export function indexFiles(
  commands: readonly EffectiveCommand[],
  written: ReadonlyMap<string, string>,
): readonly { readonly command: EffectiveCommand; readonly seen: Effect }[] {
  return [...written].flatMap(([path, text]) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const command = commands.find(({ writes, argv }) => [...writes, ...argv].some((one) => one.endsWith(name))) ?? commands.at(-1);
    return command === undefined ? [] : indexesInFile(path, text).map((seen) => ({ command, seen }));
  });
}
