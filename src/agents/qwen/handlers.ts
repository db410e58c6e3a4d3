/** Reads one handler of Qwen Code: its kind, the fields it needs, and how long it may take. A bad handler is reported; its neighbours load. */

import type { LoadContext } from '../../core/contracts/dialect.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { entryOf, fieldOf, kindName, type MapNode, toJson } from '../../core/values/document.ts';
import { isObject, type JsonObject } from '../../core/values/json.ts';
import { type Problems, readScalar, stringsIn } from '../../core/values/read-document.ts';
import { suggest } from '../../core/values/suggest.ts';
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';
import { type FoundHandler, reportLooseShape, shellLine } from '../kit/matcher-groups.ts';
import { ownHandler } from '../kit/own-handler.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { profile } from './profile.ts';

const FALLBACK_MS: Readonly<Record<string, number>> = { http: 600_000, prompt: 30_000 };
/** From here on a command's number is read as milliseconds, and any other's looks like it. */
const MILLISECONDS_FROM = 1000;

/**
 * Reads how long a handler may take: seconds, but for commands a number from 1000 on keeps its old meaning of milliseconds. Never converted, always
 * reported. A hook with a timeout that cannot be kept still runs, with the usual one: a gate is not lost for a number.
 */
export function timeoutIn(fields: MapNode, type: string, problems: Problems): number {
  const node = fieldOf(fields, 'timeout');
  const fallback = FALLBACK_MS[type] ?? profile.ask.timeout.fallbackMs;
  if (!node || (node.kind === 'scalar' && node.value === null)) return fallback;
  const given = node.kind === 'scalar' ? node.value : undefined;
  if (typeof given !== 'number' || !Number.isFinite(given) || given <= 0) {
    const found = typeof given === 'number' ? given : kindName(node);
    const what = `\`timeout\` must be seconds above 0, found ${found}; ${fallback / 1000} are taken.`;
    problems.report('warning', 'bad-timeout', node.at, what, 'Write the seconds as a number, without quotes.');
    return fallback;
  }
  const isOld = type !== 'http' && type !== 'prompt' && given >= MILLISECONDS_FROM;
  if (isOld) {
    const what = `\`timeout\` is in seconds, but ${given} is read as milliseconds, as numbers from ${MILLISECONDS_FROM} on are.`;
    problems.report(
      'warning',
      'long-timeout',
      node.at,
      what,
      given < 1_000_000 ? `Write ${given / 1000}.` : 'It cannot be written in seconds.',
    );
  } else if (given >= MILLISECONDS_FROM) {
    const what = `\`timeout\` is in seconds: ${given} of them are ${Math.round(given / 60)} minutes.`;
    problems.report('warning', 'long-timeout', node.at, what, `For ${given} milliseconds write ${given / 1000}.`);
  }
  return Math.max(1, Math.min(isOld ? given : given * 1000, LONGEST_TIMER_MS));
}

export type ReadHandler = Pick<Hook, 'handler' | 'timeoutMs' | 'detach' | 'env' | 'once' | 'required' | 'description'> & {
  readonly name?: string;
};

const COMMON = ['type', 'name', 'description', 'timeout', 'statusMessage', 'source', 'required', 'matcher'];
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  command: [...COMMON, 'command', 'async', 'env', 'shell'],
  http: [...COMMON, 'url', 'headers', 'allowedEnvVars', 'if', 'once'],
  prompt: [...COMMON, 'prompt', 'model'],
};

export function readHandler(found: FoundHandler, context: LoadContext, problems: Problems): ReadHandler | undefined {
  const { fields, line, path } = found;
  if (!fields) {
    return { handler: { type: 'command', config: { command: line ?? '' } }, timeoutMs: profile.ask.timeout.fallbackMs, detach: false };
  }
  const handler = ownHandler(fields, context) ?? handlerIn(fields, path, problems);
  if (!handler) return undefined;
  const text = (key: string): string | undefined => readScalar(fields, key, 'string', problems)?.value || undefined;
  const flag = (key: string): boolean => readScalar(fields, key, 'boolean', problems)?.value === true;
  const [name, description] = [text('name'), text('description')];
  const env = variablesIn(fields, problems);
  return {
    handler,
    timeoutMs: timeoutIn(fields, handler.type, problems),
    detach: handler.type === 'command' && flag('async'),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(env && { env }),
    ...(flag('once') && { once: true }),
    ...(flag('required') && { required: true }),
  };
}

function handlerIn(fields: MapNode, path: string, problems: Problems): Hook['handler'] | undefined {
  const entry = entryOf(fields, 'type');
  if (!entry) reportLooseShape(problems, fields.at, `\`${path}\` has no \`type\`; it is taken for a command.`, 'Add `"type": "command"`.');
  const type = entry ? readScalar(fields, 'type', 'string', problems)?.value : 'command';
  if (type === undefined) return undefined;
  if (!Object.hasOwn(FIELDS, type)) {
    const near = suggest(type, Object.keys(FIELDS));
    const hint = near ? `Did you mean \`${near}\`?` : `Known types: ${Object.keys(FIELDS).join(', ')}.`;
    problems.report(
      'warning',
      'unknown-type',
      entry?.value.at,
      `\`${path}\` is of type \`${type}\`, which no file can have; it is skipped.`,
      hint,
    );
    return undefined;
  }
  warnUnknown(fields, FIELDS[type] ?? [], 'a handler', problems);
  const config = configOf(type, fields, path, problems);
  return config && { type, config };
}

function configOf(type: string, fields: MapNode, path: string, problems: Problems): JsonObject | undefined {
  if (type === 'command') {
    const words = stringsIn(fieldOf(fields, 'command'));
    if (words)
      reportLooseShape(
        problems,
        fields.at,
        `The \`command\` of \`${path}\` should be text, found a list.`,
        `Write \`${shellLine(words)}\`.`,
      );
    const command = words ? shellLine(words) : textIn(fields, 'command', path, problems);
    return command === undefined ? undefined : { command };
  }
  if (type === 'prompt') {
    const prompt = textIn(fields, 'prompt', path, problems);
    return prompt === undefined ? undefined : { prompt, arguments: '$ARGUMENTS' };
  }
  const url = textIn(fields, 'url', path, problems);
  if (url === undefined) return undefined;
  const headers = fieldOf(fields, 'headers');
  const allowed = stringsIn(fieldOf(fields, 'allowedEnvVars'));
  const given = headers ? toJson(headers) : undefined;
  return { url, ...(isObject(given) && { headers: given, allowedEnvVars: allowed ?? [] }) };
}

function textIn(fields: MapNode, key: string, path: string, problems: Problems): string | undefined {
  const node = fieldOf(fields, key);
  if (node?.kind === 'scalar' && typeof node.value === 'string' && node.value.trim() !== '') return node.value;
  const found = node ? (node.kind === 'scalar' && node.value === '' ? 'empty text' : kindName(node)) : undefined;
  const what = found === undefined ? `\`${path}\` has no \`${key}\`` : `\`${key}\` of \`${path}\` must be text, found ${found}`;
  const code = found === undefined ? 'missing-field' : 'wrong-type';
  problems.report('error', code, (node ?? fields).at, `${what}; it is skipped.`, `Add \`"${key}": "…"\`.`);
  return undefined;
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
