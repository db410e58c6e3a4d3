/**
 * Reads the action of a HOOK.toml. A hook can do three things, of which exactly one must be there; each becomes a handler's type and config. Each
 * reader of a table reports the problems at their positions and returns what could be read.
 */

import type { Hook } from '../../core/contracts/hook.ts';
import type { Position } from '../../core/values/diagnostic.ts';
import { type Entry, entryOf, kindName, type MapNode, type Node } from '../../core/values/document.ts';
import { type Problems, readScalar } from '../../core/values/read-document.ts';
import { suggest } from '../../core/values/suggest.ts';
import { canInject, type EventName, profile } from './profile.ts';

/** Beyond this a timer of the host would fire at once instead of late. */
const MAX_TIMEOUT_SECONDS = 2_147_483;

/** Keys the document does not know change nothing, but a misspelt one must not go unseen. */
export function warnUnknown(table: MapNode, known: readonly string[], place: string, problems: Problems): void {
  for (const { key, at } of table.entries) {
    if (known.includes(key)) continue;
    const near = suggest(key, known);
    const hint = near ? `Did you mean \`${near}\`?` : `Known here: ${known.join(', ')}.`;
    problems.report('warning', 'unknown-field', at, `There is no \`${key}\` in ${place}; it is ignored.`, hint);
  }
}

/** A table under `key`; undefined if absent; a complaint and undefined if it is something else. */
export function readTable(owner: Node, key: string, place: string, problems: Problems): MapNode | undefined {
  const entry = entryOf(owner, key);
  if (!entry) return undefined;
  if (entry.value.kind === 'map') return entry.value;
  problems.report(
    'error',
    'wrong-type',
    entry.value.at,
    `\`${key}\` must be a table, found ${kindName(entry.value)}.`,
    `Write \`[${place}]\`.`,
  );
  return undefined;
}

/** A text that must be there and must not be blank. */
export function readText(owner: MapNode, key: string, place: string, problems: Problems): { value: string; at: Position } | undefined {
  if (!entryOf(owner, key)) {
    problems.report('error', 'missing-field', owner.at, `\`[${place}]\` has no \`${key}\`, which is required.`, `Add \`${key} = "…"\`.`);
    return undefined;
  }
  const found = readScalar(owner, key, 'string', problems);
  if (found?.value.trim() !== '') return found;
  problems.report('error', 'out-of-range', found.at, `\`${key}\` is empty.`, `Give it a text.`);
  return undefined;
}

export function readTimeoutMs(action: MapNode, fallbackMs: number, problems: Problems): number {
  const found = readScalar(action, 'timeout_secs', 'number', problems);
  if (!found) return fallbackMs;
  const { value, at } = found;
  if (Number.isInteger(value) && value >= 1 && value <= MAX_TIMEOUT_SECONDS) return value * 1000;
  const what = `\`timeout_secs\` must be a whole number of seconds, at least 1, found ${value}.`;
  problems.report('error', 'out-of-range', at, what, `Leave it out to get ${fallbackMs / 1000} seconds.`);
  return fallbackMs;
}

export function readInteger(owner: MapNode, key: string, fallback: number, problems: Problems): number {
  const found = readScalar(owner, key, 'number', problems);
  if (!found) return fallback;
  if (Number.isSafeInteger(found.value)) return found.value;
  problems.report('error', 'wrong-type', found.at, `\`${key}\` must be a whole number, found ${found.value}.`);
  return fallback;
}

/** A list of texts under `key`; undefined if absent or wrong. */
export function readTexts(owner: MapNode, key: string, problems: Problems): { values: string[]; at: Position } | undefined {
  const entry = entryOf(owner, key);
  if (!entry) return undefined;
  const { value: list } = entry;
  if (list.kind !== 'list') {
    problems.report(
      'error',
      'wrong-type',
      list.at,
      `\`${key}\` must be a list of texts, found ${kindName(list)}.`,
      `Write \`${key} = ["…"]\`.`,
    );
    return undefined;
  }
  const values: string[] = [];
  for (const item of list.items) {
    if (item.kind === 'scalar' && typeof item.value === 'string') values.push(item.value);
    else problems.report('error', 'wrong-type', item.at, `\`${key}\` must be a list of texts, found ${kindName(item)} in it.`);
  }
  return { values, at: list.at };
}

export interface Action {
  readonly handler: Hook['handler'];
  readonly timeoutMs: number;
  readonly cwd: string;
}

const KINDS = ['shell', 'http', 'prompt_inject'] as const;
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const FALLBACK_MS = profile.ask.timeout.fallbackMs;
const INJECTABLE = (Object.keys(profile.events) as EventName[]).filter(canInject);

export function readAction(hook: MapNode, event: EventName | undefined, folder: string, problems: Problems): Action | undefined {
  const action = readTable(hook, 'action', 'hook.action.shell', problems);
  if (action) warnUnknown(action, KINDS, '`[hook.action]`', problems);
  const given = KINDS.filter((kind) => entryOf(action, kind));
  const [kind, second] = given;
  if (kind === undefined) {
    if (action || !entryOf(hook, 'action')) {
      const hint = 'Add one of `[hook.action.shell]`, `[hook.action.http]`, `[hook.action.prompt_inject]`.';
      problems.report('error', 'missing-field', (action ?? hook).at, 'The hook has no action, so there is nothing to run.', hint);
    }
    return undefined;
  }
  if (second !== undefined) {
    const [, later] = given
      .map((name) => entryOf(action, name) as Entry)
      .sort((a, b) => a.at.line - b.at.line || a.at.column - b.at.column);
    const what = `The hook has ${given.length} actions (${given.join(', ')}); exactly one is allowed.`;
    problems.report('error', 'too-many-actions', later?.at, what, 'Make a hook of its own for each action.');
    return undefined;
  }
  const table = readTable(action as MapNode, kind, `hook.action.${kind}`, problems);
  if (!table) return undefined;
  switch (kind) {
    case 'shell':
      return readShell(table, folder, problems);
    case 'http':
      return readHttp(table, folder, problems);
    case 'prompt_inject':
      return readInject(table, event, folder, problems);
  }
}

