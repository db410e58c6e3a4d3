/**
 * Deeds in databases and networks that the words of a command alone do not show. Effects: `database.drop` (facts `command`,
 * `words`, `test`), `net.tunnel` and `secrets.tool` (`command`, `words`), and `clone.run`
 * (`path`).
 */
import { printsSecret } from '../shell/flow/secret-tools.ts';
import type { EffectiveCommand } from '../shell/machine.ts';
import { namesIn, unversioned } from '../shell/names.ts';
import { type Effect, type EffectReader, effect, type KnownFolders } from './effect.ts';
import { classifyPath } from './files/path.ts';
import { endsWithTest, isTestDatabase, isTestNumber } from './test-database.ts';

/** Hosts where projects of the world are, so an address there is no surprise. */
export const FORGES =
  /^(?:www\.)?(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org|sr\.ht|git\.sr\.ht|gist\.github\.com|raw\.githubusercontent\.com|objects\.githubusercontent\.com|codeload\.github\.com|registry\.\S+|pypi\.org|files\.pythonhosted\.org|golang\.org|go\.dev|google\.golang\.org|gopkg\.in|k8s\.io|sigs\.k8s\.io|deno\.land|jsr\.io|esm\.sh|unpkg\.com|download\.pytorch\.org|charts\.bitnami\.com|kubernetes\.github\.io|dl\.k8s\.io|crates\.io|rubygems\.org|localhost|127\.0\.0\.1|mvdan\.cc|honnef\.co|go\.uber\.org)$/i;
export const ADDRESS = /(?:^|@|=)((?:git\+)?(?:https?|git|ssh|ftp)(?:\+git)?:\/\/[^\s]+|(?:git@)[\w.-]+:\S+)/i;
export const worlds: EffectReader = (command, folders) => {
  if (command.guessed) return [];
  return [...databases(command), ...tunnels(command, folders), ...secretTools(command)];
};

function deed(kind: string, { name, argv }: EffectiveCommand, facts: Effect['facts'] = {}): Effect {
  return effect(kind, { command: name, words: argv.slice(1).join(' '), ...facts });
}

const DATABASE_TOOLS = namesIn(
  'dropdb dropuser pg_dropcluster mysqladmin mariadb-admin mongo mongosh redis-cli valkey-cli keydb-cli curl usql influx cassandra-cli nodetool',
);

/** Programs that run a command on another machine. The address of this machine is that of the other one there. */
const ELSEWHERE = /^(?:ssh|autossh|mosh|kubectl|oc|k|gcloud|aws|az|fly|flyctl|heroku|salt|ansible|nomad)$/;

function databases(command: EffectiveCommand): readonly Effect[] {
  const { name, argv, env, via } = command;
  if (!DATABASE_TOOLS.has(name)) return [];
  const words = argv.slice(1);
  const text = words.join(' ');
  if (words.some((word) => /^--(?:help|version)$/.test(word))) return [];
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
  const isNumbered = /^(?:redis|valkey|keydb)-cli$/.test(name) && isTestNumber(argv);
  const isNamed = endsWithTest(argv, env) || isTestDatabase(argv, env, '') || /\b(?:localhost|127\.0\.0\.1)\b.*test/.test(text);
  return [deed('database.drop', command, { test: (isNumbered || isNamed) && !via.some((by) => ELSEWHERE.test(by)) })];
}

export function hostIn(address: string): string {
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

const SERVERS = namesIn(
  'ruby php busybox httpd serve http-server live-server miniserve dufs darkhttpd caddy updog webfsd static-server simple-http-server ssh autossh sshd ngrok cloudflared chisel frpc bore rathole ligolo-agent pagekite localtunnel zrok inlets gost dropbear iodine dnscat dnscat2 ptunnel wstunnel tailscale code',
);

function tunnels(command: EffectiveCommand, folders: KnownFolders): readonly Effect[] {
  const { name, argv, cwd } = command;
  if (!SERVERS.has(name) && unversioned(name) !== 'python') return [];
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
    /^(?:dropbear|chisel|frpc|bore|rathole|ligolo-agent|pagekite|localtunnel|zrok|inlets|gost|iodine|dnscat|dnscat2|ptunnel|wstunnel)$/.test(
      name,
    ) ||
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
