/** Turns a `hooks.json` into hooks: under `hooks` one list for each event. One bad entry never takes another down. */

import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Condition, Hook } from '../../core/contracts/hook.ts';
import type { Facet } from '../../core/event/facet.ts';
import { type Document, type Entry, entryOf, fieldOf, kindName, type MapNode, type Node } from '../../core/values/document.ts';
import { isComment, type Problems, problemsIn, readScalar, reportUnknownEvent } from '../../core/values/read-document.ts';
import { suggest } from '../../core/values/suggest.ts';
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';
import { type EventListTerms, eventLists, listItems } from '../kit/event-entries.ts';
import { type FoundMatcher, matcherOf } from '../kit/matcher-groups.ts';
import { isUsable, warnNeverFires } from '../kit/matchers.ts';
import { ownHandler } from '../kit/own-handler.ts';
import { type EventName, isEventName, profile } from './profile.ts';
import { MCP_TOOLS, mcpMatcher, TOOL_EVENTS } from './tools.ts';

export interface Action {
  readonly handler: Hook['handler'];
  readonly timeoutMs: number;
  readonly failClosed: boolean;
  readonly required: boolean;
  readonly matcher?: FoundMatcher | undefined;
}

export const KEYS = ['type', 'command', 'prompt', 'matcher', 'timeout', 'loop_limit', 'failClosed', 'model', 'required'];
/** A hook does not take a quarter of an hour, so such a number is in milliseconds. */
const DOUBTFUL_SECONDS = 1000;

/** Reads one hook of a list: its handler and limits. An entry that cannot be used is reported and not loaded. */
export function readAction(node: Node, event: EventName, path: string, context: LoadContext, problems: Problems): Action | undefined {
  if (node.kind !== 'map') {
    const hint = 'Write `{"command": "…"}`.';
    problems.report('error', 'wrong-type', node.at, `\`${path}\` must be a map with a \`command\`, found ${kindName(node)}.`, hint);
    return undefined;
  }
  if (entryOf(node, 'hooks') && !entryOf(node, 'command')) {
    const hint = 'This format has no groups: give every hook its own `matcher` and `command`.';
    problems.report('error', 'missing-field', node.at, `\`${path}\` is a group of hooks.`, hint);
    return undefined;
  }
  const handler = ownHandler(node, context) ?? handlerOf(node, path, problems);
  const timeoutMs = timeoutOf(node, problems);
  const failClosed = optional(node, 'failClosed', 'boolean', problems);
  const required = optional(node, 'required', 'boolean', problems);
  const matcher = matcherOf(node, problems, 'lists');
  if (handler?.type === 'command' || handler?.type === 'prompt') sayOthers(node, event, problems);
  if (!handler || timeoutMs === undefined || failClosed === 'unusable' || required === 'unusable' || matcher === 'unusable')
    return undefined;
  return { handler, timeoutMs, failClosed: failClosed ?? false, required: required ?? false, ...(matcher && { matcher }) };
}

function handlerOf(node: MapNode, path: string, problems: Problems): Hook['handler'] | undefined {
  const type = optional(node, 'type', 'string', problems) ?? 'command';
  if (type === 'unusable') return undefined;
  if (type !== 'command' && type !== 'prompt') {
    const at = fieldOf(node, 'type')?.at ?? node.at;
    problems.report('warning', 'unknown-type', at, `\`${path}\` is of type \`${type}\` and is skipped.`, 'Known types: command, prompt.');
    return undefined;
  }
  const text = optional(node, type, 'string', problems);
  if (text === 'unusable') return undefined;
  if (text === undefined || text.trim() === '') {
    problems.report(
      'error',
      'missing-field',
      (fieldOf(node, type) ?? node).at,
      `\`${path}\` has no \`${type}\` and is skipped.`,
      `Add \`${type}\`.`,
    );
    return undefined;
  }
  const model = type === 'prompt' ? optional(node, 'model', 'string', problems) : undefined;
  const asked = type === 'prompt' && { arguments: '$ARGUMENTS' };
  return { type, config: { [type]: text, ...asked, ...(model !== undefined && model !== 'unusable' && { model }) } };
}