function readShell(table: MapNode, folder: string, problems: Problems): Action | undefined {
  warnUnknown(table, ['command', 'timeout_secs', 'workdir'], '`[hook.action.shell]`', problems);
  const command = readText(table, 'command', 'hook.action.shell', problems);
  const timeoutMs = readTimeoutMs(table, FALLBACK_MS, problems);
  const cwd = readWorkdir(table, folder, problems);
  return command && cwd !== undefined ? { handler: { type: 'command', config: { command: command.value } }, timeoutMs, cwd } : undefined;
}

/** Absolute as it stands, relative below the hook's folder. */
function readWorkdir(table: MapNode, folder: string, problems: Problems): string | undefined {
  const workdir = readScalar(table, 'workdir', 'string', problems);
  if (!workdir) return folder;
  const { value, at } = workdir;
  const segments = value.split(/[/\\]/);
  if (segments.includes('..')) {
    problems.report('error', 'bad-path', at, '`workdir` must not contain `..`.', 'Write the folder as an absolute path.');
    return undefined;
  }
  if (segments[0]?.startsWith('~')) {
    problems.report('error', 'bad-path', at, '`~` is not expanded in `workdir`.', 'Write the folder as an absolute path.');
    return undefined;
  }
  if (value.startsWith('/') || /^[A-Za-z]:[/\\]/.test(value)) return value;
  const below = segments.filter((segment) => segment !== '' && segment !== '.');
  return [folder, ...below].join('/');
}

function readHttp(table: MapNode, folder: string, problems: Problems): Action | undefined {
  warnUnknown(table, ['url', 'method', 'headers', 'body', 'timeout_secs'], '`[hook.action.http]`', problems);
  const url = readText(table, 'url', 'hook.action.http', problems);
  if (url && !(URL.canParse(url.value) && /^https?:$/.test(new URL(url.value).protocol))) {
    const what = `\`url\` must be an http or https address, found ${JSON.stringify(url.value)}.`;
    problems.report('error', 'bad-url', url.at, what, 'Write it in full, like `https://example.com/hook`.');
  }
  const method = readScalar(table, 'method', 'string', problems);
  if (method && !METHODS.includes(method.value.toUpperCase())) {
    const what = `\`method\` must be one of ${METHODS.join(', ')}, found ${JSON.stringify(method.value)}.`;
    problems.report('error', 'out-of-range', method.at, what, 'Leave it out to get POST.');
  }
  const body = readScalar(table, 'body', 'string', problems);
  const headers = readHeaders(table, problems);
  const timeoutMs = readTimeoutMs(table, FALLBACK_MS, problems);
  if (!url) return undefined;
  const config = {
    url: url.value,
    method: method?.value.toUpperCase() ?? 'POST',
    ...(headers && { headers }),
    ...(body && { body: body.value }),
  };
  return { handler: { type: 'http', config }, timeoutMs, cwd: folder };
}

function readHeaders(http: MapNode, problems: Problems): Record<string, string> | undefined {
  const table = readTable(http, 'headers', 'hook.action.http.headers', problems);
  if (!table) return undefined;
  const headers: [string, string][] = [];
  for (const { key, at, value } of table.entries) {
    if (!HEADER_NAME.test(key)) problems.report('error', 'bad-header', at, `${JSON.stringify(key)} cannot be the name of a header.`);
    else if (value.kind !== 'scalar' || typeof value.value !== 'string') {
      problems.report('error', 'wrong-type', value.at, `Header \`${key}\` must be text, found ${kindName(value)}.`);
    } else if (/[\r\n\0]/.test(value.value)) {
      problems.report('error', 'bad-header', value.at, `Header \`${key}\` must stand on one line.`);
    } else headers.push([key, value.value]);
  }
  return Object.fromEntries(headers);
}

function readInject(table: MapNode, event: EventName | undefined, folder: string, problems: Problems): Action | undefined {
  warnUnknown(table, ['content', 'position'], '`[hook.action.prompt_inject]`', problems);
  const content = readText(table, 'content', 'hook.action.prompt_inject', problems);
  const position = readScalar(table, 'position', 'string', problems);
  if (position && position.value !== 'prepend' && position.value !== 'append') {
    const what = `\`position\` must be \`prepend\` or \`append\`, found ${JSON.stringify(position.value)}.`;
    problems.report('error', 'out-of-range', position.at, what);
  }
  if (event !== undefined && !canInject(event)) {
    const what = `\`prompt_inject\` has no effect on \`${event}\`: there is no prompt or message to add to.`;
    problems.report('error', 'no-effect', table.at, what, `Use one of ${INJECTABLE.map((name) => `\`${name}\``).join(', ')}.`);
  }
  if (!content) return undefined;
  const reply = { inject: content.value, position: position?.value ?? 'prepend' };
  return { handler: { type: 'static', config: { reply } }, timeoutMs: FALLBACK_MS, cwd: folder };
}
