/** Reads one handler of Droid: a command, and how long it may take. A bad one is reported; its neighbours load. */

import type { LoadContext } from '../../core/contracts/dialect.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { fieldOf, kindName, type MapNode } from '../../core/values/document.ts';
import { type Problems, readScalar } from '../../core/values/read-document.ts';
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';
import { commandIn } from '../kit/command-handler.ts';
import type { FoundHandler } from '../kit/matcher-groups.ts';
import { ownHandler } from '../kit/own-handler.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { profile } from './profile.ts';

export type ReadHandler = Pick<Hook, 'handler' | 'timeoutMs' | 'required'> & { readonly name?: string };

export const FIELDS = ['type', 'command', 'timeout', 'preserveRiskLevel', 'name', 'required', 'matcher', 'description'];
/** As many seconds as this are most likely meant as milliseconds. */
const SUSPICIOUS_SECONDS = 1000;

export function readHandler({ fields, line, path }: FoundHandler, context: LoadContext, problems: Problems): ReadHandler | undefined {
  if (!fields) return { handler: { type: 'command', config: { command: line ?? '' } }, timeoutMs: profile.ask.timeout.fallbackMs };
  const own = ownHandler(fields, context);
  const handler = own ?? commandIn(fields, path, 'Droid does not have', problems);
  if (!handler) return undefined;
  if (!own) warnUnknown(fields, FIELDS, 'a handler', problems);
  const name = readScalar(fields, 'name', 'string', problems)?.value.trim();
  const required = readScalar(fields, 'required', 'boolean', problems)?.value === true;
  return { handler, timeoutMs: timeoutIn(fields, problems), ...(name && { name }), ...(required && { required }) };
}

/** A hook with a timeout that cannot be kept still runs, with the usual one: a gate is not lost for a number. */
function timeoutIn(fields: MapNode, problems: Problems): number {
  const { fallbackMs } = profile.ask.timeout;
  const node = fieldOf(fields, 'timeout');
  // Droid reads 0 as no timeout of its own.
  if (!node || (node.kind === 'scalar' && (node.value === null || node.value === 0))) return fallbackMs;
  const seconds = node.kind === 'scalar' ? node.value : undefined;
  if (typeof seconds !== 'number' || !(seconds > 0)) {
    const found = typeof seconds === 'number' ? seconds : kindName(node);
    const what = `\`timeout\` must be seconds above 0, found ${found}; ${fallbackMs / 1000} are taken.`;
    problems.report('warning', 'bad-timeout', node.at, what, 'Write the seconds as a number, without quotes.');
    return fallbackMs;
  }
  if (seconds >= SUSPICIOUS_SECONDS) {
    const what = `\`timeout\` is in seconds: ${seconds} of them are ${Math.round(seconds / 60)} minutes.`;
    problems.report('warning', 'long-timeout', node.at, what, `For ${seconds} milliseconds write ${seconds / 1000}.`);
  }
  return Math.max(1, Math.min(seconds * 1000, LONGEST_TIMER_MS));
}
