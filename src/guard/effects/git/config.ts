/** Settings and variables that a git command is given, and those it stores: which, what value, and by what way. */
import { isDynamic } from '../../shell/marks.ts';
import { type Effect, effect } from '../effect.ts';
import { mayTalk } from './builtins.ts';
import type { GitLine } from './command-line.ts';
import { editsConfig, storedSettings } from './config-command.ts';
import type { Environment, Setting } from './settings.ts';
import { isPlainSsh } from './ssh.ts';

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
/** Variables that matter only when git talks to another repository. */
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

/** Values of switches are the same in any case; names of programs are not. */
const SWITCH = /^(false|no|off)$/i;

function variableEffect(name: string, value: string, talks: boolean): Effect {
  return effect('git.env', { name, value, dynamic: isDynamic(value), used: talks || !TALKING.test(name), ssh: isPlainSsh(value) });
}
