/**
 * Signs that a plugin or a skill was written for Claude Code, although it is in a place of another format: an event or a field of a handler
 * that only Claude Code has, and in plugins a timeout that is too short in milliseconds.
 */
import type { Evidence } from '../../core/contracts/agent.ts';
import type { Dialect, LoadContext } from '../../core/contracts/dialect.ts';
import { type Document, type Entry, entryOf, fieldOf, type MapNode, type Node } from '../../core/values/document.ts';
import { problemsIn } from '../../core/values/read-document.ts';
import { pluginSources } from './load.ts';
import { isEventName } from './profile.ts';

/** Fields of a handler that no other format has. */
export const OWN_FIELDS = [
  'if',
  'statusMessage',
  'once',
  'onFailure',
  'args',
  'shell',
  'async',
  'asyncRewake',
  'rewakeMessage',
  'rewakeSummary',
  'allowedEnvVars',
  'continueOnBlock',
  'server',
] as const;

/** The same, for fields that other formats have in skills. */
export const OWN_PLUGIN_FIELDS = ['url', 'headers', 'model'] as const;

/** Types of handlers whose fields are known. Those of other types may be called anything. */
const TYPES: readonly unknown[] = ['command', 'http', 'prompt', 'agent', 'mcp_tool'];
/** A plugin that counts in milliseconds has longer timeouts. */
const SHORTEST_MS = 100;

export function findEvidence(document: Document, context: LoadContext, owner: Dialect): Evidence | undefined {
  const isSkill = /\.md$/i.test(document.file);
  const { root } = document;
  if (root?.kind !== 'map') return undefined;
  if (isSkill) return inEvents(document.file, fieldOf(root, 'hooks'), owner, false);
  for (const source of pluginSources(document.file, root, context, problemsIn(document.file))) {
    const found = inEvents(source.document.file, fieldOf(source.document.root, 'hooks') ?? source.document.root, owner, true);
    if (found) return found;
  }
  return undefined;
}

function inEvents(file: string, events: Node | undefined, owner: Dialect, ofPlugin: boolean): Evidence | undefined {
  for (const { key, at, value } of namedEvents(events)) {
    if (!isEventName(key)) continue;
    if (!Object.hasOwn(owner.profile.events, key)) return { what: `it names the event \`${key}\``, file, at };
    for (const handler of handlersIn(value)) {
      const found = inHandler(handler, ofPlugin);
      if (found) return { ...found, file };
    }
  }
  return undefined;
}

/** The events of a map, or of a list whose items name theirs. */
function namedEvents(node: Node | undefined): readonly Entry[] {
  if (node?.kind === 'map') return node.entries;
  return itemsOf(node).flatMap((item) => {
    const event = fieldOf(item, 'event');
    return event?.kind === 'scalar' && typeof event.value === 'string' ? [{ key: event.value, at: event.at, value: item }] : [];
  });
}

/** Every handler below an event, in a group or without one. */
function handlersIn(node: Node): readonly MapNode[] {
  if (node.kind === 'list') return node.items.flatMap(handlersIn);
  const hooks = fieldOf(node, 'hooks');
  if (hooks) return handlersIn(hooks);
  return node.kind === 'map' ? [node] : [];
}

function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === 'list' ? node.items : [];
}

function inHandler(handler: MapNode, ofPlugin: boolean): Pick<Evidence, 'what' | 'at'> | undefined {
  const type = fieldOf(handler, 'type');
  if (type ? type.kind !== 'scalar' || !TYPES.includes(type.value) : !entryOf(handler, 'command')) return undefined;
  const field = [...OWN_FIELDS, ...(ofPlugin ? OWN_PLUGIN_FIELDS : [])]
    .map((name) => entryOf(handler, name))
    .find((entry) => entry !== undefined);
  if (field) return { what: `a handler has the field \`${field.key}\``, at: field.at };
  const timeout = ofPlugin ? fieldOf(handler, 'timeout') : undefined;
  if (timeout?.kind !== 'scalar' || typeof timeout.value !== 'number' || timeout.value <= 0 || timeout.value >= SHORTEST_MS)
    return undefined;
  return { what: `a \`timeout\` of ${timeout.value} can only be meant in seconds`, at: timeout.at };
}
