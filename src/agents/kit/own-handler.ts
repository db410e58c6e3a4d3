/** Handlers in hook files that are Hookline's own. */
import type { LoadContext } from '../../core/contracts/dialect.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { entryOf, type Node, toJson } from '../../core/values/document.ts';

/** Fields that every handler has; the rest of the map is the configuration of a handler of Hookline's own. */
const NOT_CONFIG: ReadonlySet<string> = new Set(['type', 'name', 'timeout', 'timeout_secs', 'priority', 'matcher', 'required']);

/** Returns the handler if its type is one of Hookline's own that files of every format may name. */
export function ownHandler(node: Node, { ownTypes }: Pick<LoadContext, 'ownTypes'>): Hook['handler'] | undefined {
  const type = entryOf(node, 'type')?.value;
  if (node.kind !== 'map' || type?.kind !== 'scalar' || typeof type.value !== 'string' || !ownTypes?.has(type.value)) return undefined;
  const config = node.entries.filter(({ key }) => !NOT_CONFIG.has(key)).map(({ key, value }) => [key, toJson(value)] as const);
  return { type: type.value, config: Object.fromEntries(config) };
}