function timeoutOf(node: MapNode, problems: Problems): number | undefined {
  const seconds = optional(node, 'timeout', 'number', problems);
  if (seconds === undefined) return profile.ask.timeout.fallbackMs;
  if (seconds === 'unusable') return undefined;
  const at = fieldOf(node, 'timeout')?.at;
  if (!(seconds > 0)) {
    const hint = 'Give the seconds as a number above 0, or leave `timeout` out.';
    problems.report('error', 'out-of-range', at, `A timeout of ${seconds} seconds cannot be kept.`, hint);
    return undefined;
  }
  if (seconds >= DOUBTFUL_SECONDS) {
    problems.report('warning', 'long-timeout', at, `A timeout of ${seconds} seconds: milliseconds may be meant.`, 'Divide it by 1000.');
  }
  return Math.min(seconds * 1000, LONGEST_TIMER_MS);
}

function sayOthers(node: MapNode, event: EventName, problems: Problems): void {
  for (const { key, at, value } of node.entries) {
    if (isComment(key)) continue;
    if (!KEYS.includes(key)) {
      const near = suggest(key, KEYS);
      problems.report('warning', 'unknown-field', at, `\`${key}\` means nothing here.`, near ? `Did you mean \`${near}\`?` : 'Remove it.');
    } else if (key === 'loop_limit' && event !== 'stop' && event !== 'subagentStop') {
      problems.report('warning', 'unknown-field', at, `\`loop_limit\` means nothing on ${event}.`, 'It belongs to stop and subagentStop.');
    } else if (key === 'loop_limit' && !(value.kind === 'scalar' && (value.value === null || typeof value.value === 'number'))) {
      problems.report('warning', 'wrong-type', value.at, `\`loop_limit\` must be a number or null, found ${kindName(value)}.`);
    }
  }
}

/** Tells a field that is absent from one that is there and wrong, which has then been reported. */
function optional<T extends 'string' | 'number' | 'boolean'>(
  node: MapNode,
  key: string,
  type: T,
  problems: Problems,
): { string: string; number: number; boolean: boolean }[T] | 'unusable' | undefined {
  const value = fieldOf(node, key);
  if (!value || (value.kind === 'scalar' && value.value === null)) return undefined;
  return readScalar(node, key, type, problems)?.value ?? 'unusable';
}

/** Events whose matcher is held against a word that never changes. */
const CONSTANTS: { readonly [K in EventName]?: string } = {
  beforeReadFile: 'Read',
  afterFileEdit: 'Write',
  beforeTabFileRead: 'TabRead',
  afterTabFileEdit: 'TabWrite',
  beforeSubmitPrompt: 'UserPromptSubmit',
  stop: 'Stop',
  afterAgentResponse: 'AgentResponse',
  afterAgentThought: 'AgentThought',
};

/**
 * Returns when a hook applies: on what its event is about, and by its matcher, which looks at something else on every family of events. Undefined
 * if the hook cannot be used or never runs; that has then been reported.
 */
export function conditionsFor(
  event: EventName,
  matcher: FoundMatcher | undefined,
  context: LoadContext,
  problems: Problems,
): readonly Condition[] | undefined {
  const about = aboutTool(event);
  if (!matcher || matcher.source === '*') return about;
  const pattern = patternIn(matcher.source);
  if (!pattern) {
    const message = `The matcher \`${matcher.source}\` is no regular expression: the hook fires every time.`;
    problems.report('warning', 'matcher-ignored', matcher.at, message, 'Fix it, or leave `matcher` out.');
    return about;
  }
  const source = event.includes('MCP') ? mcpMatcher(matcher.source) : matcher.source;
  if (!isUsable(matcher, context.checkPattern(source), problems)) return undefined;
  const word = CONSTANTS[event];
  if (word !== undefined) return matchesWord(pattern, word, event, matcher, problems) ? about : undefined;
  const facet: Facet | null = profile.events[event].facet;
  if (facet === null) {
    const message = `${event} has nothing to match, so the matcher is not looked at: the hook always fires.`;
    problems.report('info', 'matcher-ignored', matcher.at, message);
    return about;
  }
  if (facet === 'tool') warnNeverFires(matcher, problems);
  const { anchor, missingFacet: missing } = profile.match;
  return [...about, { facet, test: { kind: 'pattern', source, anchor }, missing }];
}

