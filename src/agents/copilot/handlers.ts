/** Reads one handler of Copilot: a command for a shell, a program, or an endpoint. A bad handler is reported; its neighbours load. */

import type { LoadContext } from '../../core/contracts/dialect.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { entryOf, fieldOf, kindName, type MapNode, toJson } from '../../core/values/document.ts';
import { isObject } from '../../core/values/json.ts';
import { type Problems, readScalar, stringsIn } from '../../core/values/read-document.ts';
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';
import { type FoundHandler, reportLooseShape, shellLine } from '../kit/matcher-groups.ts';
import { ownHandler } from '../kit/own-handler.ts';
import { isCommand, PLATFORM_KEYS, platformKey, reportOtherPlatform, withPlatformCommand } from '../kit/platform-commands.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { profile } from './profile.ts';

const SUSPICIOUS_SECONDS = 1_000;

/**
 * Reads how long a handler may take: seconds, under either of two names. Never converted; a value that looks like another unit is reported. A wrong
 * timeout takes no guard away: the usual one is kept in its place.
 */
export function timeoutIn(fields: MapNode | undefined, problems: Problems): number {
  const { fallbackMs } = profile.ask.timeout;
  const key = fieldOf(fields, 'timeoutSec') ? 'timeoutSec' : 'timeout';
  const node = fieldOf(fields, key);
  if (!node || (node.kind === 'scalar' && node.value === null)) return fallbackMs;
  const given = node.kind === 'scalar' ? node.value : undefined;
  if (typeof given !== 'number' || !(given > 0)) {
    const found = typeof given === 'number' ? given : kindName(node);
    const what = `\`${key}\` must be seconds above 0, found ${found}; ${fallbackMs / 1000} are taken.`;
    problems.report('warning', 'bad-timeout', node.at, what, 'Write the seconds as a number, without quotes.');
    return fallbackMs;
  }
  if (given >= SUSPICIOUS_SECONDS) {
    const what = `\`${key}\` is in seconds: ${given} of them are ${Math.round(given / 60)} minutes.`;
    problems.report('warning', 'long-timeout', node.at, what, `For ${given} milliseconds write ${given / 1000}.`);
  }
  return Math.min(given * 1000, LONGEST_TIMER_MS);
}

export type ReadHandler = Pick<Hook, 'handler' | 'timeoutMs' | 'env' | 'required'> & {
  readonly name?: string;
  /** As written: from the root of the repository. */
  readonly cwd?: string;
};

const COMMON = ['type', 'matcher', 'timeoutSec', 'timeout', 'name', 'description', 'required', 'env', 'cwd'];
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  command: [...COMMON, 'bash', 'powershell', 'command', ...PLATFORM_KEYS, 'exec', 'args'],
  http: [...COMMON, 'url', 'headers', 'allowedEnvVars'],
};

export function readHandler({ fields, line, path }: FoundHandler, context: LoadContext, problems: Problems): ReadHandler | undefined {
  if (!fields) {
    if (line === undefined) return undefined;
    return { handler: { type: 'command', config: { command: line } }, timeoutMs: timeoutIn(undefined, problems) };
  }
  const handler = ownHandler(fields, context) ?? handlerIn(fields, path, problems);
  if (!handler) return undefined;
  const name = readScalar(fields, 'name', 'string', problems)?.value.trim();
  const cwd = readScalar(fields, 'cwd', 'string', problems)?.value.trim();
  const env = variablesIn(fields, problems);
  const required = readScalar(fields, 'required', 'boolean', problems)?.value;
  return {
    handler,
    timeoutMs: timeoutIn(fields, problems),
    ...(name && { name }),
    ...(cwd && { cwd }),
    ...(env && { env }),
    ...(required && { required }),
  };
}

