/** Lists of addresses in which `*` stands for anything, as agents have them in their settings. */

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

/** A setting in an agent's file that keeps hooks from running: those of its own file, and from above those of others. */

export interface Switch {
  /** As it is written: `disableAllHooks`. */
  readonly key: string;
  readonly at: Position;
  /** What is left of a hook: itself, the same with less, or one that is not enabled. */
  apply(hook: Hook): Hook;
}

/** Off, whatever else it says. */
export function off(hook: Hook): Hook {
  return { ...hook, enabled: false };
}

/** A switch that is on where the key under `owner` has this value; `key` is how it is told, if it stands deeper than at the top. */
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

/** The list of texts under a key, which may be empty; undefined if there is none. What is no such list is a complaint. */
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

/** Hooks of these names, or with these commands. */
export function offByName({ words, at }: Listed, key: string): Switch {
  const named = new Set(words);
  const isNamed = ({ name, handler: { config } }: Hook) => named.has(name) || named.has(textOf(config['command']) ?? name);
  return { key, at, apply: (hook) => (isNamed(hook) ? off(hook) : hook) };
}

/** Hooks that ask an address may ask only such as these; `*` stands for anything. */
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
