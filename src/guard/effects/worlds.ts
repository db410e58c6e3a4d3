/**
 * Deeds in databases, package managers and networks that the words of a command alone do not show. Effects: `database.drop` (facts `command`,
 * `words`, `test`), `package.address` (`command`, `address`, `forge`), `net.tunnel` and `secrets.tool` (`command`, `words`), and `clone.run`
 * (`path`).
 */
import { printsSecret } from '../shell/flow/secret-tools.ts';
import type { EffectiveCommand } from '../shell/machine.ts';
import { type Effect, type EffectReader, effect, type KnownFolders } from './effect.ts';
import { classifyPath } from './files/path.ts';
import { isTestDatabase, isTestName } from './test-database.ts';

/** Hosts where projects of the world are, so an address there is no surprise. */
const FORGES =
  /^(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|sr\.ht|git\.sr\.ht|gist\.github\.com|raw\.githubusercontent\.com|objects\.githubusercontent\.com|codeload\.github\.com|registry\.\S+|pypi\.org|files\.pythonhosted\.org|golang\.org|go\.dev|google\.golang\.org|gopkg\.in|k8s\.io|sigs\.k8s\.io|deno\.land|jsr\.io|esm\.sh|unpkg\.com|download\.pytorch\.org|charts\.bitnami\.com|kubernetes\.github\.io|dl\.k8s\.io|crates\.io|rubygems\.org|localhost|127\.0\.0\.1|mvdan\.cc|honnef\.co|go\.uber\.org)$/i;
const ADDRESS = /(?:^|@|=)((?:git\+)?(?:https?|git|ssh|ftp)(?:\+git)?:\/\/[^\s]+|(?:git@)[\w.-]+:\S+)/i;
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
  /^--?(?:registry|index-url|i|extra-index-url|find-links|f|index|default-index|proxy|repository|repo|channel|c|url|source|trusted-host|cache|disturl|server|context|kube-apiserver)$/;

export const worlds: EffectReader = (command, folders) => {
  if (command.guessed) return [];
  return [...databases(command), ...packages(command), ...tunnels(command, folders), ...secretTools(command)];
};

function deed(kind: string, { name, argv }: EffectiveCommand, facts: Effect['facts'] = {}): Effect {
  return effect(kind, { command: name, words: argv.slice(1).join(' '), ...facts });
}

function databases(command: EffectiveCommand): readonly Effect[] {
  const { name, argv, env } = command;
  const words = argv.slice(1);
  const text = words.join(' ');
  if (words.some((word) => /^--(?:help|version)$/.test(word))) return [];
  const last = words.filter((word) => !word.startsWith('-')).at(-1) ?? '';
  const dropped =
    /^(?:dropdb|dropuser|pg_dropcluster)$/.test(name) ||
    (/^(?:mysqladmin|mariadb-admin)$/.test(name) && words.includes('drop')) ||
    (/^mongo(?:sh)?$/.test(name) && /\.(?:dropDatabase|drop)\(|\.(?:deleteMany|remove)\(\s*(?:\{\s*\})?\s*\)/.test(text)) ||
    (/^(?:redis-cli|valkey-cli|keydb-cli)$/.test(name) &&
      /(?:^| )(?:flushall|flushdb|shutdown|(?:del|unlink) .*[\uE000-\uE00F])/i.test(text)) ||
    (name === 'curl' &&
      /(?:-X ?|--request[ =])DELETE\b/i.test(text) &&
      /:(?:9200|5984|8086|8123|6333|8983|9000)\b|\/_all\b|_cat\b/.test(text)) ||
    (name === 'usql' && /\b(?:drop|truncate)\b/i.test(text)) ||
    (name === 'influx' && /\bdelete\b|drop database/i.test(text)) ||
    (/^(?:cassandra-cli|nodetool)$/.test(name) && /\b(?:drop|clearsnapshot)\b/i.test(text));
  if (!dropped) return [];
  const test = isTestName(last) || isTestDatabase(argv, env, '') || /\b(?:localhost|127\.0\.0\.1)\b.*test/.test(text);
  return [deed('database.drop', command, { test })];
}

function packages(command: EffectiveCommand): readonly Effect[] {
  const { name, argv } = command;
  if (!Object.hasOwn(INSTALLERS, name)) return [];
  const verbs = INSTALLERS[name];
  const first = argv.slice(1).find((word) => !word.startsWith('-')) ?? '';
  if (verbs !== undefined && !verbs.test(first)) return [];
  const addresses = argv.flatMap((word, i) => {
    const option = word.startsWith('-') ? word.replace(/=.*$/s, '') : (argv[i - 1] ?? '');
    if (i === 0 || (option.startsWith('-') && SOURCES.test(option) && !(name === 'cargo' || /^-f$/.test(option)))) return [];
    if (name === 'go') return /^[\w-]+(?:\.[\w-]+)+\/\S*@/.test(word) ? [`https://${word}`] : [];
    return ADDRESS.exec(word)?.[1] ?? [];
  });
  return addresses.slice(0, 8).map((address) => deed('package.address', command, { address, forge: FORGES.test(hostIn(address)) }));
}

function hostIn(address: string): string {
  return (/^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^/:@]+)/i.exec(address)?.[1] ?? '').toLowerCase();
}

