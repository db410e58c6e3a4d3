/** The settings of the guard. An override that lacks its rule, its reason or its end is said and does not count. */
import { type Entry, kindName, type Node, toJson } from '../core/document.ts';
import { endOf, type GuardOverride, type GuardSettings, PRESET_NAMES } from '../core/guard-settings.ts';
import { isObject, type JsonObject } from '../core/json.ts';
import type { Complaints } from '../core/loading.ts';
import { readMap, readOneOf, readWords, wrongType } from './settings-values.ts';

export const readGuard = readMap<GuardSettings>({ preset: readOneOf(PRESET_NAMES), packs: readWords, overrides: readOverrides });

function readOverrides(entry: Entry, complaints: Complaints): readonly GuardOverride[] | undefined {
  if (entry.value.kind !== 'list') {
    wrongType(entry, 'a list of overrides', complaints);
    return undefined;
  }
  return entry.value.items.flatMap((item) => {
    const value = toJson(item);
    const wrong = isObject(value) ? flawOf(value) : `An override must be a map, found ${kindName(item)}`;
    if (wrong === undefined) return [value as unknown as GuardOverride];
    sayBad(item, wrong, complaints);
    return [];
  });
}

function sayBad({ at }: Node, wrong: string, complaints: Complaints): void {
  const hint = 'Write `{ "rule": "…", "command": "…", "reason": "…", "expires": "2026-12-31" }`; `command` and `path` may be left out.';
  complaints.say('warning', 'bad-override', at, `${wrong}; it does not count.`, hint);
}

const KNOWN = ['rule', 'command', 'path', 'reason', 'expires'];

function flawOf(value: JsonObject): string | undefined {
  // A condition that is misspelt would leave the override without any.
  const unknown = Object.keys(value).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) return `An override has no \`${unknown}\``;
  for (const key of ['rule', 'reason', 'expires']) {
    const text = value[key];
    if (typeof text !== 'string' || text.trim() === '') return `An override needs a \`${key}\``;
  }
  for (const key of ['command', 'path']) {
    if (value[key] !== undefined && typeof value[key] !== 'string') return `The \`${key}\` of an override must be text`;
  }
  return endOf({ expires: String(value['expires']) }) === undefined ? `\`${String(value['expires'])}\` is no ISO date` : undefined;
}
