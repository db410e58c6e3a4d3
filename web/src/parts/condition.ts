/** The conditions of an address, as text that a person types and reads. */
import { CONDITIONS, type Query } from '../data/address.ts';
import { folderName, hostName } from './names.ts';
import { shortClock } from './time.ts';

/** `tool:Bash` and the like; everything else is looked for as text. */
export function readConditions(typed: string): Query {
  const found: Record<string, string> = {};
  const words: string[] = [];
  for (const [part] of typed.matchAll(/(?:[^\s"]|"[^"]*")+/g)) {
    const [, name = '', value = ''] = /^(\w+):(.+)$/s.exec(part) ?? [];
    const known = CONDITIONS.find((one) => one === name);
    if (known) found[known] = value.replace(/^"(.*)"$/s, '$1');
    else words.push(part);
  }
  if (words.length > 0) found['text'] = words.join(' ').replace(/^"(.*)"$/s, '$1');
  return found;
}

/** A condition in words: `tool Bash`, `since 14:42`. */
export function inWords(name: string, value: string): readonly [label: string, value: string] {
  if (name === 'since' || name === 'until') return [name, shortClock(Number(value))];
  if (name === 'fault') return ['with', 'faults'];
  if (name === 'host') return ['agent', hostName(value)];
  if (name === 'agent') return ['subagent', value];
  if (name === 'project') return ['project', folderName(value)];
  if (name === 'session' || name === 'hook') return [name, value.length > 24 ? `${value.slice(0, 22)}…` : value];
  return [name, value.replaceAll(',', ' or ')];
}