/** Servers of files: the option or the place of the folder that they serve. */
function servedFolder({ name, argv }: EffectiveCommand): string | undefined {
  const text = argv.slice(1).join(' ');
  const operands = argv.slice(1).filter((word) => !word.startsWith('-'));
  if (/^python[\d.]*$/.test(name) && /(?:^| )-m (?:http\.server|SimpleHTTPServer|pyftpdlib|uploadserver)\b/.test(text))
    return /(?:-d|--directory)[ =](\S+)/.exec(text)?.[1] ?? '';
  if (name === 'ruby' && /(?:^| )(?:-run -e httpd|-rwebrick|-run -ehttpd)/.test(text))
    return operands.find((word) => word !== 'httpd') ?? '';
  if (name === 'php' && argv.includes('-S')) return /-t[ =]?(\S+)/.exec(text)?.[1] ?? '';
  if (name === 'busybox' || name === 'httpd') return name === 'httpd' ? (/-h[ =]?(\S+)/.exec(text)?.[1] ?? '') : undefined;
  if (/^(?:serve|http-server|live-server|miniserve|dufs|darkhttpd|caddy|updog|webfsd|static-server|simple-http-server)$/.test(name))
    return operands.find((word) => !/^(?:file-server|\d+)$/.test(word)) ?? '';
  return undefined;
}

function tunnels(command: EffectiveCommand, folders: KnownFolders): readonly Effect[] {
  const { name, argv, cwd } = command;
  const text = argv.slice(1).join(' ');
  const folder = servedFolder(command);
  if (folder !== undefined) {
    const { classes } = classifyPath(folder === '' ? '.' : folder, cwd, folders);
    const wide = classes.some((one) => /^(?:root|home|system|parent|home-config)$/.test(one)) || classes.includes('outside');
    return wide && !classes.includes('temp') ? [deed('net.tunnel', command)] : [];
  }
  const opens =
    (/^(?:ssh|autossh)$/.test(name) && argv.some((word) => /^-[A-Za-z]*R/.test(word) || /RemoteForward/i.test(word))) ||
    (name === 'sshd' && !/(?:^| )-[tT]\b/.test(text)) ||
    (name === 'ngrok' && /^(?:tcp|tls|http file:|start)/.test(text)) ||
    (name === 'cloudflared' && /\b(?:ssh|tcp|rdp|smb|unix):\/\//.test(text)) ||
    /^(?:chisel|frpc|bore|rathole|ligolo-agent|pagekite|localtunnel|zrok|inlets|gost|iodine|dnscat|dnscat2|ptunnel)$/.test(name) ||
    (name === 'ngrok' && /file:\/\//.test(text)) ||
    (name === 'tailscale' && /^funnel/.test(text)) ||
    (name === 'code' && /^tunnel/.test(text));
  return opens && !/--(?:help|version)\b/.test(text) ? [deed('net.tunnel', command)] : [];
}

function secretTools(command: EffectiveCommand): readonly Effect[] {
  const { name, argv, fds, shown } = command;
  // A value in a variable, a substitution or a pipe is not shown, and the guard follows it to its uses.
  if (!shown || fds.has(1)) return [];
  return printsSecret(name, argv) ? [deed('secrets.tool', command)] : [];
}

/** Returns pushes to a remote of an unknown host: by its address, or by a name that an earlier command has given it. */
export function foreignPushes(
  commands: readonly EffectiveCommand[],
): readonly { readonly command: EffectiveCommand; readonly seen: Effect }[] {
  const foreign = new Set<string>();
  const isForeign = (address: string): boolean => ADDRESS.test(address) && !FORGES.test(hostIn(address));
  const found: { command: EffectiveCommand; seen: Effect }[] = [];
  for (const command of commands) {
    if (command.name !== 'git') continue;
    const words = command.argv.slice(1).filter((word) => !word.startsWith('-'));
    const at = words.findIndex((word) => word === 'remote' || word === 'push');
    const [verb, first = '', second = '', third = ''] = words.slice(at);
    if (verb === 'remote' && /^(?:add|set-url)$/.test(first) && isForeign(third) && second !== 'origin') foreign.add(second);
    if (verb === 'push' && (foreign.has(first) || isForeign(first)) && !command.argv.some((word) => /^(?:-n|--dry-run)$/.test(word)))
      found.push({ command, seen: effect('git.push-foreign', { remote: first }) });
  }
  return found;
}

/** Programs that run code of the folder in which they start, or which they name. */
const RUNNERS =
  /^(?:g?make|cmake|ninja|meson|npm|pnpm|yarn|bun|pip3?|python[\d.]*|node|ruby|perl|bash|sh|zsh|fish|dash|cargo|go|rake|bundle|composer|mvn|gradle|gradlew|just|task|docker|docker-compose|tox|poetry|uv|mix|configure|ansible-playbook|terraform|source|\.)$/;

/** Returns the commands that run code of a repository that an earlier command clones from an unknown host. */
export function cloneRuns(commands: readonly EffectiveCommand[]): readonly { readonly command: EffectiveCommand; readonly seen: Effect }[] {
  const found: { command: EffectiveCommand; seen: Effect }[] = [];
  let cloned: string | undefined;
  for (const command of commands) {
    const { name, argv, cwd } = command;
    const words = argv.slice(1).filter((word) => !word.startsWith('-'));
    if (name === 'git' && words[0] === 'clone' && words[1] !== undefined && ADDRESS.test(words[1]) && !FORGES.test(hostIn(words[1])))
      cloned =
        words[2] ??
        words[1]
          .replace(/\/+$/, '')
          .replace(/\.git$/, '')
          .split(/[/:]/)
          .at(-1);
    else if (cloned !== undefined && cloned !== '') {
      const isInside = (path: string): boolean =>
        path
          .replace(/^\.\//, '')
          .split('/')
          .includes(cloned ?? '');
      const runs = RUNNERS.test(name) || argv[0]?.includes('/');
      if (runs && (isInside(cwd) || argv.some(isInside))) found.push({ command, seen: effect('clone.run', { path: cloned }) });
    }
  }
  return found.slice(0, 1);
}
