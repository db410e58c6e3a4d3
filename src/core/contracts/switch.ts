/** Settings in agents' files that disable hooks, and lists of permitted addresses in which `*` matches any text. */

import type { Position } from '../values/diagnostic.ts';
import { entryOf, kindName, type Node } from '../values/document.ts';
import { textOf } from '../values/json.ts';
import { type Problems, readScalar, stringsIn } from '../values/read-document.ts';
import type { Hook } from './hook.ts';

export function permitsAddress(list: readonly string[], url: string): boolean {
  return list.some((word) => new RegExp(`^${word.split('*').map(escaped).join('.*')}$`).test(url));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** A setting in an agent's file that disables hooks: those of its own file and, from a place above, those of other files. */
export interface Switch {
  /** The key as it is written: `disableAllHooks`. */
  readonly key: string;
  readonly at: Position;
  /** Returns the hook unchanged, a reduced copy of it, or a copy that is not enabled. */
  apply(hook: Hook): Hook;
}

/** Disables every hook. */
export function off(hook: Hook): Hook {
  return { ...hook, enabled: false };
}

/** Returns a switch if the key under `owner` has this value. `key` is the name to report if the setting is nested. */
export function switchAt(
  owner: Node | undefined,
  name: string,
  value: boolean,
  apply: Switch['apply'],
  problems: Problems,
  key: string = name,
): readonly Switch[] {
  const read = owner?.kind === 'map' ? readScalar(owner, name, 'boolean', problems) : undefined;
  return read?.value === value ? [{ key, at: read.at, apply }] : [];
}

/** Returns the list of strings under a key, which may be empty, or undefined if there is none. Reports a value that is no such list. */
export function listAt(owner: Node | undefined, name: string, problems: Problems): Listed | undefined {
  const node = entryOf(owner, name)?.value;
  if (!node || (node.kind === 'scalar' && node.value === null)) return undefined;
  const words = node.kind === 'list' && node.items.length === 0 ? [] : stringsIn(node);
  if (words) return { words, at: node.at };
  const what = `\`${name}\` must be a list of texts, found ${kindName(node)}; it is not looked at.`;
  problems.report('warning', 'wrong-type', node.at, what, 'Quote every entry.');
  return undefined;
}

export interface Listed {
  readonly words: readonly string[];
  readonly at: Position;
}

/** Disables the hooks with these names or commands. */
export function offByName({ words, at }: Listed, key: string): Switch {
  const named = new Set(words);
  const isNamed = ({ name, formerName = name, handler: { config } }: Hook) =>
    [name, formerName, textOf(config['command']) ?? name].some((one) => named.has(one));
  return { key, at, apply: (hook) => (isNamed(hook) ? off(hook) : hook) };
}

/** Hooks may call only addresses in this list; `*` matches any text. */
export function onlyAddresses({ words, at }: Listed, key: string): Switch {
  return {
    key,
    at,
    apply(hook) {
      const { url } = hook.handler.config;
      return typeof url !== 'string' || permitsAddress(words, url) ? hook : off(hook);
    },
  };
}
