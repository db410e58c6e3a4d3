/** Settings and variables that a git command receives or stores. */

import { isDynamic } from '../../shell/marks.ts';
import { type Effect, effect } from '../effect.ts';
import { type GitLine, mayTalk } from './command-line.ts';
import { type Options, readOptions } from './options.ts';
import { type Environment, type Setting, settingOf } from './settings.ts';

/** Returns the settings that `git config`, `git clone -c` and template options store. Reading and removing store nothing. */
export function storedSettings({ subcommand, args }: GitLine): readonly Setting[] {
  if (subcommand === 'config' || subcommand === 'config set') return configSettings(subcommand, readOptions(subcommand, args));
  if (subcommand !== 'clone' && subcommand !== 'init') return [];
  const options = readOptions(subcommand, args);
  const template = options.value('template');
  return [
    ...options.values('config').map((text) => settingOf(text, 'option')),
    ...(template === undefined || template === '' ? [] : [{ key: 'init.templatedir', value: template, via: 'option' as const }]),
  ];
}

/** Returns whether the command opens the whole configuration in an editor. */
export function editsConfig({ subcommand, args }: GitLine): boolean {
  return subcommand === 'config edit' || (subcommand === 'config' && readOptions('config', args).has('edit'));
}

const READING = ['get', 'get-all', 'get-regexp', 'get-urlmatch', 'list', 'get-color', 'get-colorbool'];
const REMOVING = ['unset', 'unset-all', 'remove-section', 'rename-section'];

function configSettings(subcommand: string, options: Options): readonly Setting[] {
  const [key, value] = options.operands;
  if (options.help || key === undefined || options.has(...READING, ...REMOVING, 'edit')) return [];
  if (value === undefined && !(subcommand === 'config set' || options.has('add', 'replace-all'))) return [];
  return [{ key: key.toLowerCase(), value: value ?? '', via: 'config' }];
}

/** Ssh options that only say how to log in. They run no other program and weaken no host check. */
const HARMLESS =
  /^(BatchMode|ConnectTimeout|ConnectionAttempts|IdentitiesOnly|IdentityFile|ServerAlive\w+|LogLevel|Port|User|Compression|RequestTTY)=\S+$/i;

export function isPlainSsh(command: string): boolean {
  if (!/^\s*(\/usr\/bin\/)?ssh(\s|$)/.test(command)) return false;
  const [, ...words] = command.trim().split(/\s+/);
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (/^-[qvTn46aCx]+$/.test(word)) continue;
    if (/^-[ip]$/.test(word)) at++;
    else if (word === '-o' && HARMLESS.test(words[at + 1] ?? '')) at++;
    else if (!(word.startsWith('-o') && HARMLESS.test(word.slice(2)))) return false;
  }
  return true;
}

/** Returns an effect for each setting and variable that a git command receives or stores. */
export function configEffects(line: GitLine, env: Environment): readonly Effect[] {
  const found = [...line.settings, ...storedSettings(line)].map(configEffect);
  for (const name of line.unreadable) found.push(effect('git.config', { key: '', value: env[name] ?? '', via: 'env', unreadable: true }));
  if (editsConfig(line)) found.push(effect('git.config-edit', {}));
  for (const name in env) {
    if (!VARIABLE.test(name) || READ_ELSEWHERE.test(name)) continue;
    found.push(variableEffect(name, env[name] ?? '', mayTalk(line.subcommand, line.args)));
  }
  return found;
}

const VARIABLE = /^(GIT_\w+|EDITOR|VISUAL|PAGER|SSH_ASKPASS)$/;
const READ_ELSEWHERE = /^GIT_CONFIG_(COUNT|PARAMETERS|KEY_\d+|VALUE_\d+)$/;
/** Variables that matter only if git contacts another repository. */
const TALKING = /^(GIT_SSH(_COMMAND|_VARIANT)?|GIT_PROXY_COMMAND|GIT_SSL_\w+|GIT_ASKPASS|SSH_ASKPASS|GIT_ALLOW_PROTOCOL)$/;

function configEffect({ key, value, via, bare = false }: Setting): Effect {
  return effect('git.config', {
    key,
    value: value.toLowerCase() === value || !SWITCH.test(value) ? value : value.toLowerCase(),
    via,
    bare,
    dynamic: isDynamic(value),
    unreadable: isDynamic(key),
    ssh: isPlainSsh(value),
  });
}

/** The values of switches ignore case. The names of programs do not. */
const SWITCH = /^(false|no|off)$/i;

/** An editor of the list of a rebase that only says how commits are kept: `sed -i '2s/^pick/fixup/'`. It adds no line, so nothing runs. */
const KEEPS_COMMITS =
  /^sed -i(?:\.\w+)?(?: -E)?(?: -e)? (?!".*\$)(['"])(?:;? ?[\d,$]*s([/|#])\^?pick(?: [\da-f]+)?\2(?:e|r|s|f|edit|reword|squash|fixup)(?: [\da-f]+)?\2g?)+\1$/;

function variableEffect(name: string, value: string, talks: boolean): Effect {
  const keeps = name === 'GIT_SEQUENCE_EDITOR' && KEEPS_COMMITS.test(value);
  return effect('git.env', { name, value, keeps, dynamic: isDynamic(value), used: talks || !TALKING.test(name), ssh: isPlainSsh(value) });
}
