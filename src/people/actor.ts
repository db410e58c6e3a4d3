/**
 * Finds out who gave a command that only a person may give. A known agent above it, or a process that asked one of our hooks, is an agent. A
 * terminal that no agent and no editor with an agent has made is a person's. Everything else is unclear.
 */
import { networkInterfaces } from 'node:os';
import type { Actor } from '../core/record/who.ts';
import type { Environment } from '../core/values/environment.ts';
import { isAsker } from './askers.ts';
import { baseOf, isInteractiveShell, isShell, type Process, type Processes, processesFrom, seenProcesses } from './processes.ts';

/** A product with an agent, by the names of its programs. */
export interface Product {
  readonly title: string;
  /** Names of programs and packages. */
  readonly programs: readonly string[];
  /** Names of editors, or folders in the path of one. */
  readonly editors: readonly string[];
}

export interface ActorFacts {
  readonly env: Environment;
  readonly stateFolder: string;
  readonly products: readonly Product[];
  /** Variable → who sets it for the processes that it starts. */
  readonly markers: Readonly<Record<string, string>>;
  /** Whether the command has a terminal. */
  readonly hasTerminal: boolean;
  readonly via: string;
  /** Default: this process. */
  readonly pid?: number;
  readonly processes?: Processes;
  /** The addresses of this machine. Default: those of its network. */
  readonly addresses?: readonly string[];
}

export function findActor(facts: ActorFacts): Actor {
  const { env, pid = process.pid, via, processes = seenProcesses() } = facts;
  const look: Look = { ...facts, processes };
  const chain = [...processesFrom(pid, processes)];
  const above = chain.slice(1);
  const agents = [...markerIn(env, facts, 'this command'), ...above.flatMap((one) => agentSigns(one, look))];
  const rooms = above.filter(isMultiplexer).map((room) => attachedTo(room, chain, look));
  const found = [...agents, ...rooms.flatMap(({ agents: theirs }) => theirs)];
  if (found.length > 0) return { finding: 'agent', evidence: [...new Set(found)].slice(0, MOST_EVIDENCE), via };
  const doubts = [
    ...(facts.hasTerminal ? [] : ['There is no terminal.']),
    ...doubtsAbout(chain, look),
    ...rooms.flatMap((room) => room.doubts),
  ];
  if (doubts.length > 0) return { finding: 'unclear', evidence: [...new Set(doubts)].slice(0, MOST_EVIDENCE), via };
  return { finding: 'person', evidence: [`A terminal is there, and none of the ${above.length} processes above is an agent.`], via };
}

const MOST_EVIDENCE = 5;

type Look = ActorFacts & { readonly processes: Processes };

/** Returns why this process is an agent, or was started by one. */
function agentSigns(found: Process, look: Look): string[] {
  const { products, stateFolder } = look;
  const product = products.find(({ programs }) => programs.some((name) => isProgram(found, name)));
  if (product) return [`${product.title} (${nameOf(found)}) is above this command.`];
  if (isAsker(stateFolder, found)) return [`${nameOf(found, 'Process')}, which asked a hook of Hookline, is above this command.`];
  return markerIn(found.environment() ?? {}, look, nameOf(found, 'process'));
}

function markerIn(env: Environment, { markers }: Look | ActorFacts, where: string): string[] {
  const marker = Object.keys(markers).find((name) => env[name] !== undefined && env[name] !== '' && env[name] !== '0');
  return marker === undefined ? [] : [`${markers[marker]} (${marker}) has started ${where}.`];
}

/** Words of a command line may hold secrets, so a process is shown by its name and id alone. */
function nameOf({ pid, name }: Process, lead = 'process'): string {
  return `${lead} ${pid}, \`${name.replaceAll(/[^\w .:@/-]/g, '?')}\``;
}

/** Names of a program: as the system shows it, as it was called, its file, and the script that it runs. */
function namesOf(found: Process): string[] {
  const { words, name } = found;
  return [name, words[0] ?? '', found.file() ?? '', scriptOf(found) ?? ''].filter((one) => one !== '');
}

const INTERPRETERS = /^(node|nodejs|bun|deno|MainThread|python[\d.]*|pypy[\d.]*|ruby[\d.]*|perl[\d.]*|php[\d.]*|java|tsx|electron)$/;

/** The file, or the module, that an interpreter or a shell runs. */
function scriptOf(found: Process): string | undefined {
  const { words } = found;
  if (!isShell(found) && !INTERPRETERS.test(baseOf(words[0]))) return undefined;
  const at = words.findIndex((word, i) => i > 0 && (!word.startsWith('-') || /^-[a-z]*[ce]$/i.test(word)));
  const script = words[at];
  return script === undefined || script.startsWith('-') || script.includes('\n') ? undefined : script;
}

function isProgram(found: Process, name: string): boolean {
  return namesOf(found).some((one) => baseOf(one) === name || one.replaceAll('\\', '/').includes(`/node_modules/${name}/`));
}

function isEditor(found: Process, names: readonly string[]): boolean {
  // A path with a space may have been split where the words of a process come as one line.
  const line = found.words.join(' ');
  if (names.some((name) => name.includes(' ') && line.includes(`/${name}/`))) return true;
  return namesOf(found).some((one) => {
    const parts = one.replaceAll('\\', '/').split('/');
    return names.some((name) => baseOf(one) === name || (/\W/.test(name) && parts.includes(name)));
  });
}

