/** Secrets that a command exposes: files that hold them, searches for their names, and variables that are printed. */

import { STDOUT } from '../shell/expand/redirects.ts';
import type { Reading } from '../shell/flow/flow.ts';
import { READ_NOTHING } from '../shell/flow/habits.ts';
import { showsNoSecret } from '../shell/flow/harmless-keys.ts';
import { secretIn } from '../shell/flow/secret-path.ts';
import type { EffectiveCommand } from '../shell/machine.ts';
import { CREDENTIAL, PRIVATE, SECRET } from '../shell/marks.ts';
import { parseFind } from '../shell/programs/find.ts';
import { commandName } from '../shell/walk/noted.ts';
import { type Effect, type EffectReader, effect, type KnownFolders } from './effect.ts';

/** Names that people search for to find secrets, in addition to the names of secret files. */
const TELLING = /credential|passw(or)?d|secret|id_rsa|id_ed25519|\.pem$|\.key$|\.env$|wallet|\.kdbx$|\.ppk$|api_?key|token/i;
const ALL_HOMES = /^(\/|~|\/home|\/Users|\/root|\/var|\/etc|\/home\/[^/]+|\/Users\/[^/]+)\/?\*?$/;
/** A PowerShell environment variable after a shell has read it as a word. */
const POWERSHELL_SECRET = /\uE000:\w*(SECRET|TOKEN|PASSWORD|KEY|CREDENTIAL)/i;
const PRINTERS = new Set(['echo', 'printf', 'print', 'write-output', 'write-host']);
const FINDERS = new Set(['find', 'gfind', 'fd', 'fdfind']);

export const secrets: EffectReader = (command, knownFolders) => {
  // A guessed command is judged by the damage it can do, not by the files it reads.
  if (command.guessed) return [];
  const { name, flow } = command;
  const reads = (flow?.reads ?? []).flatMap((reading) => readEffect(command, reading, knownFolders));
  return [...reads, ...(FINDERS.has(name) ? nameSearches(command) : []), ...contentSearches(command), ...printedSecrets(command)];
};

function readEffect(command: EffectiveCommand, { path, how, secret, held }: Reading, { home }: KnownFolders): readonly Effect[] {
  const { name, argv, cwd, loads, fds } = command;
  // Output that goes into a file does not reach the next command.
  const next = fds.get(1) === STDOUT ? command.next : undefined;
  const kind = secret ?? (home === undefined ? undefined : secretIn(path, cwd, home)) ?? (held.includes(SECRET) ? 'copy' : undefined);
  if (kind === undefined || (kind === 'settings' && showsNoSecret(name, argv, next))) return [];
  // The value of a variable is not shown, and the guard follows it to its uses.
  return [effect('fs.read', { path, kind, how: loads && kind === 'settings' && how === 'operand' ? 'load' : how, command: name })];
}

function nameSearches({ name, argv, cwd }: EffectiveCommand): readonly Effect[] {
  const { roots, commands } = name.startsWith('fd') ? { roots: argv.slice(2), commands: [] } : parseFind(argv);
  const names = argv.filter((_, i) => /^-i?(name|path|wholename)$/.test(argv[i - 1] ?? ''));
  const telling = names.filter((word) => TELLING.test(word) || secretIn(word) !== undefined);
  const [path] = telling;
  if (path === undefined) return [];
  const shown = commands.some(({ argv: [first = ''] }) => !READ_NOTHING.has(commandName(first)));
  const read = shown && telling.some((word) => secretIn(word, cwd) !== undefined);
  return [
    ...(read ? [effect('fs.read', { path, kind: secretIn(path, cwd) ?? 'copy', how: 'operand', command: name })] : []),
    ...roots.filter((root) => ALL_HOMES.test(root)).map((root) => effect('secrets.search', { root, path })),
  ];
}

const SEARCHERS = new Set(['grep', 'egrep', 'fgrep', 'zgrep', 'rg', 'ag', 'ack']);

/** Returns searches for secrets in the environment, or in all files of a home or of the machine. */
function contentSearches({ name, argv, stdin }: EffectiveCommand): readonly Effect[] {
  // A quiet search shows nothing but whether there is a match.
  if (!SEARCHERS.has(name) || argv.some((word) => /^(-[a-zA-Z]*[qc][a-zA-Z]*|--quiet|--silent|--count)$/.test(word))) return [];
  const operands = argv.slice(1).filter((word) => !/^-./.test(word));
  const telling = operands.concat(argv.filter((word) => /^-e./.test(word))).find((word) => TELLING.test(word));
  if (telling === undefined) return [];
  if (stdin.includes(PRIVATE)) return [effect('secrets.search', { root: 'the environment', path: telling })];
  const deep = name === 'rg' || name === 'ag' || argv.some((word) => /^(-[a-zA-Z]*[rR]|--recursive)/.test(word));
  const root = operands.slice(1).find((word) => ALL_HOMES.test(word));
  return deep && root !== undefined ? [effect('secrets.search', { root, path: telling })] : [];
}

/** Returns secrets that are printed to the terminal. Output into a pipe or a file is followed there. */
function printedSecrets({ name, argv, fds, loads, feeder }: EffectiveCommand): readonly Effect[] {
  if (fds.has(1) || !PRINTERS.has(name)) return [];
  const words = argv.slice(1).join(' ');
  // A value that the script has read from a file of secrets into a variable.
  if (words.includes(SECRET) && !loads && feeder === '') return [effect('secrets.print', { command: name })];
  return words.includes(CREDENTIAL) || POWERSHELL_SECRET.test(words) ? [effect('secrets.print', { command: name })] : [];
}
