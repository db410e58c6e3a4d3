/** Reads what stands under one event: a map of names, a list, or groups with a matcher, down to single commands. */

import type { LoadContext } from '../../core/contracts/dialect.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import type { Position } from '../../core/values/diagnostic.ts';
import { type Entry, entryOf, fieldOf, kindName, type MapNode, type Node } from '../../core/values/document.ts';
import { type Problems, readScalar } from '../../core/values/read-document.ts';
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';
import { type FoundMatcher, matcherOf } from '../kit/matcher-groups.ts';
import { ownHandler } from '../kit/own-handler.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { profile } from './profile.ts';

/** One command, as found. */
export interface Command {
  readonly name?: string;
  /** Counts the entries of an event, usable or not, so that a neighbour's mistake does not rename a hook. */
  readonly number: number;
  readonly path: string;
  readonly at: Position;
  readonly command: string;
  /** A handler of Hookline's own, in place of the command. */
  readonly own?: Hook['handler'];
  readonly timeoutMs: number;
  readonly priority: number;
  readonly required?: true;
  readonly matcher?: FoundMatcher | undefined;
  /** Variables on top of the agent's own. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

export const FIELDS = [
  'command',
  'timeout_secs',
  'timeout',
  'matcher',
  'name',
  'priority',
  'required',
  'type',
  'description',
  'env',
  'extra_env',
];
const SHAPES = 'a map of names, a list of commands, or a list of `{matcher, hooks}` groups';

export function readEntries(event: Entry, context: LoadContext, problems: Problems): Command[] {
  const { key, value } = event;
  const found: Command[] = [];
  let number = 0;
  const add = (node: Node, path: string, extra: { name?: string; at?: Position; matcher?: FoundMatcher | undefined } = {}): void => {
    number++;
    const read = readCommand(node, path, context, problems);
    if (read) found.push({ at: node.at, number, path, ...read, ...extra });
  };
  if (value.kind === 'map') {
    if (isSingleHandler(value)) sayNameless(event, problems);
    else for (const entry of value.entries) add(entry.value, `${key}.${entry.key}`, { name: entry.key, at: entry.at });
  } else if (value.kind === 'list') {
    for (const [index, item] of value.items.entries()) {
      const group = readGroup(item, problems);
      if (group === 'unusable') continue;
      if (!group) add(item, `${key}[${index}]`);
      else for (const [i, action] of group.actions.entries()) add(action, `${key}[${index}].hooks[${i}]`, group.shared);
    }
  } else if (value.value !== null) {
    problems.report('error', 'wrong-type', value.at, `\`${key}\` must be ${SHAPES}, found ${kindName(value)}.`, `Write \`["…"]\`.`);
  }
  return found;
}

/** `{command, matcher}` straight under the event: read as names it would run the matcher as a command. */
function isSingleHandler(map: MapNode): boolean {
  const has = (key: string): boolean => entryOf(map, key) !== undefined;
  return has('command') && (has('matcher') || has('timeout_secs') || has('timeout') || has('type'));
}

function sayNameless({ key, value }: Entry, problems: Problems): void {
  const hint = `Put it under a name: \`"${key}": {"my-hook": {"command": …}}\`, or in a list.`;
  problems.report('error', 'wrong-type', value.at, `\`${key}\` must be ${SHAPES}, found a single handler.`, hint);
}

interface FoundGroup {
  readonly actions: readonly Node[];
  readonly shared: { readonly matcher?: FoundMatcher };
}

/** Undefined if the item is no group but a command of its own. */
function readGroup(item: Node, problems: Problems): FoundGroup | 'unusable' | undefined {
  const actions = fieldOf(item, 'hooks');
  if (!actions) return undefined;
  if (actions.kind !== 'list') {
    const hint = 'Put the actions in a list under `hooks`.';
    problems.report('error', 'wrong-type', actions.at, `The \`hooks\` of a group must be a list, found ${kindName(actions)}.`, hint);
    return 'unusable';
  }
  if (item.kind === 'map') warnUnknown(item, ['matcher', 'hooks', 'description'], 'a group', problems);
  const matcher = matcherOf(item, problems, 'lists');
  if (matcher === 'unusable') return matcher;
  return { actions: actions.items, shared: matcher ? { matcher } : {} };
}

type ReadCommand = Pick<Command, 'name' | 'command' | 'own' | 'timeoutMs' | 'priority' | 'required' | 'matcher' | 'env'>;

function readCommand(node: Node, path: string, context: LoadContext, problems: Problems): ReadCommand | undefined {
  const { fallbackMs } = profile.ask.timeout;
  if (node.kind === 'scalar' && typeof node.value === 'string' && node.value.trim() !== '') {
    return { command: node.value, timeoutMs: fallbackMs, priority: 0 };
  }
  if (node.kind !== 'map') {
    const found = node.kind === 'scalar' && node.value === '' ? 'empty text' : kindName(node);
    const hint = 'Write the command as text, or `{"command": "…"}`.';
    problems.report('error', 'wrong-type', node.at, `\`${path}\` must be a command or a map with a \`command\`, found ${found}.`, hint);
    return undefined;
  }
  const own = ownHandler(node, context);
  if (!own && !isCommandType(node, path, problems)) return undefined;
  if (!own) warnUnknown(node, FIELDS, 'a command', problems);
  const command = own ? '' : readText(node, path, problems);
  const timeoutMs = readTimeout(node, problems);
  const priority = readPriority(node, problems);
  const name = readOptional(node, 'name', 'string', problems);
  const required = readOptional(node, 'required', 'boolean', problems);
  const matcher = matcherOf(node, problems, 'lists');
  const env = readEnv(node, problems);
  if (env === 'unusable') return undefined;
  if (command === undefined || !timeoutMs || priority === undefined) return undefined;
  if (name === 'unusable' || required === 'unusable' || matcher === 'unusable') return undefined;
  const marks = { ...(name?.value && { name: name.value }), ...(required?.value && { required: true as const }) };
  return { command, ...(own && { own }), timeoutMs, priority, ...marks, ...(matcher && { matcher }), ...(env && { env }) };
}

/** The document's `extra_env` of a command; `env` means the same. */
function readEnv(node: MapNode, problems: Problems): Command['env'] | 'unusable' {
  const all = ['env', 'extra_env'].map((key) => readVariables(node, key, problems));
  if (all.includes('unusable')) return 'unusable';
  const env = Object.assign({}, ...all) as Record<string, string>;
  return Object.keys(env).length === 0 ? undefined : env;
}

/** Reads a map of variables. Variables that control Hookline are not taken from a file. */
export function readVariables(owner: Node | undefined, key: string, problems: Problems): Record<string, string> | undefined | 'unusable' {
  const map = fieldOf(owner, key);
  if (!map || (map.kind === 'scalar' && map.value === null)) return undefined;
  const wrong = (node: Node, what: string): 'unusable' => {
    problems.report('error', 'wrong-type', node.at, `${what}, found ${kindName(node)}.`, `Write \`"${key}": {"NAME": "value"}\`.`);
    return 'unusable';
  };
  if (map.kind !== 'map') return wrong(map, `\`${key}\` must be a map of variables`);
  const variables: Record<string, string> = {};
  for (const { key: name, value, at } of map.entries) {
    if (value.kind !== 'scalar' || value.value === null) return wrong(value, `The variable \`${name}\` must be text`);
    if (name !== '' && !/^HOOKLINE_/i.test(name)) variables[name] = String(value.value);
    else problems.report('warning', 'no-effect', at, `The variable \`${name}\` cannot be set here; it is left out.`);
  }
  return variables;
}

/** Other types may be meant for a newer reader of the same file: they are skipped, not run as commands. */
function isCommandType(node: MapNode, path: string, problems: Problems): boolean {
  const type = readOptional(node, 'type', 'string', problems);
  if (type === undefined || type === 'unusable') return type === undefined;
  if (type.value === 'command') return true;
  const hint = 'Only `command` runs in this dialect.';
  problems.report('warning', 'unknown-type', type.at, `\`${path}\` is of type \`${type.value}\` and is skipped.`, hint);
  return false;
}

function readText(node: MapNode, path: string, problems: Problems): string | undefined {
  const command = readOptional(node, 'command', 'string', problems);
  if (command === 'unusable') return undefined;
  if (command && command.value.trim() !== '') return command.value;
  problems.report('error', 'missing-field', (command ?? node).at, `\`${path}\` has no \`command\` and is skipped.`, 'Add `command`.');
  return undefined;
}

/** The flat form says `timeout_secs`, the nested one `timeout`; both are seconds, and each is understood in either form. */
function readTimeout(node: MapNode, problems: Problems): number | undefined {
  const key = entryOf(node, 'timeout_secs') ? 'timeout_secs' : 'timeout';
  const seconds = readOptional(node, key, 'number', problems);
  if (seconds === undefined) return profile.ask.timeout.fallbackMs;
  if (seconds === 'unusable') return undefined;
  if (seconds.value > 0) return Math.min(seconds.value * 1000, LONGEST_TIMER_MS);
  const hint = `Give the seconds as a number above 0, or leave \`${key}\` out.`;
  problems.report('error', 'out-of-range', seconds.at, `A timeout of ${seconds.value} seconds cannot be kept.`, hint);
  return undefined;
}

function readPriority(node: MapNode, problems: Problems): number | undefined {
  const priority = readOptional(node, 'priority', 'number', problems);
  if (priority === undefined) return 0;
  if (priority === 'unusable') return undefined;
  if (Number.isFinite(priority.value)) return priority.value;
  problems.report(
    'error',
    'out-of-range',
    priority.at,
    `A priority of ${priority.value} has no place in an order.`,
    'Give a plain number.',
  );
  return undefined;
}

/** Tells a field that is absent from one that is there and wrong, which has then been reported. */
function readOptional<T extends 'string' | 'number' | 'boolean'>(
  node: MapNode,
  key: string,
  type: T,
  problems: Problems,
): ReturnType<typeof readScalar<T>> | 'unusable' {
  const value = fieldOf(node, key);
  if (!value || (value.kind === 'scalar' && value.value === null)) return undefined;
  return readScalar(node, key, type, problems) ?? 'unusable';
}
