/** One handler of Codex: what kind it is, what it needs, how long it may take. A bad one is a complaint; its neighbours load. */

import type { LoadContext } from '../../core/contracts/dialect.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { entryOf, fieldOf, kindName, type MapNode, toJson } from '../../core/values/document.ts';
import type { Json } from '../../core/values/json.ts';
import { type Problems, readScalar, stringsIn } from '../../core/values/read-document.ts';
import { suggest } from '../../core/values/suggest.ts';
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';
import { type FoundHandler, reportLooseShape, shellLine } from '../kit/matcher-groups.ts';
import { ownHandler } from '../kit/own-handler.ts';
import { toolHandler } from '../kit/tool-hook.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { type EventName, profile } from './profile.ts';
import { readServer } from './servers.ts';

export type ReadHandler = Pick<Hook, 'handler' | 'timeoutMs' | 'detach'>;

const COMMON = ['type', 'timeout', 'statusMessage'];
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  command: [...COMMON, 'command', 'commandWindows', 'command_windows', 'async', 'additionalContextLimit'],
  mcp_tool: [...COMMON, 'server', 'tool', 'input'],
};
/** Types that Codex reads and does not run. */
const UNSERVED = ['prompt', 'agent'];
/** At the end of a session Codex does not wait for background hooks. */
const SESSION_END = { fallbackMs: 1000, mostMs: 3000 };
/** As many seconds as this are most likely meant as milliseconds. */
const SUSPICIOUS_SECONDS = 1000;

export function readHandler(found: FoundHandler, event: EventName, context: LoadContext, problems: Problems): ReadHandler | undefined {
  const { fields, line } = found;
  if (!fields) return { handler: { type: 'command', config: { command: line ?? '' } }, timeoutMs: fallbackOf(event), detach: false };
  const handler = handlerIn(found, fields, context, problems);
  if (!handler) return undefined;
  const wantsAsync = readScalar(fields, 'async', 'boolean', problems)?.value === true;
  // At the end of a session nothing would be left to run it.
  return { handler, timeoutMs: timeoutIn(fields, event, problems), detach: wantsAsync && event !== 'SessionEnd' };
}

function handlerIn({ path, group }: FoundHandler, fields: MapNode, context: LoadContext, problems: Problems): Hook['handler'] | undefined {
  const entry = entryOf(fields, 'type');
  const own = ownHandler(fields, context);
  if (own) {
    problems.report(
      'warning',
      'unknown-type',
      entry?.value.at,
      `\`${own.type}\` is a type of Hookline's own, which Codex does not know.`,
      OWN_HINT,
    );
    return own;
  }
  if (!entry) reportLooseShape(problems, fields.at, `\`${path}\` has no \`type\`; it is taken for a command.`, 'Add `"type": "command"`.');
  const type = entry ? readScalar(fields, 'type', 'string', problems)?.value : 'command';
  if (type === undefined) return undefined;
  if (!Object.hasOwn(FIELDS, type)) {
    const skipped = UNSERVED.includes(type) ? 'Codex has it, but does not run it' : 'there is none';
    const near = suggest(type, Object.keys(FIELDS));
    const hint = near ? `Did you mean \`${near}\`?` : `Known types: ${Object.keys(FIELDS).join(', ')}.`;
    problems.report('warning', 'unknown-type', entry?.value.at, `\`${path}\` is of type \`${type}\`: ${skipped}. It is skipped.`, hint);
    return undefined;
  }
  // Without a group around it, a handler may have a matcher of its own.
  warnUnknown(fields, [...(FIELDS[type] ?? []), ...(group ? [] : ['matcher'])], 'a handler', problems);
  return type === 'command' ? commandIn(fields, path, problems) : toolIn(fields, path, context, problems);
}

const OWN_HINT = 'Write `{"type": "command", "command": "hookline guard"}` instead.';

function commandIn(fields: MapNode, path: string, problems: Problems): Hook['handler'] | undefined {
  const words = stringsIn(fieldOf(fields, 'command'));
  if (words)
    reportLooseShape(problems, fields.at, `The \`command\` of \`${path}\` should be text, found a list.`, `Write \`${shellLine(words)}\`.`);
  const command = words ? shellLine(words) : textIn(fields, 'command', path, problems);
  return command === undefined ? undefined : { type: 'command', config: { command } };
}

function toolIn(fields: MapNode, path: string, context: LoadContext, problems: Problems): Hook['handler'] | undefined {
  const server = textIn(fields, 'server', path, problems);
  const tool = textIn(fields, 'tool', path, problems);
  if (server === undefined || tool === undefined) return undefined;
  const input = fieldOf(fields, 'input');
  const given: Json = input ? toJson(input) : {};
  return toolHandler({ server, tool, input: given, at: fieldOf(fields, 'server')?.at }, context, readServer, problems);
}

function textIn(fields: MapNode, key: string, path: string, problems: Problems): string | undefined {
  const node = fieldOf(fields, key);
  if (node?.kind === 'scalar' && typeof node.value === 'string' && node.value.trim() !== '') return node.value;
  const found = node ? (node.kind === 'scalar' && node.value === '' ? 'empty text' : kindName(node)) : undefined;
  const what = found === undefined ? `\`${path}\` has no \`${key}\`` : `\`${key}\` of \`${path}\` must be text, found ${found}`;
  problems.report(
    'error',
    found === undefined ? 'missing-field' : 'wrong-type',
    (node ?? fields).at,
    `${what}; it is skipped.`,
    `Add \`"${key}": "…"\`.`,
  );
  return undefined;
}

function fallbackOf(event: EventName): number {
  return event === 'SessionEnd' ? SESSION_END.fallbackMs : profile.ask.timeout.fallbackMs;
}

/** A hook with a timeout that cannot be kept still runs, with the usual one: a gate is not lost for a number. */
function timeoutIn(fields: MapNode, event: EventName, problems: Problems): number {
  const node = fieldOf(fields, 'timeout');
  const fallback = fallbackOf(event);
  if (!node || (node.kind === 'scalar' && node.value === null)) return fallback;
  const seconds = node.kind === 'scalar' ? node.value : undefined;
  if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 0) {
    const found = typeof seconds === 'number' ? seconds : kindName(node);
    const what = `\`timeout\` must be whole seconds, found ${found}; ${fallback / 1000} are taken.`;
    problems.report('warning', 'bad-timeout', node.at, what, 'Write the seconds as a whole number, without quotes.');
    return fallback;
  }
  if (seconds >= SUSPICIOUS_SECONDS) {
    const what = `\`timeout\` is in seconds: ${seconds} of them are ${Math.round(seconds / 60)} minutes.`;
    problems.report(
      'warning',
      'long-timeout',
      node.at,
      what,
      `For ${seconds} milliseconds write ${Math.max(1, Math.round(seconds / 1000))}.`,
    );
  }
  const most = event === 'SessionEnd' ? SESSION_END.mostMs : LONGEST_TIMER_MS;
  return Math.min(Math.max(seconds * 1000, profile.ask.timeout.minMs), most);
}
