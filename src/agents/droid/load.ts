/** Turns Droid's `hooks.json`, or the `hooks` of its settings, into hooks: events with groups of commands, in the order written. */
import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Condition, Hook, HookFact } from '../../core/contracts/hook.ts';
import { off, type Switch, switchAt } from '../../core/contracts/switch.ts';
import { type Document, type Entry, entryOf, fieldOf, type MapNode, type Node } from '../../core/values/document.ts';
import { type Problems, readScalar, reportUnknownEvent } from '../../core/values/read-document.ts';
import { eventEntries } from '../kit/event-entries.ts';
import { nameFor } from '../kit/hook-names.ts';
import { findHandlers, reportLooseShape } from '../kit/matcher-groups.ts';
import { conditionsFor, isUsable, type MatcherTerms, onceFor, warnForeignMatcher } from '../kit/matchers.ts';
import { type Reading, readingOf } from '../kit/reading.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { readHandler } from './handlers.ts';
import { type EventName, isEventName, profile } from './profile.ts';

/** For the schema: it imports this module alone, so that both are built into one chunk. */
export { FIELDS } from './handlers.ts';

/** Reads a matcher: a regular expression that is searched in the name of the tool, or in the source of a session. */
const MATCHERS: MatcherTerms = {
  profile,
  causes: {},
  isEverything: (source) => source === '*',
  ignored: 'info',
  special: () => undefined,
  pattern: (source) => source,
  widen: (pattern) => pattern,
  warn(matcher, facet, problems) {
    if (facet === 'tool') warnForeignMatcher(matcher, problems);
  },
};

/** Keys that may be next to the events. */
const OTHER_KEYS: ReadonlySet<string> = new Set(['hooksDisabled', 'showHookOutput']);
export const GROUP_KEYS = ['matcher', 'commandRegex', 'hooks', 'description'];
/** quirk payload-in-variables: the texts of a payload that Droid also hands over as variables. */
const TEXTS = [
  ...['session_id', 'transcript_path', 'cwd', 'permission_mode', 'hook_event_name', 'message_id'],
  ...['tool_name', 'prompt', 'has_images', 'stop_hook_active', 'trigger', 'custom_instructions', 'source', 'reason'],
  ...['task_name', 'task_result', 'task_error', 'message', 'notification_type'],
];
/** Under these names a command finds the project and the texts of its payload. */
const FACTS: Readonly<Record<string, HookFact>> = {
  FACTORY_PROJECT_DIR: 'project',
  DROID_PROJECT_DIR: 'project',
  CLAUDE_PROJECT_DIR: 'project',
  ...Object.fromEntries(TEXTS.map((key) => [key, { payload: key }] as const)),
};

export function load(document: Document, context: LoadContext): Loaded {
  const reading = readingOf(document, context);
  const { problems } = reading;
  const isSettings = /settings(?:\.local)?\.json$/.test(document.file);
  const entries = isSettings
    ? eventEntries(document, { isEvent: isEventName, otherKeys: OTHER_KEYS }, problems)
    : topEntries(document, problems);
  const hooks: Hook[] = [];
  for (const entry of entries) {
    if (isEventName(entry.key)) hooks.push(...hooksOf(entry.key, entry, reading));
    else reportUnknownEvent(problems, profile.load.unknownEvent, entry, Object.keys(profile.events));
  }
  const isShadowed = isSettings && hooks.length > 0 && context.stat('hooks.json') !== undefined;
  if (isShadowed) sayShadowed(document.root, problems);
  const owner = isSettings ? fieldOf(document.root, 'hooks') : document.root;
  const found = isShadowed ? hooks.map((hook): Hook => ({ ...hook, skippedByAgent: true })) : hooks;
  return { hooks: found, diagnostics: problems.list, switches: switchesIn(owner, isSettings, problems) };
}

/** quirk events-on-top */
function topEntries(document: Document, problems: Problems): readonly Entry[] {
  const { root } = document;
  if (root?.kind !== 'map') return eventEntries(document, { isEvent: isEventName, otherKeys: OTHER_KEYS }, problems);
  const wrapper = entryOf(root, 'hooks');
  if (wrapper) reportLooseShape(problems, wrapper.at, 'The events should be at the top of the file, without `hooks`.', 'Remove `hooks`.');
  const own = root.entries.filter(({ key }) => key !== 'hooks' && !OTHER_KEYS.has(key));
  return [...own, ...(wrapper?.value.kind === 'map' ? wrapper.value.entries.filter(({ key }) => !OTHER_KEYS.has(key)) : [])];
}

/** quirk file-before-settings: a guard that the agent itself does not run is asked here, also when that agent calls. */
function sayShadowed(root: Node | undefined, problems: Problems): void {
  const what = 'Droid itself does not run these hooks, because there is a `hooks.json` next to this file. Hookline runs them.';
  problems.report('warning', 'no-effect', entryOf(root, 'hooks')?.at, what, 'Move them into `hooks.json`.');
}

function switchesIn(owner: Node | undefined, isSettings: boolean, problems: Problems): readonly Switch[] {
  return switchAt(owner, 'hooksDisabled', true, off, problems, isSettings ? 'hooks.hooksDisabled' : 'hooksDisabled');
}

function hooksOf(event: EventName, entry: Entry, { file, context, problems }: Reading): Hook[] {
  const rules = new Map<MapNode | undefined, readonly Condition[] | undefined>([[undefined, []]]);
  const conditions = onceFor((matcher) => conditionsFor(event, matcher, context, MATCHERS, problems));
  const hooks: Hook[] = [];
  for (const found of findHandlers(entry, problems)) {
    const { matcher, group, at, path } = found;
    if (group && !rules.has(group)) rules.set(group, groupRule(group, event, context, problems));
    const when = conditions(matcher);
    const rule = rules.get(group);
    const read = readHandler(found, context, problems);
    if (!when || !rule || !read) continue;
    const { name, ...handling } = read;
    hooks.push({
      id: `${context.idPrefix}#${path}`,
      ...nameFor(name ?? found.name, { handler: read.handler, event, matcher, described: [found.fields, group] }),
      dialect: 'droid',
      event,
      when: [...when, ...rule],
      ...handling,
      priority: 0,
      detach: false,
      enabled: true,
      source: { file, line: at.line, column: at.column, scope: context.scope },
      folder: context.folder,
      facts: FACTS,
    });
  }
  return hooks;
}

/** quirk command-regex: returns the condition on the command; undefined if the hooks of the group never run, which has then been reported. */
function groupRule(group: MapNode, event: EventName, context: LoadContext, problems: Problems): readonly Condition[] | undefined {
  warnUnknown(group, GROUP_KEYS, 'a group', problems);
  if (!entryOf(group, 'commandRegex')) return [];
  const given = readScalar(group, 'commandRegex', 'string', problems);
  if (!given) return undefined;
  if (given.value === '') return [];
  if (profile.events[event].facet !== 'tool') {
    const what = `\`${event}\` has no command, so \`commandRegex\` keeps these hooks from running.`;
    problems.report('warning', 'matcher-never-fires', given.at, what, 'Remove it.');
    return undefined;
  }
  if (!isUsable({ source: given.value, at: given.at }, context.checkPattern(given.value), problems)) return undefined;
  return [
    { facet: 'tool', test: { kind: 'oneOf', values: ['Execute'] }, missing: 'fails' },
    { facet: 'target', test: { kind: 'pattern', source: given.value, anchor: 'search' }, missing: 'fails' },
  ];
}
