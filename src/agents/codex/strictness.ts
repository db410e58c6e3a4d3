/**
 * The values for which Codex drops a whole file. Codex ignores a key that it does not know, except at the top of `hooks.json`; but a key that it
 * knows must have the right type and occur once. It drops `hooks.json` with a line on stderr, and does not start with such a `config.toml`.
 */
import type { Flaw } from '../../core/contracts/file-reading.ts';
import { type Document, type Entry, entryOf, kindName, type MapNode, type Node } from '../../core/values/document.ts';
import { isEventName } from './profile.ts';

type Accepts = (node: Node) => boolean;

/** A key that Codex knows: the values that it takes, in words and as a test. */
interface Known {
  readonly takes: string;
  readonly accepts: Accepts;
  readonly required?: true;
}

const isNull: Accepts = (node) => node.kind === 'scalar' && node.value === null;
const isText: Accepts = (node) => node.kind === 'scalar' && typeof node.value === 'string';
const isCount: Accepts = (node) =>
  node.kind === 'scalar' && typeof node.value === 'number' && Number.isInteger(node.value) && node.value >= 0;

const optional = (takes: string, accepts: Accepts): Known => ({ takes, accepts: (node) => isNull(node) || accepts(node) });
const TEXT = optional('text', isText);
const COUNT = optional('a whole number', isCount);
const NEEDED: Known = { takes: 'text', accepts: isText, required: true };
const LIST: Known = { takes: 'a list', accepts: ({ kind }) => kind === 'list' };

type Fields = Readonly<Record<string, Known>>;

const TOP: Fields = { description: TEXT, hooks: { takes: 'a map of events', accepts: ({ kind }) => kind === 'map' || kind === 'list' } };
const GROUP: Fields = { matcher: TEXT, hooks: LIST };
const COMMON: Fields = { type: NEEDED, timeout: COUNT, statusMessage: TEXT };
/** It skips a prompt and an agent without a look at their fields. */
const HANDLERS: Readonly<Record<string, Fields>> = {
  command: {
    ...COMMON,
    command: NEEDED,
    commandWindows: TEXT,
    command_windows: TEXT,
    async: { takes: 'true or false', accepts: (node) => node.kind === 'scalar' && typeof node.value === 'boolean' },
    additionalContextLimit: COUNT,
  },
  mcp_tool: { ...COMMON, server: NEEDED, tool: NEEDED, input: { takes: 'a map', accepts: ({ kind }) => kind === 'map' } },
  prompt: { type: NEEDED },
  agent: { type: NEEDED },
};

/** Returns every reason why Codex drops the file, in the order of the file; none if it reads it. */
export function flawsIn(document: Document): readonly Flaw[] {
  const { root, file, diagnostics, beyondJson } = document;
  if (root?.kind !== 'map') return [];
  const twice = new Set(diagnostics.flatMap(({ code, line, column }) => (code === 'duplicate-key' ? [`${line}:${column}`] : [])));
  const check: Check = { flaws: [], isTwice: ({ at }) => twice.has(`${at.line}:${at.column}`) };
  if (beyondJson) check.flaws.push({ why: `it has ${beyondJson.what}`, at: beyondJson.at });
  if (/\.json$/i.test(file)) checkTop(root, check);
  else checkFields(root, { hooks: TOP['hooks'] as Known }, 'the file', check);
  const hooks = entryOf(root, 'hooks')?.value;
  if (hooks?.kind === 'list') checkListed(hooks.items, check);
  if (hooks?.kind === 'map') for (const entry of hooks.entries) if (isEventName(entry.key)) checkEvent(entry, check);
  return check.flaws;
}

interface Check {
  readonly flaws: Flaw[];
  isTwice(entry: Entry): boolean;
}

function checkTop(root: MapNode, check: Check): void {
  for (const { key, at } of root.entries) {
    if (Object.hasOwn(TOP, key)) continue;
    check.flaws.push({ why: `it has \`${key}\` at the top, where Codex knows only \`description\` and \`hooks\``, at });
  }
  checkFields(root, TOP, 'the file', check);
}

/** Codex takes a list for the events in their order, each of them a list. */
function checkListed(events: readonly Node[], { flaws }: Check): void {
  const [first] = events.filter(({ kind }) => kind !== 'list');
  if (first) flaws.push({ why: '`hooks` must be a map of events, found a list', at: first.at });
}

function checkEvent(entry: Entry, check: Check): void {
  const { key, value, at } = entry;
  if (check.isTwice(entry)) check.flaws.push(writtenTwice(key, at));
  if (value.kind !== 'list') check.flaws.push({ why: `\`${key}\` must be a list of groups, found ${kindName(value)}`, at: value.at });
  else for (const group of value.items) checkGroup(group, key, check);
}

function checkGroup(group: Node, event: string, check: Check): void {
  if (group.kind === 'scalar') check.flaws.push({ why: `a group of \`${event}\` must be a map, found ${kindName(group)}`, at: group.at });
  if (group.kind !== 'map') return;
  checkFields(group, GROUP, `a group of \`${event}\``, check);
  const handlers = entryOf(group, 'hooks')?.value;
  if (handlers?.kind === 'list') for (const handler of handlers.items) checkHandler(handler, event, check);
}

function checkHandler(handler: Node, event: string, check: Check): void {
  // A list holds the values of a handler in their order, so its first item is the type.
  const type = handler.kind === 'list' ? handler.items[0] : entryOf(handler, 'type')?.value;
  const name = type?.kind === 'scalar' && typeof type.value === 'string' ? type.value : undefined;
  if (handler.kind === 'scalar' || name === undefined || !Object.hasOwn(HANDLERS, name)) {
    const found = handler.kind === 'scalar' ? kindName(handler) : !type ? 'none' : name === undefined ? kindName(type) : `\`${name}\``;
    const why = `a hook of \`${event}\` needs a \`type\` of ${Object.keys(HANDLERS).join(', ')}, found ${found}`;
    check.flaws.push({ why, at: (type ?? handler).at });
  } else if (handler.kind === 'map') checkFields(handler, HANDLERS[name] as Fields, `a hook of \`${event}\``, check);
}

function checkFields(map: MapNode, fields: Fields, place: string, check: Check): void {
  for (const [key, { takes, accepts, required }] of Object.entries(fields)) {
    const entry = entryOf(map, key);
    if (!entry) {
      if (required) check.flaws.push({ why: `${place} has no \`${key}\``, at: map.at });
      continue;
    }
    if (check.isTwice(entry)) check.flaws.push(writtenTwice(key, entry.at));
    if (!accepts(entry.value)) {
      check.flaws.push({ why: `\`${key}\` of ${place} must be ${takes}, found ${kindName(entry.value)}`, at: entry.value.at });
    }
  }
}

function writtenTwice(key: string, at: Flaw['at']): Flaw {
  return { why: `\`${key}\` is written twice`, at };
}