function handlerIn(fields: MapNode, path: string, problems: Problems): Hook['handler'] | undefined {
  const given = entryOf(fields, 'type')?.value;
  const type = given ? readScalar(fields, 'type', 'string', problems)?.value : 'command';
  if (type === undefined) return undefined;
  if (!Object.hasOwn(FIELDS, type)) {
    const only = type === 'prompt' ? 'which only Copilot itself can submit' : 'which nobody knows';
    const what = `\`${path}\` is of type \`${type}\`, ${only}; it is skipped.`;
    problems.report('warning', 'unknown-type', given?.at, what, `Known here: ${Object.keys(FIELDS).join(', ')}.`);
    return undefined;
  }
  warnUnknown(fields, FIELDS[type] ?? [], 'a hook', problems);
  return type === 'http' ? endpointIn(fields, path, problems) : commandIn(fields, path, problems);
}

function commandIn(written: MapNode, path: string, problems: Problems): Hook['handler'] | undefined {
  // quirk platform-commands
  const hasBash = isCommand(fieldOf(written, 'bash'));
  if (hasBash) reportUnused(written, path, problems);
  const fields = hasBash ? written : withPlatformCommand(written, path, problems);
  for (const key of ['bash', 'command'] as const) {
    const node = fieldOf(fields, key);
    const words = stringsIn(node);
    if (words)
      reportLooseShape(problems, fields.at, `\`${key}\` of \`${path}\` should be text, found a list.`, `Write \`${shellLine(words)}\`.`);
    const line = words ? shellLine(words) : node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : '';
    if (line.trim() !== '') return { type: 'command', config: { command: line } };
    if (node && !(node.kind === 'scalar' && node.value === null)) {
      const found = node.kind === 'scalar' && node.value === '' ? 'empty text' : kindName(node);
      problems.report('error', 'wrong-type', node.at, `\`${key}\` of \`${path}\` must be a command, found ${found}.`, 'Write it as text.');
    }
  }
  const program = readScalar(fields, 'exec', 'string', problems)?.value;
  const args = fieldOf(fields, 'args');
  const words = args?.kind === 'list' && args.items.length === 0 ? [] : stringsIn(args);
  if (program && args && !words) {
    problems.report(
      'error',
      'wrong-type',
      args.at,
      `\`args\` of \`${path}\` must be a list of texts; the hook is skipped.`,
      'Write `["…"]`.',
    );
    return undefined;
  }
  if (program) return { type: 'command', config: { command: shellLine([program, ...(words ?? [])]) } };
  if (reportOtherPlatform(fields, path, problems)) return undefined;
  if (entryOf(fields, 'powershell')) {
    const what = `\`${path}\` has a command for PowerShell alone, which is not run here; it is skipped.`;
    problems.report('warning', 'missing-field', fields.at, what, 'Add `bash`.');
    return undefined;
  }
  problems.report('error', 'missing-field', fields.at, `\`${path}\` has nothing to run and is skipped.`, 'Add `"bash": "…"`.');
  return undefined;
}

/** Copilot runs the command under `bash`. A key that only VS Code reads does not replace it. */
function reportUnused(fields: MapNode, path: string, problems: Problems): void {
  const own = entryOf(fields, platformKey());
  if (!own || (own.value.kind === 'scalar' && own.value.value === null)) return;
  const what = `\`${own.key}\` of \`${path}\` is not run, because \`bash\` takes precedence.`;
  problems.report('warning', 'no-effect', own.at, what, `Remove \`${own.key}\`, or let both do the same.`);
}

function endpointIn(fields: MapNode, path: string, problems: Problems): Hook['handler'] | undefined {
  const url = readScalar(fields, 'url', 'string', problems);
  if (!url || !/^https?:\/\/\S+$/i.test(url.value.trim())) {
    const what = url ? `\`${url.value}\` is no address that can be asked` : `\`${path}\` has no \`url\``;
    const code = url ? 'bad-url' : 'missing-field';
    problems.report('error', code, (url ?? fields).at, `${what}; the hook is skipped.`, 'Write it in full: `https://…`.');
    return undefined;
  }
  const headers = fieldOf(fields, 'headers');
  const given = headers ? toJson(headers) : undefined;
  const allowed = stringsIn(fieldOf(fields, 'allowedEnvVars'));
  return {
    type: 'http',
    config: { url: url.value.trim(), ...(isObject(given) && { headers: given }), ...(allowed && { allowedEnvVars: allowed }) },
  };
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
