/** The `headers` of an http handler: names and texts. What is neither is a complaint, and the handler does not load. */
import { entryOf, kindName, type Node } from '../../core/document.ts';
import type { Complaints } from '../../core/loading.ts';

export function readHeaders(node: Node, complaints: Complaints): Record<string, string> | undefined {
  const headers = entryOf(node, 'headers')?.value;
  if (!headers || (headers.kind === 'scalar' && headers.value === null)) return {};
  if (headers.kind !== 'map') {
    complaints.say('error', 'wrong-type', headers.at, `\`headers\` must be a map of names to values, found ${kindName(headers)}.`);
    return undefined;
  }
  const read: [string, string][] = [];
  for (const { key, value } of headers.entries) {
    if (value.kind !== 'scalar' || value.value === null) {
      complaints.say('error', 'wrong-type', value.at, `The header \`${key}\` must be text, found ${kindName(value)}.`);
      return undefined;
    }
    read.push([key, String(value.value)]);
  }
  return Object.fromEntries(read);
}
