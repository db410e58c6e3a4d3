/** Names that the script gives to commands, other than by functions: `alias x=…` and `hash -p path x`. Kept among its variables. */
import type { Scope } from './scope.ts';

const ALIAS = 'alias ';
const HASHED = 'hash ';
const PATHS = 'hash';

export function setAlias(name: string, code: string, scope: Scope): void {
  scope.set(ALIAS + name, [[code]]);
}

/** The code that `name` stands for. */
export function aliasOf(name: string, scope: Scope): string | undefined {
  return scope.get(ALIAS + name)?.at(-1)?.[0] || undefined;
}

export function setHashed(name: string, path: string, scope: Scope): void {
  scope.set(HASHED + name, [[path]]);
  scope.set(PATHS, [[...(scope.get(PATHS)?.[0] ?? []), name]]);
}

/** The path that the shell would run for `name`. */
export function hashedOf(name: string, scope: Scope): string | undefined {
  return scope.get(HASHED + name)?.at(-1)?.[0] || undefined;
}

export function forget(scope: Scope): void {
  for (const name of scope.get(PATHS)?.[0] ?? []) scope.unset(HASHED + name);
}
