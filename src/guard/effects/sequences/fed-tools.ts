/**
 * Effects of tools that carry out a file: `tool.fed` (the file comes from the network; facts `kind`, `command`, `host`, `forge`, `local`) and
 * `manifest.host` (it gives a container the machine; facts `command`, `what`).
 */
import { codeReaders } from '../../shell/code-readers.ts';
import { DOWNLOADERS, requestIn } from '../../shell/flow/downloads.ts';
import type { EffectiveCommand } from '../../shell/machine.ts';
import { isDynamic, REMOTE } from '../../shell/marks.ts';
import { hostOf } from '../../shell/programs/request.ts';
import { type Effect, effect } from '../effect.ts';
import { isLoopback } from '../network.ts';
import { FORGES } from '../worlds.ts';

interface Kind {
  readonly kind: 'package' | 'database' | 'manifest' | 'program';
  readonly tools: RegExp;
  /** The words with which a tool carries the file out. Undefined: it always does. */
  readonly words?: RegExp;
  /** Files that the tool finds by their names. */
  readonly files?: RegExp;
}

const KINDS: readonly Kind[] = [
  {
    kind: 'package',
    tools:
      /^(?:dpkg|rpm|apt|apt-get|aptitude|dnf5?|yum|zypper|apk|pacman|snap|flatpak|brew|npm|pnpm|yarn|pip3?|pipx|uv|gem|installer|msiexec|opkg|pkg)$/,
    words: /(?:^| )(?:-[a-zA-Z]*[iUu][a-z]*|-pkg|\/i|i|--install|--upgrade|install|add|in|localinstall)(?: |$)/,
  },
  {
    kind: 'database',
    tools:
      /^(?:psql|pg_restore|pgcli|mysql|mariadb|mycli|sqlite3|duckdb|mongo|mongosh|mongorestore|redis-cli|valkey-cli|cqlsh|clickhouse-client|cockroach|sqlcmd|sqlplus|cypher-shell|influx|usql|snowsql|trino|beeline)$/,
  },
  {
    kind: 'manifest',
    tools: /^(?:kubectl|k|oc)$/,
    words: /(?:^| )(?:apply|create|replace|run|patch)(?: |$)/,
  },
  {
    kind: 'manifest',
    tools: /^(?:docker|podman|nerdctl|docker-compose|podman-compose)$/,
    words: /(?:^| )(?:up|run|start|create|restart|deploy|play|kube|build|load|import)(?: |$)/,
    files: /(?:^|\/)(?:docker-)?compose(?:\.override)?\.ya?ml$/,
  },
  { kind: 'manifest', tools: /^ansible-playbook$/ },
  { kind: 'manifest', tools: /^nomad$/, words: /(?:^| )run(?: |$)/ },
  // A change of the sources is built or tested next.
  { kind: 'program', tools: /^git$/, words: /(?:^| )(?:apply|am)\b(?!.* --(?:check|\w*stat)\b)/ },
  {
    kind: 'program',
    tools: /^(?:n?vim?|ex|emacs|[gl]ldb|gdb)$/,
    words: /(?:^| )-(?:[Slux]|-[lcs])|(?:source|luafile) /,
  },
  {
    kind: 'program',
    tools: /^(?:java|kotlinc?|wasm\w+|insmod|guix|nix-build|terraform|tofu|tcc|gradlew?|cargo|patch)$/,
    words: /^(?!.*--dry-run)/,
  },
];
/** Files that a program reads as data. */
const DATA = /\.(?:json|csv|txt|xml|md|zip)$/;
/** A statement for which the input is rows. */
const TAKES_ROWS = /\bfrom\s+(?:pstdin|stdin)\b|^\.import\b|\binfile\b|\bformat\s+(?:csv|tsv|json\w*)\b/i;
const TOOLS = new RegExp(KINDS.map(({ tools }) => tools.source).join('|'));

/** Returns the tools that carry out a text of the same command: one from the network, or one that gives a container the machine. */
export function fedTools(
  commands: readonly EffectiveCommand[],
  written: ReadonlyMap<string, string>,
): readonly { readonly command: EffectiveCommand; readonly seen: Effect }[] {
  return commands.flatMap((command) => {
    const { name, argv, guessed } = command;
    if (guessed || !TOOLS.test(name)) return [];
    const line = argv.slice(1).join(' ');
    const of = KINDS.find(({ tools, words }) => tools.test(name) && (words === undefined || words.test(line)));
    if (of === undefined) return [];
    const texts = textsFor(command, of, written);
    const fed = texts.some((text) => text.includes(REMOTE)) ? [fedEffect(of.kind, name, commands)] : [];
    const what = of.kind === 'manifest' ? [...texts, ...overridesIn(argv)].flatMap(codeReaders().manifestGrants)[0] : undefined;
    return [...fed, ...(what === undefined ? [] : [effect('manifest.host', { command: name, what })])].map((seen) => ({ command, seen }));
  });
}

/** Returns the texts that the tool reads: its input, the files that its words name, and the files that it finds. */
function textsFor(
  { name, argv, stdin, cwd }: EffectiveCommand,
  { kind, files }: Kind,
  written: ReadonlyMap<string, string>,
): readonly string[] {
  // A name of a package can come from the network too.
  const texts = kind === 'package' ? [stdin, ...argv] : argv.some((word) => TAKES_ROWS.test(word)) ? [] : [stdin];
  if (written.size === 0) return texts;
  const named = argv.slice(1).map((word) => word.replace(/^-{1,2}[\w-]+=|^\.\//g, ''));
  const finds =
    files !== undefined && (name.includes('compose') || argv.includes('compose')) && !argv.some((word) => /^(?:-f|--file)/.test(word));
  for (const [path, text] of written) {
    if (kind === 'program' && DATA.test(path)) continue;
    const own = path.startsWith('./') ? path.slice(2) : path;
    if (named.some((word) => word === own || (cwd !== '' && `${cwd}/${word}` === own)) || (finds && files.test(own))) texts.push(text);
  }
  return texts;
}

/** Returns the parts of a description that words of `kubectl` state. The words of `docker run` have a rule of their own. */
function overridesIn(argv: readonly string[]): readonly string[] {
  return argv.filter((word, i) => /^--(?:overrides|patch)=/.test(word) || /^(?:--overrides|--patch|-p)$/.test(argv[i - 1] ?? ''));
}

/** Any download of the command can be the source, so the most unusual host counts. */
function fedEffect(kind: string, command: string, commands: readonly EffectiveCommand[]): Effect {
  const hosts = commands.flatMap(({ name, argv }) =>
    DOWNLOADERS.has(name) ? (requestIn(name, argv)?.urls ?? argv.filter((word) => word.includes('://'))).map(hostOf) : [],
  );
  const isKnown = (host: string): boolean => !isDynamic(host) && (isLoopback(host) || FORGES.test(host));
  return effect('tool.fed', {
    kind,
    command,
    host: hosts.find((host) => !isKnown(host)) ?? hosts[0] ?? '',
    forge: hosts.length > 0 && hosts.every(isKnown),
    local: hosts.length > 0 && hosts.every(isLoopback),
  });
}