/** Returns why no person can be told from these processes, the command itself first. */
function doubtsAbout(chain: readonly Process[], { products, processes, addresses = ownAddresses() }: Look): string[] {
  const editors = chain.flatMap((found) => {
    const product = products.find((one) => isEditor(found, one.editors));
    return product ? [`${product.title} (${nameOf(found)}) is above this command, and has an agent inside.`] : [];
  });
  const unread = chain.at(-1)?.pid === 1 && processes.isWhole ? [] : ['The processes above this command cannot all be seen.'];
  return [...editors, ...unread, ...madeByNobody(chain), ...fromThisMachine(chain, addresses)];
}

const SCHEDULERS = ['cron', 'crond', 'atd', 'anacron', 'fcron', 'incrond', 'watchman'];
const PASSERS = [
  ...['script', 'expect', 'unbuffer', 'socat', 'setsid', 'nohup', 'env', 'timeout', 'sudo', 'su', 'doas', 'unshare', 'nsenter', 'stdbuf'],
  ...['daemonize', 'start-stop-daemon', 'xargs', 'parallel', 'nc', 'ncat', 'hookline'],
];
const WINDOWS = [
  ...['xterm', 'uxterm', 'urxvt', 'rxvt', 'st', 'konsole', 'gnome-terminal', 'gnome-terminal-', 'gnome-terminal-server', 'xfce4-terminal'],
  ...['mate-terminal', 'lxterminal', 'qterminal', 'terminator', 'tilix', 'guake', 'tilda', 'alacritty', 'kitty', 'wezterm', 'wezterm-gui'],
  ...['foot', 'footclient', 'ghostty', 'ptyxis', 'ptyxis-agent', 'kgx', 'Terminal', 'iTerm2', 'hyper', 'tabby'],
];

/**
 * A process whose parent has left belongs to the first process of the system. If that is a shell or a tool that makes a terminal, an agent may
 * have left it behind. A scheduler runs what an agent has written, and a window that runs a command instead of a shell may be an agent's too.
 */
function madeByNobody(chain: readonly Process[]): string[] {
  const first = chain.findIndex((found) => found.pid === 1 || baseOf(found.words[0]) === 'systemd');
  const top = chain[first - 1];
  const doubts: string[] = [];
  const window = chain.findIndex((found) => WINDOWS.some((name) => isProgram(found, name)));
  if (window >= 0 && !chain.slice(0, window).some(isInteractiveShell))
    doubts.push('A window was opened for this command alone, and no shell of a person is in it.');
  if (top && chain.indexOf(top) !== window && !isMultiplexer(top) && isLeftBehind(top))
    doubts.push(`It cannot be seen who started ${nameOf(top)}, which is above this command or is it.`);
  const scheduler = chain.find((found) => SCHEDULERS.some((name) => isProgram(found, name)));
  return scheduler ? [...doubts, `A scheduler (${nameOf(scheduler)}) has started this command.`] : doubts;
}

function isLeftBehind(found: Process): boolean {
  return isShell(found) || INTERPRETERS.test(baseOf(found.words[0])) || PASSERS.some((name) => isProgram(found, name));
}

/** A login from this machine itself shows no person: its client may run below an agent. */
function fromThisMachine(chain: readonly Process[], addresses: readonly string[]): string[] {
  const from = chain.flatMap((found) => found.environment()?.['SSH_CONNECTION']?.split(' ')[0] ?? []);
  if (from.some((address) => addresses.includes(address.replace(/^::ffff:/, '')) || address.startsWith('127.')))
    return ['The login came from this machine itself.'];
  const isRemote = chain.some(({ words: [first = ''] }) => /^sshd(-session)?$/.test(baseOf(first.split(':')[0])));
  return isRemote && from.length === 0 ? ['It cannot be seen where the login came from.'] : [];
}

function ownAddresses(): string[] {
  const found = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  return ['127.0.0.1', '::1', ...found.map(({ address }) => address)];
}

const MULTIPLEXERS = ['tmux', 'screen', 'zellij', 'dtach', 'abduco'];

function isMultiplexer(found: Process): boolean {
  return MULTIPLEXERS.includes(multiplexerOf(found));
}

function multiplexerOf({ words: [first = ''] }: Process): string {
  return baseOf(first.split(':')[0]).toLowerCase();
}

/**
 * The server of a terminal multiplexer has left its parents, so the clients that are attached count instead. A process that reaches the server can
 * type into every pane of it, and so can an agent that runs in one.
 */
function attachedTo(room: Process, chain: readonly Process[], look: Look): { readonly agents: string[]; readonly doubts: string[] } {
  const name = multiplexerOf(room);
  const all = look.processes.all();
  const clients = all.filter((one) => multiplexerOf(one) === name && one.hasTerminal && !chain.some(({ pid }) => pid === one.pid));
  const chains = clients.map((client) => [...processesFrom(client.pid, look.processes)]);
  const theirs = chains.map((above) => above.slice(1).flatMap((one) => agentSigns(one, look)));
  const isByAgents = theirs.length > 0 && theirs.every((signs) => signs.length > 0);
  if (isByAgents) return { agents: theirs.flat(), doubts: [] };
  const inside = all.find(
    (one) => isAgentItself(one, look) && [...processesFrom(one.pid, look.processes)].some(({ pid }) => pid === room.pid),
  );
  const doubts = [
    ...(clients.length === 0 ? [`No person is attached to ${name} (process ${room.pid}).`] : []),
    ...(theirs.some((signs) => signs.length > 0) ? [`An agent is attached to ${name}.`] : []),
    ...(inside ? [`An agent (${nameOf(inside)}) runs in the same ${name} and can type into this pane.`] : []),
    ...chains.flatMap((above) => doubtsAbout(above, look)),
  ];
  return { agents: [], doubts };
}

function isAgentItself(found: Process, { products, stateFolder }: Look): boolean {
  return products.some(({ programs }) => programs.some((name) => isProgram(found, name))) || isAsker(stateFolder, found);
}
