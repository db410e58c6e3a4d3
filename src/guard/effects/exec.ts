/** Readers for code and commands whose text is unknown before they run, and for variables that load foreign code. */

import { codeReaders } from '../shell/code-readers.ts';
import { isNetworkPath } from '../shell/expand/redirects.ts';
import { flavourOf } from '../shell/foreign/flavour.ts';
import { type EffectiveCommand, isForeign } from '../shell/machine.ts';
import { DECODED, FED, isDynamic, isOpaque, NAMES, printable, RELEASE, REMOTE, SELF, VENDOR } from '../shell/marks.ts';
import { isPlainInstall } from '../shell/programs/installers.ts';
import { isManagerFile } from '../shell/programs/managers.ts';
import { type Effect, type EffectReader, effect, type Facts } from './effect.ts';
import { privilegeOf } from './privilege.ts';

/** `system($0)`, `cmd | getline`, `print | cmd`: awk runs the text of a record or a variable. */
const AWK_RUNS =
  /\bsystem\s{0,8}\(\s{0,8}[^"\s)]|(?:^|[^"\w|])\$?\w+\s{0,8}\|&?\s{0,8}getline|\bprintf?\b[^|"\n}]{0,200}\|&?\s{0,8}[$A-Za-z_]/;

type CodeOrigin = 'remote' | 'decoded' | 'unknown';

interface Origin {
  readonly origin: CodeOrigin;
  /** Position of the statement that runs it. */
  readonly at?: number;
}

/** Returns where code in another language gets the code that it runs, and the statement that runs it. */
function originInCode({ name, program }: EffectiveCommand): Origin | undefined {
  if (!isForeign(program)) return undefined;
  const { text, language, from } = program;
  if (language === 'awk') return AWK_RUNS.test(text) ? { origin: 'unknown' } : undefined;
  const flavour = flavourOf(name, text);
  const { reachedIn, unfollowed } = codeReaders();
  const reached = reachedIn(text, flavour).find(({ what }) => what === 'run');
  if (reached && reached.origin !== 'secret' && reached.origin !== 'socket') return { origin: reached.origin, at: reached.at };
  // A text on the command line is short, so a value that cannot be followed is taken for the one that was fetched or decoded.
  const guessed = from === 'file' ? undefined : unfollowed(text, flavour);
  return guessed === undefined ? undefined : { origin: guessed };
}

const FEEDERS = /^(xargs|gxargs|parallel|sem|find|gfind)$/;
/** Words that make an unknown command look destructive. */
const DESTRUCTIVE =
  /^(-[a-zA-Z]*[rRfF][a-zA-Z]*|--(force|hard|recursive|delete|no-preserve-root|mirror|prune).*|[/~]|[/~]\/?\*|of=\/dev.*)$/;

/**
 * `exec`: code or a command whose text is unknown before it runs. Facts: `origin` (remote, installer, release, decoded, unknown, fed, pattern), `what` (code,
 * command, file), `how` (the way it is passed), `language`, `feeder` (the previous command in the pipeline), `by` (the command that feeds
 * it), `names` (what is fed are names of files), `alone` (it has no other words), `destructive` (its words look destructive) and `text`.
 */
export const exec: EffectReader = (command) => {
  const { program, fds } = command;
  // A program that arrives over the network is a network shell, and the network reader reports it.
  if (program?.from === 'stdin' && isNetworkPath(fds.get(0))) return [];
  for (const read of [codeEffects, nameEffects, scriptEffects]) {
    const effects = read(command);
    if (effects.length > 0) return effects;
  }
  return [];
};

/** Returns the command that passes items to this one. */
export function feederOf({ via }: EffectiveCommand): string {
  const feeders = via.filter((outer) => FEEDERS.test(outer));
  // `find` passes the files it finds. The other commands pass any input.
  return feeders.find((outer) => !outer.endsWith('find')) ?? feeders[0] ?? '';
}

function codeEffects(command: EffectiveCommand): readonly Effect[] {
  const { name, argv, program, fds, feeder } = command;
  const whole = name === 'eval' ? argv.slice(argv[1] === '--' ? 2 : 1).join(' ') : program?.text;
  if (whole === undefined) return [];
  const language = name === 'eval' ? 'shell' : (program?.language ?? 'shell');
  const how = name === 'eval' ? 'eval' : (program?.from ?? 'argument');
  const facts = { what: 'code', how, language, by: feederOf(command), ...(how === 'stdin' && { feeder, piped: fds.get(0) === 'stdin' }) };
  if (program?.encoded) return [execEffect(command, 'decoded', facts)];
  // The text next to the installer is code of the command.
  const code = whole.replaceAll(RELEASE, '');
  const origin = originOf(code);
  const released = code === whole ? [] : [execEffect(command, releaseOf(command), facts)];
  // A shell without input to read is interactive: it waits for the person at the keyboard.
  const interactive = how === 'stdin' && !fds.has(0);
  if (origin === 'remote' || origin === 'decoded' || origin === 'installer') return [execEffect(command, origin, facts)];
  if (code.includes(FED)) return [...released, execEffect(command, 'fed', { ...facts, names: code.includes(NAMES) })];
  if (isOpaque(code)) return code.trim() === SELF || interactive ? released : [...released, execEffect(command, 'unknown', facts)];
  const inner = language === 'shell' ? undefined : originInCode(command);
  return inner === undefined ? released : [...released, execEffect(command, inner.origin, facts, inner.at)];
}

/** Returns the origin of an installer of one release. As another user, or with words that lead it elsewhere, it is as any other. */
function releaseOf(command: EffectiveCommand): 'release' | 'installer' {
  const { argv, env, program } = command;
  const words = argv.slice(1).filter((word) => word !== program?.text);
  return privilegeOf(command) === undefined && isPlainInstall(words, env) ? 'release' : 'installer';
}

function nameEffects(command: EffectiveCommand): readonly Effect[] {
  const { name, argv } = command;
  const pattern = name.length > 1 && name !== '[[' && /[*?[]/.test(name) ? 'pattern' : undefined;
  const origin = originOf(name) ?? pattern;
  if (origin === undefined || (origin === 'unknown' && name.includes(SELF))) return [];
  const facts = {
    what: 'command',
    how: 'name',
    by: feederOf(command),
    alone: argv.length === 1 && isOpaque(name),
    destructive: argv.slice(1).some((word) => DESTRUCTIVE.test(word)),
  };
  return [execEffect(command, origin, facts)];
}

function scriptEffects(command: EffectiveCommand): readonly Effect[] {
  const { name, argv, program } = command;
  const sourced = name === 'source' || name === '.' ? argv[1] : undefined;
  const file = sourced ?? (program?.from === 'file' && program.text === undefined ? program.path : undefined);
  // A path of Windows that starts with the name of another machine.
  const shared = file !== undefined && program?.language === 'powershell' && /^(?:\\\\|\/\/)[\w.-]+[\\/]/.test(file);
  const origin = file === undefined || file.includes(SELF) ? undefined : shared ? 'remote' : originOf(file);
  // A version manager sets its own variable, and sourcing it is how it is used.
  if (origin === undefined || (sourced !== undefined && isManagerFile(sourced))) return [];
  const how = sourced === undefined ? 'file' : 'source';
  return [
    execEffect(command, origin, {
      what: 'file',
      how,
      language: sourced === undefined ? (program?.language ?? '') : 'shell',
      by: feederOf(command),
    }),
  ];
}

function originOf(text: string): 'remote' | 'installer' | 'decoded' | 'fed' | 'unknown' | undefined {
  if (!isDynamic(text)) return undefined;
  if (text.includes(REMOTE)) return 'remote';
  if (text.includes(VENDOR)) return 'installer';
  if (text.includes(DECODED)) return 'decoded';
  return text.includes(FED) ? 'fed' : 'unknown';
}

function execEffect({ argv, program }: EffectiveCommand, origin: string, facts: Facts, at?: number): Effect {
  const statement = at === undefined || program?.from !== 'file' ? argv.slice(0, 8).join(' ') : lineAt(program.text ?? '', at);
  return effect('exec', { origin, ...facts, text: printable(statement.slice(0, 200)) }, at);
}

function lineAt(code: string, at: number): string {
  return (code.slice(at).split('\n', 1)[0] ?? '').trim();
}
