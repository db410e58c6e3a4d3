/** Reads the settings of the guard, which the user, the machine's policy and a project have. */
import { endOf, type GuardOverride, type GuardSettings, PRESET_NAMES } from '../../core/contracts/guard-settings.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { type Document, type Entry, entryOf, fieldOf, kindName, type Node, toJson } from '../../core/values/document.ts';
import { isObject, type JsonObject } from '../../core/values/json.ts';
import type { Problems } from '../../core/values/read-document.ts';
import { readMap, readOneOf, readStrings, wrongType } from './values.ts';

/** Reads all but the rules of one's own, which `completeGuard` adds. */
export const readGuard = readMap<Pick<GuardSettings, 'preset' | 'packs' | 'overrides' | 'protect' | 'rules'>>({
  preset: readOneOf(PRESET_NAMES),
  packs: readStrings,
  overrides: readOverrides,
  protect: () => undefined,
  rules: () => undefined,
});

/**
 * Adds the rules of one's own in a settings file. Their reader is loaded only if there are any. A file that cannot be read, a rule that cannot be
 * used and a key that is unknown are `broken`: nothing tells what their author wanted to protect.
 */
export async function completeGuard(
  guard: GuardSettings | undefined,
  { file, root, diagnostics }: Document,
  problems: Problems,
): Promise<GuardSettings | undefined> {
  const node = fieldOf(root, 'guard');
  const [protect, rules] = [entryOf(node, 'protect'), entryOf(node, 'rules')];
  const failed = [...diagnostics, ...problems.list].filter((one) => one.severity === 'error' || isUnknownIn(node, one));
  if (!protect && !rules && failed.length === 0) return guard;
  const { readAuthored, placed } = await import('./authored.ts');
  const before = problems.list.length;
  const authored = readAuthored({ protect, rules }, file, problems);
  const broken = [...failed, ...problems.list.slice(before)].map(placed);
  return { ...guard, ...authored, ...(broken.length > 0 && { broken }) };
}

/** Whether a problem is a key of the guard that is unknown, which may be a misspelt protection. */
function isUnknownIn(guard: Node | undefined, { code, line, column }: Diagnostic): boolean {
  if (code !== 'unknown-key' || guard?.kind !== 'map') return false;
  return guard.entries.some(({ at }) => at.line === line && at.column === column);
}

/** An override without a rule, a reason or an end is reported and has no effect. */
function readOverrides(entry: Entry, problems: Problems): readonly GuardOverride[] | undefined {
  if (entry.value.kind !== 'list') {
    wrongType(entry, 'a list of overrides', problems);
    return undefined;
  }
  return entry.value.items.flatMap((item) => {
    const value = toJson(item);
    const wrong = isObject(value) ? flawOf(value) : `An override must be a map, found ${kindName(item)}`;
    if (wrong === undefined) return [value as unknown as GuardOverride];
    sayBad(item, wrong, problems);
    return [];
  });
}

function sayBad({ at }: Node, wrong: string, problems: Problems): void {
  const hint = 'Write `{ "rule": "…", "command": "…", "reason": "…", "expires": "2026-12-31" }`; `command` and `path` may be left out.';
  problems.report('warning', 'bad-override', at, `${wrong}; the override has no effect.`, hint);
}

const KNOWN = ['rule', 'command', 'path', 'reason', 'expires'];

function flawOf(value: JsonObject): string | undefined {
  // A misspelt condition would leave the override without any condition.
  const unknown = Object.keys(value).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) return `An override has no \`${unknown}\``;
  for (const key of ['rule', 'reason', 'expires']) {
    const text = value[key];
    if (typeof text !== 'string' || text.trim() === '') return `An override needs a \`${key}\``;
  }
  for (const key of ['command', 'path']) {
    if (value[key] !== undefined && typeof value[key] !== 'string') return `The \`${key}\` of an override must be text`;
  }
  return endOf({ expires: String(value['expires']) }) === undefined ? `\`${String(value['expires'])}\` is not an ISO date` : undefined;
}
