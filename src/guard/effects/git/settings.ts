/**
 * Settings that a command line or its environment passes to git: `-c`, `--config-env`, `GIT_CONFIG_COUNT`, `GIT_CONFIG_PARAMETERS`, `git
 * config`, `git clone -c`. Keys are in lower case, because git compares case only in the middle part.
 */
import { UNKNOWN } from '../../shell/marks.ts';

export type Environment = Readonly<Record<string, string>>;

export interface Setting {
  readonly key: string;
  readonly value: string;
  readonly via: '-c' | '--config-env' | 'env' | 'config' | 'option';
  /** Whether the setting has no `=`. Git reads it as true for a switch and as empty for anything else. */
  readonly bare?: boolean;
}

/** Parses the value of `-c`. */
export function settingOf(text: string, via: Setting['via']): Setting {
  const at = text.indexOf('=');
  if (at === -1) return { key: text.toLowerCase(), value: 'true', via, bare: true };
  return { key: text.slice(0, at).toLowerCase(), value: text.slice(at + 1), via };
}

/** Parses the value of `--config-env`: the key, and the variable that holds the value. */
export function settingFromVariable(text: string, env: Environment): Setting {
  const at = text.lastIndexOf('=');
  const variable = at === -1 ? '' : text.slice(at + 1);
  const value = Object.hasOwn(env, variable) ? (env[variable] ?? UNKNOWN) : UNKNOWN;
  return { key: text.slice(0, at === -1 ? undefined : at).toLowerCase(), value, via: '--config-env' };
}

export interface EnvironmentSettings {
  readonly settings: readonly Setting[];
  /** Variables that do not parse as settings. Git rejects them, or reads more than this module does. */
  readonly unreadable: readonly string[];
}

const NOTHING: EnvironmentSettings = { settings: [], unreadable: [] };
const MOST_SETTINGS = 129;

export function environmentSettings(env: Environment): EnvironmentSettings {
  const count = env['GIT_CONFIG_COUNT'];
  const parameters = env['GIT_CONFIG_PARAMETERS'];
  if (count === undefined && parameters === undefined) return NOTHING;
  const counted = count === undefined || count === '' ? [] : countedSettings(count, env);
  const quoted = parameters === undefined ? [] : quotedSettings(parameters);
  return {
    settings: [...(counted ?? []), ...(quoted ?? [])],
    unreadable: [...(counted ? [] : ['GIT_CONFIG_COUNT']), ...(quoted ? [] : ['GIT_CONFIG_PARAMETERS'])],
  };
}

function countedSettings(count: string, env: Environment): readonly Setting[] | undefined {
  if (!/^\d{1,3}$/.test(count)) return undefined;
  const settings: Setting[] = [];
  for (let i = 0; i < Math.min(Number(count), MOST_SETTINGS); i++) {
    const [key, value] = [env[`GIT_CONFIG_KEY_${i}`], env[`GIT_CONFIG_VALUE_${i}`]];
    if (key === undefined || value === undefined) return undefined;
    settings.push({ key: key.toLowerCase(), value, via: 'env' });
  }
  return settings;
}

/** Parses `'key=value'` or `'key'='value'`, separated by blanks. */
function quotedSettings(text: string): readonly Setting[] | undefined {
  const settings: Setting[] = [];
  let rest = text.trim();
  while (rest !== '' && settings.length < MOST_SETTINGS) {
    const match = /^'([^']*)'(?:=(?:'([^']*)')?)?(?=\s|$)/.exec(rest);
    if (match === null) return undefined;
    const [whole, first = '', second] = match;
    settings.push(settingOf(second === undefined ? first : `${first}=${second}`, 'env'));
    rest = rest.slice(whole.length).trimStart();
  }
  return settings;
}
