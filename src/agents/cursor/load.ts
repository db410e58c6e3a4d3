/** Reads one hook of a list: what is asked, with which limits. What can't be used is a complaint, and then there is no hook. */
import { entryOf, fieldOf, kindName, type MapNode, type Node } from '../../core/document.ts';
import type { Hook } from '../../core/hook.ts';
import { type Complaints, type Group, ownHandler, readMatcher, readScalar } from '../../core/loading.ts';
import { suggest } from '../../core/suggest.ts';
import { type EventName, profile } from './profile.ts';

export interface Action {
  readonly handler: Hook['handler'];
  readonly timeoutMs: number;
  readonly failClosed: boolean;
  readonly required: boolean;
  readonly matcher?: Group['matcher'];
}

const KEYS = ['type', 'command', 'prompt', 'matcher', 'timeout', 'loop_limit', 'failClosed', 'model', 'required'];
/** Timers wrap beyond this and would fire at once. */
const LONGEST_MS = 2_147_483_647;
/** Nobody waits a quarter of an hour for a hook: these are milliseconds. */
const DOUBTFUL_SECONDS = 1000;

export function readAction(node: Node, event: EventName, path: string, complaints: Complaints): Action | undefined {
  if (node.kind !== 'map') {
    const hint = 'Write `{"command": "…"}`.';
    complaints.say('error', 'wrong-type', node.at, `\`${path}\` must be a map with a \`command\`, found ${kindName(node)}.`, hint);
    return undefined;
  }
  if (entryOf(node, 'hooks') && !entryOf(node, 'command')) {
    const hint = 'This format has no groups: give every hook its own `matcher` and `command`.';
    complaints.say('error', 'missing-field', node.at, `\`${path}\` is a group of hooks.`, hint);
    return undefined;
  }
  const handler = ownHandler(node) ?? handlerOf(node, path, complaints);
  const timeoutMs = timeoutOf(node, complaints);
  const failClosed = optional(node, 'failClosed', 'boolean', complaints);
  const required = optional(node, 'required', 'boolean', complaints);
  const matcher = readMatcher(node, complaints);
  if (handler?.type === 'command' || handler?.type === 'prompt') sayOthers(node, event, complaints);
  if (!handler || timeoutMs === undefined || failClosed === 'unusable' || required === 'unusable' || matcher === 'unusable')
    return undefined;
  return { handler, timeoutMs, failClosed: failClosed ?? false, required: required ?? false, ...(matcher && { matcher }) };
}

function handlerOf(node: MapNode, path: string, complaints: Complaints): Hook['handler'] | undefined {
  const type = optional(node, 'type', 'string', complaints) ?? 'command';
  if (type === 'unusable') return undefined;
  if (type !== 'command' && type !== 'prompt') {
    const at = fieldOf(node, 'type')?.at ?? node.at;
    complaints.say('warning', 'unknown-type', at, `\`${path}\` is of type \`${type}\` and is skipped.`, 'Known types: command, prompt.');
    return undefined;
  }
  const text = optional(node, type, 'string', complaints);
  if (text === 'unusable') return undefined;
  if (text === undefined || text.trim() === '') {
    complaints.say(
      'error',
      'missing-field',
      (fieldOf(node, type) ?? node).at,
      `\`${path}\` has no \`${type}\` and is skipped.`,
      `Add \`${type}\`.`,
    );
    return undefined;
  }
  const model = type === 'prompt' ? optional(node, 'model', 'string', complaints) : undefined;
  return { type, config: { [type]: text, ...(model !== undefined && model !== 'unusable' && { model }) } };
}

function timeoutOf(node: MapNode, complaints: Complaints): number | undefined {
  const seconds = optional(node, 'timeout', 'number', complaints);
  if (seconds === undefined) return profile.ask.timeout.fallbackMs;
  if (seconds === 'unusable') return undefined;
  const at = fieldOf(node, 'timeout')?.at;
  if (!(seconds > 0)) {
    const hint = 'Give the seconds as a number above 0, or leave `timeout` out.';
    complaints.say('error', 'out-of-range', at, `A timeout of ${seconds} seconds can not be kept.`, hint);
    return undefined;
  }
  if (seconds >= DOUBTFUL_SECONDS) {
    complaints.say('warning', 'long-timeout', at, `A timeout of ${seconds} seconds: milliseconds may be meant.`, 'Divide it by 1000.');
  }
  return Math.min(seconds * 1000, LONGEST_MS);
}

function sayOthers(node: MapNode, event: EventName, complaints: Complaints): void {
  for (const { key, at, value } of node.entries) {
    if (!KEYS.includes(key)) {
      const near = suggest(key, KEYS);
      complaints.say('warning', 'unknown-field', at, `\`${key}\` means nothing here.`, near ? `Did you mean \`${near}\`?` : 'Remove it.');
    } else if (key === 'loop_limit' && event !== 'stop' && event !== 'subagentStop') {
      complaints.say('warning', 'unknown-field', at, `\`loop_limit\` means nothing on ${event}.`, 'It belongs to stop and subagentStop.');
    } else if (key === 'loop_limit' && !(value.kind === 'scalar' && (value.value === null || typeof value.value === 'number'))) {
      complaints.say('warning', 'wrong-type', value.at, `\`loop_limit\` must be a number or null, found ${kindName(value)}.`);
    }
  }
}

/** Tells a field that is absent from one that is there and wrong, which has then been said. */
function optional<T extends 'string' | 'number' | 'boolean'>(
  node: MapNode,
  key: string,
  type: T,
  complaints: Complaints,
): { string: string; number: number; boolean: boolean }[T] | 'unusable' | undefined {
  const value = fieldOf(node, key);
  if (!value || (value.kind === 'scalar' && value.value === null)) return undefined;
  return readScalar(node, key, type, complaints)?.value ?? 'unusable';
}
