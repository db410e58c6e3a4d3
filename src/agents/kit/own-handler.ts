/** Handlers in hook files that are Hookline's own, and names for hooks that have none. */
import type { LoadContext } from '../../core/contracts/dialect.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { entryOf, type Node, toJson } from '../../core/values/document.ts';
import { textOf } from '../../core/values/json.ts';

/** Fields that every handler has; the rest of the map is the configuration of a handler of Hookline's own. */
const NOT_CONFIG: ReadonlySet<string> = new Set(['type', 'name', 'timeout', 'timeout_secs', 'priority', 'matcher', 'required']);

/** Returns the handler if its type is one of Hookline's own that files of every format may name. */
export function ownHandler(node: Node, { ownTypes }: Pick<LoadContext, 'ownTypes'>): Hook['handler'] | undefined {
  const type = entryOf(node, 'type')?.value;
  if (node.kind !== 'map' || type?.kind !== 'scalar' || typeof type.value !== 'string' || !ownTypes?.has(type.value)) return undefined;
  const config = node.entries.filter(({ key }) => !NOT_CONFIG.has(key)).map(({ key, value }) => [key, toJson(value)] as const);
  return { type: type.value, config: Object.fromEntries(config) };
}

const INTERPRETERS: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'env',
  'node',
  'python',
  'python3',
  'ruby',
  'perl',
  'exec',
]);

/** Returns a label for a hook without a name: the program its command runs, the server it asks, or its type. */
export function handlerLabel({ type, config }: Hook['handler']): string {
  const url = textOf(config['url']);
  if (url !== undefined) return url.replace(/^[a-z]+:\/\/(?:[^/@]*@)?/, '').split(/[/?#]/, 1)[0] || type;
  const words = (textOf(config['command']) ?? '').replace(/["']/g, '').split(/\s+/).slice(0, 20);
  const program = words
    .filter((word) => word !== '' && !word.startsWith('-') && !/^\w+=/.test(word))
    .map((word) => word.slice(word.lastIndexOf('/') + 1))
    .find((word) => word !== '' && !INTERPRETERS.has(word));
  return program === undefined ? type : program.slice(0, 40);
}