function aboutTool(event: EventName): Condition[] {
  const names = TOOL_EVENTS[event]?.names;
  if (names) return [{ facet: 'tool', test: { kind: 'oneOf', values: names }, missing: 'fails' }];
  if (!event.includes('MCP')) return [];
  return [{ facet: 'tool', test: { kind: 'pattern', source: MCP_TOOLS, anchor: 'search' }, missing: 'fails' }];
}

function patternIn(source: string): RegExp | undefined {
  try {
    return new RegExp(source);
  } catch {
    return undefined;
  }
}

/** The words are short, so even a pattern that backtracks is done at once. */
function matchesWord(
  pattern: RegExp,
  word: string,
  event: EventName,
  { at }: NonNullable<FoundMatcher | undefined>,
  problems: Problems,
): boolean {
  if (pattern.test(word)) return true;
  const message = `The matcher of a hook on ${event} is held against \`${word}\`, which it does not match: the hook never fires.`;
  problems.report('warning', 'matcher-never-fires', at, message, `Leave \`matcher\` out, or write \`${word}\`.`);
  return false;
}

const TERMS: EventListTerms = { isEvent: isEventName, example: '{"version": 1, "hooks": {…}}', items: 'hooks' };

export function load(document: Document, context: LoadContext): Loaded {
  const problems = problemsIn(document.file);
  if (document.root?.kind === 'map') sayVersion(document.root, problems);
  const hooks = eventLists(document.root, TERMS, problems).flatMap((entry) => hooksOf(entry, document.file, context, problems));
  return { hooks, diagnostics: problems.list };
}

function sayVersion(root: MapNode, problems: Problems): void {
  const version = entryOf(root, 'version');
  if (!version || (version.value.kind === 'scalar' && version.value.value === 1)) return;
  const message = 'This is not version 1 of the format; it is read as if it were.';
  problems.report('warning', 'out-of-range', version.value.at, message, 'Write `"version": 1`.');
}

function hooksOf(entry: Entry, file: string, context: LoadContext, problems: Problems): Hook[] {
  const { key } = entry;
  if (!isEventName(key)) {
    reportUnknownEvent(problems, profile.load.unknownEvent, entry, Object.keys(profile.events));
    return [];
  }
  return listItems(entry, TERMS, problems).flatMap((node, index) => {
    const action = readAction(node, key, `${key}[${index}]`, context, problems);
    const when = action && conditionsFor(key, action.matcher, context, problems);
    return action && when ? [hookFrom(key, index, node, action, when, file, context)] : [];
  });
}

function hookFrom(
  event: EventName,
  index: number,
  node: Node,
  action: Action,
  when: Hook['when'],
  file: string,
  { idPrefix, scope, folder }: LoadContext,
): Hook {
  // Hooks of a project run at its root, those of the user in the folder of their file.
  const root = folder.replace(/[\\/][^\\/]+[\\/]*$/, '');
  const isProject = scope === 'project';
  return {
    id: `${idPrefix}#${event}[${index}]`,
    name: `${event}-${index + 1}`,
    dialect: 'cursor',
    event,
    when,
    handler: action.handler,
    timeoutMs: action.timeoutMs,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file, line: node.at.line, column: node.at.column, scope },
    cwd: isProject ? root : folder,
    folder: isProject ? root : folder,
    facts: { CURSOR_PROJECT_DIR: 'project', CLAUDE_PROJECT_DIR: 'project' },
    ...(action.failClosed && { strict: true }),
    ...(action.required && { required: true }),
  };
}
