/** Reads the `hooks` of a SKILL.md's frontmatter: event → groups → handlers. A bad entry is reported; the others still load. */

import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Condition, Hook } from '../../core/contracts/hook.ts';
import { type Document, entryOf, fieldOf, kindName, type Node, toJson } from '../../core/values/document.ts';
import type { JsonObject } from '../../core/values/json.ts';
import { type Problems, problemsIn, readScalar, reportUnknownEvent } from '../../core/values/read-document.ts';
import { type Limit, limitOf } from '../kit/absurd-timeouts.ts';
import { nameFor } from '../kit/hook-names.ts';
import { type FoundMatcher, findHandlers } from '../kit/matcher-groups.ts';
import { isUsable, onceFor } from '../kit/matchers.ts';
import { ownHandler } from '../kit/own-handler.ts';
import { warnUnknown, warnUnknownInGroups } from '../kit/unknown-fields.ts';
import { EVENT_NAMES, type EventName, isEventName, matcherCondition, profile } from './profile.ts';

/** Reads the `headers` of an http handler: names and texts. Anything else is an error, and the handler does not load. */
export function readHeaders(node: Node, problems: Problems): Record<string, string> | undefined {
  const headers = entryOf(node, 'headers')?.value;
  if (!headers || (headers.kind === 'scalar' && headers.value === null)) return {};
  if (headers.kind !== 'map') {
    problems.report('error', 'wrong-type', headers.at, `\`headers\` must be a map of names to values, found ${kindName(headers)}.`);
    return undefined;
  }
  const read: [string, string][] = [];
  for (const { key, value } of headers.entries) {
    if (value.kind !== 'scalar' || value.value === null) {
      problems.report('error', 'wrong-type', value.at, `The header \`${key}\` must be text, found ${kindName(value)}.`);
      return undefined;
    }
    read.push([key, String(value.value)]);
  }
  return Object.fromEntries(read);
}

const COMMON_FIELDS = ['type', 'timeout', 'required', 'description'];
export const FIELDS: Readonly<Record<string, readonly string[]>> = {
  command: ['command', ...COMMON_FIELDS],
  http: ['url', 'headers', ...COMMON_FIELDS],
};
const HTTP_TIMEOUT_MS = 30_000;

export function load(document: Document, context: LoadContext): Loaded {
  const problems = problemsIn(document.file);
  const hooks = readHooks(document, context, problems);
  return { hooks, diagnostics: problems.list };
}

function readHooks(document: Document, context: LoadContext, problems: Problems): Hook[] {
  const { root } = document;
  if (!root || isNothing(root)) return [];
  if (root.kind !== 'map') {
    problems.report('error', 'wrong-type', root.at, `The frontmatter of a skill must be a map, found ${kindName(root)}.`);
    return [];
  }
  const events = fieldOf(root, 'hooks');
  if (!events || isNothing(events)) return [];
  if (events.kind !== 'map') {
    const hint = 'Write `hooks:` and below it one key for each event.';
    problems.report('error', 'wrong-type', events.at, `\`hooks\` must map events to lists, found ${kindName(events)}.`, hint);
    return [];
  }
  const name = fieldOf(root, 'name');
  const owner = name?.kind === 'scalar' && typeof name.value === 'string' && name.value !== '' ? name.value : context.folderName;
  const hooks: Hook[] = [];
  for (const entry of events.entries) {
    if (!isEventName(entry.key)) {
      reportUnknownEvent(problems, profile.load.unknownEvent, entry, EVENT_NAMES);
      continue;
    }
    const event = entry.key;
    const conditions = onceFor((matcher: FoundMatcher | undefined) => readConditions(event, matcher, context, problems));
    warnUnknownInGroups(entry, ['matcher', 'hooks', 'description'], 'an entry', problems);
    for (const { node, path, matcher } of findHandlers(entry, problems, 'lists')) {
      const when = conditions(matcher);
      const handler = when && readHandler(node, context, problems);
      if (handler) hooks.push(hookFrom({ event, when, handler, node, path, matcher, owner, document, context }));
    }
  }
  return hooks;
}

function readConditions(
  event: EventName,
  matcher: FoundMatcher | undefined,
  context: LoadContext,
  problems: Problems,
): Condition[] | undefined {
  if (!matcher) return [];
  return isUsable(matcher, context.checkPattern(matcher.source), problems) ? [matcherCondition(event, matcher.source)] : undefined;
}

interface ReadHandler {
  readonly type: string;
  readonly config: JsonObject;
  readonly timeoutMs: number;
  readonly unusable?: string;
  readonly required?: boolean;
}

