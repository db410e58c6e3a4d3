/**
 * Parses a git command line up to the subcommand: global options with their values, settings for this command, and aliases that these
 * settings define. Other modules read the arguments of the subcommand.
 */
import { isOpaque } from '../../shell/marks.ts';
import { type Environment, environmentSettings, type Setting, settingFromVariable, settingOf } from './settings.ts';

const TRANSPORT: ReadonlySet<string> = new Set(
  `clone fetch fetch-pack ls-remote pull push send-pack remote submodule http-fetch http-push lfs svn p4 send-email imap-send
  upload-archive upload-pack receive-pack bundle maintenance`.split(/\s+/),
);
const LOCAL: ReadonlySet<string> = new Set(
  `add am annotate apply archive bisect blame branch bugreport cat-file check-attr check-ignore check-mailmap check-ref-format checkout
  checkout-index cherry cherry-pick clean column commit commit-graph commit-tree config count-objects credential daemon describe diagnose
  diff diff-files diff-index diff-tree difftool fast-export fast-import filter-branch filter-repo fmt-merge-msg for-each-ref for-each-repo
  format-patch fsck gc get-tar-commit-id grep gui hash-object help hook index-pack init init-db instaweb interpret-trailers log ls-files
  ls-tree mailinfo mailsplit merge merge-base merge-file merge-index merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes
  pack-objects pack-redundant pack-refs patch-id prune prune-packed range-diff read-tree rebase reflog refs repack replace replay
  request-pull rerere reset restore rev-list rev-parse revert rm shortlog show show-branch show-index show-ref sparse-checkout stage stash
  status stripspace switch symbolic-ref tag unpack-file unpack-objects update-index update-ref update-server-info var verify-commit
  verify-pack verify-tag version whatchanged worktree write-tree`.split(/\s+/),
);

/** Returns whether git brings the subcommand along. An alias cannot replace it. */
export function isBuiltin(word: string): boolean {
  return LOCAL.has(word) || TRANSPORT.has(word);
}

/** Returns whether a subcommand can contact another repository. A subcommand that is not built in can do anything. */
export function mayTalk(subcommand: string, args: readonly string[]): boolean {
  const end = subcommand.indexOf(' ');
  const name = end < 0 ? subcommand : subcommand.slice(0, end);
  if (name === 'archive') return args.some((word) => word.startsWith('--rem'));
  return subcommand !== '' && !LOCAL.has(name);
}

export interface GitLine {
  /** The subcommand with its verb, for example `reset` or `stash drop`. Empty if there is none. */
  readonly subcommand: string;
  /** All words after the subcommand and its verb. */
  readonly args: readonly string[];
  /** The words before the subcommand. */
  readonly globals: readonly string[];
  readonly settings: readonly Setting[];
  /** Environment variables with settings that cannot be read. `-c` if there are too many settings to follow. */
  readonly unreadable: readonly string[];
  /** The folder in which git looks for its own programs. */
  readonly execPath?: string;
}

/**
 * Parses a git command line. Undefined: the command is not git.
 *
 * @param env The variables that the script itself exports.
 */
export function gitLine(name: string, argv: readonly string[], env: Environment): GitLine | undefined {
  if (!name.startsWith('git')) return undefined;
  const dashed = /^git-([a-z][a-z-]*)$/.exec(name)?.[1];
  if (dashed !== undefined) return lineOf(['git', dashed, ...argv.slice(1)], env);
  return name === 'git' ? lineOf(argv, env) : undefined;
}

/** The meaning of an alias that this command line defines: shell code, or a git command. */
export interface Expansion {
  readonly code?: string;
  readonly argv?: readonly string[];
}

