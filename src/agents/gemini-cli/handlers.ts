/** One handler of Gemini CLI: a command, and how long it may take. A bad one is a complaint; its neighbours load. */

import type { LoadContext } from '../../core/contracts/dialect.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { fieldOf, kindName, type MapNode } from '../../core/values/document.ts';
import { type Problems, readScalar } from '../../core/values/read-document.ts';
import { type Limit, limitOf, SHORTEST_MS } from '../kit/absurd-timeouts.ts';
import { commandIn } from '../kit/command-handler.ts';
import type { FoundHandler } from '../kit/matcher-groups.ts';
import { ownHandler } from '../kit/own-handler.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { profile } from './profile.ts';

export type ReadHandler = Pick<Hook, 'handler' | 'timeoutMs' | 'unusable' | 'description' | 'env' | 'required'> & {
  readonly name?: string;
};

export const FIELDS = ['type', 'command', 'name', 'description', 'timeout', 'env', 'required', 'matcher'];
/** A number this small was most likely meant in seconds, as other agents have it. */
const SUSPICIOUS_MS = 1_000;

export function readHandler({ fields, line, path }: FoundHandler, context: LoadContext, problems: Problems): ReadHandler | undefined {
  if (!fields) {
    return line === undefined ? undefined : { handler: { type: 'command', config: { command: line } }, ...timeoutIn(undefined, problems) };
  }
  const own = ownHandler(fields, context);
  const handler = own ?? commandIn(fields, path, 'Gemini CLI does not read from a file', problems);
  if (!handler) return undefined;
  if (!own) warnUnknown(fields, FIELDS, 'a handler', problems);
  const name = readScalar(fields, 'name', 'string', problems)?.value.trim();
  const description = readScalar(fields, 'description', 'string', problems)?.value;
  const env = variablesIn(fields, problems);
  const required = readScalar(fields, 'required', 'boolean', problems)?.value;
  return {
    handler,
    ...timeoutIn(fields, problems),
    ...(name && { name }),
    ...(description !== undefined && { description }),
    ...(env && { env }),
    ...(required && { required }),
  };
}

/** A wrong timeout takes no guard away: the usual one is kept in its place, and a hook with an absurd one denies. */
function timeoutIn(fields: MapNode | undefined, problems: Problems): Limit {
  const { fallbackMs } = profile.ask.timeout;
  const node = fieldOf(fields, 'timeout');
  if (!node || (node.kind === 'scalar' && node.value === null)) return { timeoutMs: fallbackMs };
  const given = node.kind === 'scalar' ? node.value : undefined;
  if (typeof given !== 'number' || !(given > 0)) {
    const found = typeof given === 'number' ? given : kindName(node);
    const what = `\`timeout\` must be milliseconds above 0, found ${found}; ${fallbackMs} are taken.`;
    problems.report('warning', 'bad-timeout', node.at, what, 'Write the milliseconds as a number, without quotes.');
    return { timeoutMs: fallbackMs };
  }
  if (given >= SHORTEST_MS && given < SUSPICIOUS_MS) {
    const what = `\`timeout\` is in milliseconds: this hook has ${given} of them, and if it takes longer it is not heard.`;
    problems.report('warning', 'short-timeout', node.at, what, `If seconds were meant, write ${given * 1000}.`);
  }
  return limitOf(given, 'milliseconds', node.at, problems);
}

function variablesIn(fields: MapNode, problems: Problems): Record<string, string> | undefined {
  const node = fieldOf(fields, 'env');
  if (!node || (node.kind === 'scalar' && node.value === null)) return undefined;
  if (node.kind !== 'map') {
    problems.report('warning', 'wrong-type', node.at, `\`env\` must be a map of variables, found ${kindName(node)}; it is ignored.`);
    return undefined;
  }
  const scalars = node.entries.flatMap(({ key, value }) =>
    value.kind === 'scalar' && value.value !== null ? [[key, String(value.value)] as const] : [],
  );
  return Object.fromEntries(scalars);
}
