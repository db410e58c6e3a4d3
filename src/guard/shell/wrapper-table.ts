/** All commands that run what they are given, by name. */
import type { Wrapper } from './wrapper.ts';
import { REMOTE_WRAPPERS } from './wrapper-remote.ts';
import { SYSTEM_WRAPPERS } from './wrapper-system.ts';
import { TOOL_WRAPPERS } from './wrapper-tools.ts';

const WRAPPERS: Readonly<Record<string, Wrapper>> = { ...SYSTEM_WRAPPERS, ...REMOTE_WRAPPERS, ...TOOL_WRAPPERS };
/** Other names. */
const ALSO: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['vi', 'nvim', 'view', 'ex', 'gvim', 'vimdiff', 'rvim'].map((name) => [name, 'vim'])),
  ...Object.fromEntries(['env', 'nice', 'nohup', 'tar', 'make', 'stdbuf'].map((name) => [`g${name}`, name])),
  bsdtar: 'tar',
  mariadb: 'mysql',
};

export function wrapperNamed(name: string): Wrapper | undefined {
  const known = Object.hasOwn(ALSO, name) ? (ALSO[name] ?? name) : name;
  return Object.hasOwn(WRAPPERS, known) ? WRAPPERS[known] : undefined;
}
