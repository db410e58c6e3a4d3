/** The headers of an http handler, and which variables may be put into them. What they hold is looked up when the hook is asked, never before. */
import { fieldOf, kindName, type MapNode } from '../../core/document.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Complaints } from '../../core/loading.ts';
import { wordsIn } from '../../core/matcher-groups.ts';

/** Undefined if they can't be read: without its headers a request may go where it should not, or say less than it should. */
export function headersIn(fields: MapNode, complaints: Complaints): JsonObject | undefined {
  const node = fieldOf(fields, 'headers');
  if (!node || (node.kind === 'scalar' && node.value === null)) return {};
  if (node.kind !== 'map') {
    const hint = 'Write `{"Authorization": "Bearer $TOKEN"}`.';
    complaints.say('error', 'wrong-type', node.at, `\`headers\` must be a map of names to texts, found ${kindName(node)}.`, hint);
    return undefined;
  }
  const headers: [string, string][] = [];
  for (const { key, value } of node.entries) {
    if (value.kind !== 'scalar' || value.value === null) {
      complaints.say('error', 'wrong-type', value.at, `The header \`${key}\` must be text, found ${kindName(value)}.`, 'Quote its value.');
      return undefined;
    }
    headers.push([key, String(value.value)]);
  }
  const allowed = fieldOf(fields, 'allowedEnvVars');
  const names = allowed && allowed.kind === 'list' && allowed.items.length > 0 ? wordsIn(allowed) : [];
  if (!names || (allowed && allowed.kind !== 'list')) {
    complaints.say('error', 'wrong-type', allowed?.at, '`allowedEnvVars` must be a list of names.', 'Write `["TOKEN"]`.');
    return undefined;
  }
  return { headers: Object.fromEntries(headers), allowedEnvVars: names };
}