function readHandler(node: Node, context: LoadContext, problems: Problems): ReadHandler | undefined {
  if (node.kind !== 'map') {
    problems.report('error', 'wrong-type', node.at, `A handler must be a map with a \`type\`, found ${kindName(node)}.`);
    return undefined;
  }
  const type = readText(node, 'type', 'a handler', problems);
  if (type === undefined) return undefined;
  const known = FIELDS[type];
  if (known) warnUnknown(node, known, `a handler of type \`${type}\``, problems);
  if (type === 'command') return readCommand(node, problems);
  if (type === 'http') return readHttp(node, problems);
  const own = ownHandler(node, context);
  if (own) return { ...own, ...readTimeout(node, profile.ask.timeout.fallbackMs, problems), ...readRequired(node, problems) };
  // All of a custom handler's map is its own, a `timeout` in it too: quirk custom-timeout.
  const config = Object.fromEntries(node.entries.filter(({ key }) => key !== 'type').map(({ key, value }) => [key, toJson(value)]));
  return { type, config, timeoutMs: profile.ask.timeout.fallbackMs };
}

function readCommand(node: Node, problems: Problems): ReadHandler | undefined {
  const command = readText(node, 'command', 'a command handler', problems);
  const limit = readTimeout(node, profile.ask.timeout.fallbackMs, problems);
  return command === undefined ? undefined : { type: 'command', config: { command }, ...limit, ...readRequired(node, problems) };
}

function readHttp(node: Node, problems: Problems): ReadHandler | undefined {
  const url = readText(node, 'url', 'an http handler', problems);
  const headers = readHeaders(node, problems);
  const limit = readTimeout(node, HTTP_TIMEOUT_MS, problems);
  if (url === undefined || headers === undefined) return undefined;
  if (!/^https?:\/\/[^/\s]/i.test(url)) {
    const at = fieldOf(node, 'url')?.at;
    problems.report('error', 'bad-url', at, `\`${url}\` is no URL that can be posted to.`, 'Write the full URL: https://host/path.');
    return undefined;
  }
  return {
    type: 'http',
    config: { url, ...(Object.keys(headers).length > 0 && { headers }) },
    ...limit,
    ...readRequired(node, problems),
  };
}

/** Ours: where the hook may not run, what it would have judged is denied. */
function readRequired(node: Node, problems: Problems): { readonly required?: true } {
  return readScalar(node, 'required', 'boolean', problems)?.value === true ? { required: true } : {};
}

/** A text that must be there. */
function readText(node: Node, key: string, owner: string, problems: Problems): string | undefined {
  const value = fieldOf(node, key);
  if (value && !isNothing(value)) {
    const text = readScalar(node, key, 'string', problems);
    if (!text) return undefined;
    if (text.value.trim() !== '') return text.value;
  }
  problems.report('error', 'missing-field', (value ?? node).at, `The \`${key}\` of ${owner} is missing.`, `Add \`${key}\`.`);
  return undefined;
}

/** A timeout that cannot be kept takes no gate away: the hook is not run, and denies. */
function readTimeout(node: Node, fallbackMs: number, problems: Problems): Limit {
  const value = fieldOf(node, 'timeout');
  if (!value || isNothing(value)) return { timeoutMs: fallbackMs };
  const seconds = readScalar(node, 'timeout', 'number', problems);
  if (!seconds) return { timeoutMs: fallbackMs, unusable: 'its `timeout` is not a number' };
  if (seconds.value > 0) return limitOf(seconds.value, 'seconds', seconds.at, problems);
  const hint = 'Give the seconds as a number above 0, or leave `timeout` out.';
  problems.report('error', 'out-of-range', seconds.at, `A timeout of ${seconds.value} seconds cannot be kept. The hook denies.`, hint);
  return { timeoutMs: fallbackMs, unusable: `its \`timeout\` of ${seconds.value} seconds cannot be kept` };
}

interface Found {
  readonly event: EventName;
  readonly when: readonly Condition[];
  readonly handler: ReadHandler;
  readonly node: Node;
  readonly path: string;
  readonly matcher: FoundMatcher | undefined;
  readonly owner: string;
  readonly document: Document;
  readonly context: LoadContext;
}

function hookFrom({ event, when, handler, node, path, matcher, owner, document, context }: Found): Hook {
  return {
    id: `${context.idPrefix}#${path}`,
    ...nameFor(undefined, { handler, event, matcher, described: [node.kind === 'map' ? node : undefined] }, `${owner}/`),
    dialect: 'skillkit',
    event,
    when,
    handler: { type: handler.type, config: handler.config },
    timeoutMs: handler.timeoutMs,
    ...(handler.unusable !== undefined && { unusable: handler.unusable }),
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: document.file, line: node.at.line, column: node.at.column, scope: context.scope },
    folder: context.folder,
    owner,
    ...(handler.required && { required: true }),
  };
}

function isNothing(node: Node): boolean {
  return node.kind === 'scalar' && node.value === null;
}
