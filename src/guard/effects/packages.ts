/**
 * Packages from elsewhere. Effects: `package.address` (a package is an address; facts `command`, `address`, `forge`) and `package.source` (packages
 * come from another index than the usual ones; `command`, `address`, `by`).
 */
import type { EffectiveCommand } from '../shell/machine.ts';
import { isDynamic } from '../shell/marks.ts';
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

export const packageOrigins: EffectReader = (command) => (command.guessed ? [] : [...addresses(command), ...indexes(command)]);

function addresses(command: EffectiveCommand): readonly Effect[] {
  const { name, argv } = command;
  if (!Object.hasOwn(INSTALLERS, name)) return [];
  const verbs = INSTALLERS[name];
  const first = argv.slice(1).find((word) => !word.startsWith('-')) ?? '';
  if (verbs !== undefined && !verbs.test(first)) return [];
  const found = argv.flatMap((word, i) => {
    const option = word.startsWith('-') ? word.replace(/=.*$/s, '') : (argv[i - 1] ?? '');
    if (i === 0 || (option.startsWith('-') && SOURCES.test(option) && !(name === 'cargo' || /^-f$/.test(option)))) return [];
    if (name === 'go') return /^[\w-]+(?:\.[\w-]+)+\/\S*@/.test(word) ? [`https://${word}`] : [];
    return ADDRESS.exec(word)?.[1] ?? [];
  });
  return found
    .slice(0, MOST_ADDRESSES)
    .map((address) => effect('package.address', { command: name, address, forge: FORGES.test(hostIn(address)) }));
}

const MOST_ADDRESSES = 8;

/** Returns the indexes that an option or a variable names for a command that fetches packages. */
function indexes({ name, argv, env }: EffectiveCommand): readonly Effect[] {
  const fetches = Object.hasOwn(FETCHES, name) ? FETCHES[name] : undefined;
  const verb = argv.slice(1).find((word, i) => !word.startsWith('-') && !INDEXES.test(argv[i] ?? '')) ?? '';
  if (fetches?.test(verb) !== true) return [];
  const named = argv.flatMap((word, i) => {
    const [option = '', value] = word.startsWith('-') ? word.split(/=(.*)/s) : [argv[i - 1] ?? '', word];
    const names = /^-/.test(option) ? INDEXES.test(option) : /^(?:mirror\b\S*|-a|--add|add)$/.test(option);
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