export function expandAlias({ subcommand, args, globals, settings }: GitLine): Expansion | undefined {
  const seen = new Set<string>();
  let words: readonly string[] = [subcommand, ...args];
  while (seen.size < MOST_ALIASES) {
    const [name = ''] = words;
    const alias = isBuiltin(name) ? undefined : settings.findLast(({ key }) => key === `alias.${name.toLowerCase()}`);
    if (alias === undefined) return seen.size === 0 ? undefined : { argv: ['git', ...globals, ...words] };
    if (seen.has(name)) return undefined;
    seen.add(name);
    if (alias.value.startsWith('!')) return { code: [alias.value.slice(1), ...words.slice(1).map(quoteWord)].join(' ') };
    words = [...splitWords(alias.value), ...words.slice(1)];
  }
  return undefined;
}

/** Splits the text of an alias into words. Blanks separate, quotes and backslashes protect. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const char = text[i] ?? '';
    if (quote === '' && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) [quote, word] = [char, word ?? ''];
    else if (char === '\\' && quote !== "'") word = (word ?? '') + (text[++i] ?? '');
    else word = (word ?? '') + char;
  }
  return word === undefined ? words : [...words, word];
}

const MOST_ALIASES = 16;
const MOST_SETTINGS = 128;
const VALUED: ReadonlySet<string> = new Set([
  '-C',
  '-c',
  '--config-env',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--super-prefix',
  '--attr-source',
  '--shallow-file',
]);
/** Subcommands with a verb as their first operand. */
const VERBS: ReadonlySet<string> = new Set(['stash', 'worktree', 'reflog', 'submodule', 'remote', 'bisect', 'notes', 'bundle', 'lfs']);
const CONFIG_VERBS: ReadonlySet<string> = new Set(['get', 'set', 'unset', 'list', 'edit', 'rename-section', 'remove-section']);

function lineOf(argv: readonly string[], env: Environment): GitLine {
  const { settings: inherited, unreadable } = environmentSettings(env);
  const settings: Setting[] = [...inherited];
  let execPath: string | undefined;
  let at = 1;
  for (; at < argv.length; at++) {
    const word = argv[at] ?? '';
    if (word === '--') {
      at++;
      break;
    }
    // An unknown word before a subcommand can be another global option.
    if (!/^-./.test(word) && !(isOpaque(word) && isBuiltin(argv[at + 1] ?? ''))) break;
    const { option, value, taken } = globalOption(word, argv[at + 1]);
    if (option === '-c' && value !== undefined) settings.push(settingOf(value, '-c'));
    if (option === '--config-env' && value !== undefined) settings.push(settingFromVariable(value, env));
    if (option === '--exec-path') execPath = value;
    if (taken) at++;
  }
  const globals = argv.slice(1, at);
  const { subcommand, args } = subcommandOf(argv.slice(at));
  const followed = settings.slice(0, MOST_SETTINGS);
  const hidden = settings.length > MOST_SETTINGS ? [...unreadable, '-c'] : unreadable;
  // Without a spread, because every git command is read more than once.
  const line = { subcommand, args, globals, settings: followed, unreadable: hidden };
  return execPath === undefined ? line : { ...line, execPath };
}

function globalOption(word: string, next: string | undefined): { option: string; value: string | undefined; taken: boolean } {
  if (VALUED.has(word)) return { option: word, value: next, taken: true };
  if (/^-[cC]./.test(word)) return { option: word.slice(0, 2), value: word.slice(2), taken: false };
  const at = word.indexOf('=');
  return at === -1
    ? { option: word, value: undefined, taken: false }
    : { option: word.slice(0, at), value: word.slice(at + 1), taken: false };
}

function subcommandOf(words: readonly string[]): Pick<GitLine, 'subcommand' | 'args'> {
  const [name = '', ...args] = words;
  if (name === 'config' && CONFIG_VERBS.has(args[0] ?? '')) return { subcommand: `config ${args[0]}`, args: args.slice(1) };
  if (!VERBS.has(name)) return { subcommand: name, args };
  const at = args.findIndex((word) => !word.startsWith('-'));
  const verb = args[at];
  if (verb === undefined || !/^[a-z-]+$/.test(verb)) return { subcommand: name, args };
  return { subcommand: `${name} ${verb}`, args: [...args.slice(0, at), ...args.slice(at + 1)] };
}

function quoteWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
