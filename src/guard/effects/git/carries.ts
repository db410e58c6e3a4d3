/**
 * The commands and the shell code inside a git command line: aliases, `rebase --exec`, `bisect run`, `submodule foreach`, filters, and
 * settings and variables with a program as their value. They are judged like any other command. This module only reads words.
 */
import { atMost } from '../../limits.ts';
import { UNKNOWN } from '../../shell/marks.ts';
import { expandAlias, type GitLine, gitLine, mayTalk, splitWords } from './command-line.ts';
import { storedSettings } from './config.ts';
import { type Options, readOptions } from './options.ts';
import type { Environment, Setting } from './settings.ts';
import { programUrls } from './transport.ts';

export interface GitCarried {
  readonly argvs: readonly (readonly string[])[];
  readonly code: readonly string[];
}

/** Returns the commands and code inside a git command line. Undefined: there are none. */
export function gitCarries(name: string, argv: readonly string[], env: Environment): GitCarried | undefined {
  const line = gitLine(name, argv, env);
  if (line === undefined) return undefined;
  const alias = expandAlias(line) ?? {};
  const { argvs, code: ownCode } = carriedByArguments(line);
  const settings = [...line.settings, ...storedSettings(line)];
  const code = distinct([...asList(alias.code), ...ownCode, ...settings.flatMap(codeOf), ...variableCode(env)]);
  const all = [...asList(alias.argv), ...argvs, ...settings.flatMap(storedAlias)];
  return all.length + code.length === 0 ? undefined : { argvs: atMost(all, MOST_CARRIED, CARRIED), code };
}

const MOST_CARRIED = 1024;
const CARRIED = 'the commands inside a command of git';

/** Settings with a program or shell code as their value. */
const CODE_KEYS = [
  /^core\.(sshcommand|editor|pager|gitproxy|askpass|fsmonitor|alternaterefscommand)$/,
  /^(sequence\.editor|diff\.external|gpg\.program|uploadpack\.packobjectshook|imap\.tunnel|interactive\.difffilter|web\.browser)$/,
  /^(sendemail\.(tocmd|cccmd|headercmd|sendmailcmd)|gpg\.ssh\.defaultkeycommand|gc\.recentobjectshook|help\.browser)$/,
  /^(pager|hook|trailer|tar|diff|difftool|mergetool|guitool|browser|man|merge|filter|gpg|remote|lfs)\..*\b(cmd|command|textconv|driver|clean)$/,
  /^(filter|gpg|remote|lfs)\..*\b(smudge|process|program|uploadpack|receivepack)$/,
  /^pager\./,
];
/** Settings with code as their value only after `!`. */
const BANG_KEYS = /^(alias\.|credential\.(.*\.)?helper$|submodule\..*\.update$)/;
const CODE_VARIABLES = [
  'GIT_SSH_COMMAND',
  'GIT_SSH',
  'GIT_EDITOR',
  'GIT_SEQUENCE_EDITOR',
  'EDITOR',
  'VISUAL',
  'GIT_PAGER',
  'PAGER',
  'GIT_ASKPASS',
  'SSH_ASKPASS',
  'GIT_EXTERNAL_DIFF',
  'GIT_PROXY_COMMAND',
];
const FILTERS = ['setup', 'env-filter', 'tree-filter', 'index-filter', 'parent-filter', 'msg-filter', 'commit-filter', 'tag-name-filter'];
const MAILING = ['sendmail-cmd', 'to-cmd', 'cc-cmd', 'header-cmd'];
const REMOTE_PROGRAMS = ['upload-pack', 'receive-pack', 'exec'];
/** Options of subcommands with code as their value. */
const CODE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  rebase: ['exec'],
  difftool: ['extcmd'],
  grep: ['open-files-in-pager'],
  'filter-branch': FILTERS,
  'send-email': MAILING,
  fetch: REMOTE_PROGRAMS,
  pull: REMOTE_PROGRAMS,
  push: REMOTE_PROGRAMS,
  clone: REMOTE_PROGRAMS,
  'ls-remote': REMOTE_PROGRAMS,
  archive: REMOTE_PROGRAMS,
};

function carriedByArguments({ subcommand, args }: GitLine): GitCarried {
  if (subcommand === 'bisect run') return { argvs: [args], code: [] };
  if (subcommand === 'submodule foreach') {
    const { operands } = readOptions(subcommand, args, true);
    return operands.length > 1 ? { argvs: [operands], code: [] } : { argvs: [], code: operands };
  }
  const urls = mayTalk(subcommand, args) ? programUrls(args) : [];
  if (!Object.hasOwn(CODE_OPTIONS, subcommand)) return { argvs: [], code: urls };
  const options = readOptions(subcommand, args);
  const named = (CODE_OPTIONS[subcommand] ?? []).flatMap((name) =>
    options.given.some((option) => isEmpty(option, name)) ? [UNKNOWN] : options.values(name),
  );
  return { argvs: [], code: [...urls, ...named] };
}

/** Returns whether an option that names a program ends the line. Another command can add the program behind it. */
function isEmpty({ name, on, maybe, value }: Options['given'][number], wanted: string): boolean {
  return name === wanted && name !== 'open-files-in-pager' && on && maybe !== true && value === undefined;
}

function codeOf({ key, value, bare }: Setting): readonly string[] {
  if (bare || value === '') return [];
  if (BANG_KEYS.test(key)) return value.startsWith('!') ? [value.slice(1)] : [];
  if (key === 'core.sshcommand') return calledAsSsh(value);
  return CODE_KEYS.some((pattern) => pattern.test(key)) ? [value] : [];
}

/**
 * Returns the command of a stored alias. The alias hides the command when it is called later, so the command is judged when the alias is
 * stored.
 */
function storedAlias({ key, value, via }: Setting): readonly (readonly string[])[] {
  if (via !== 'config' || !key.startsWith('alias.') || value.startsWith('!') || value === '') return [];
  return [['git', ...splitWords(value)]];
}

function variableCode(env: Environment): readonly string[] {
  return CODE_VARIABLES.flatMap((name) => {
    const value = Object.hasOwn(env, name) ? (env[name] ?? '') : '';
    if (value === '') return [];
    return name.startsWith('GIT_SSH') ? calledAsSsh(value) : [value];
  });
}

/**
 * Returns ssh command lines with a host and a remote command, because git adds both. Without them ssh would behave differently. The value
 * has one line for each possible value.
 */
function calledAsSsh(value: string): readonly string[] {
  return value.split('\n').map((command) => `${command} host true`);
}

function distinct(texts: readonly string[]): readonly string[] {
  return atMost([...new Set(texts)], MOST_CARRIED, CARRIED);
}

function asList<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}
