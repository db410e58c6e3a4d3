/** Turns the `hooks` of Gemini CLI's settings into hooks, in the order written. */
import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Hook, HookFact } from '../../core/contracts/hook.ts';
import { listAt, off, offByName, type Switch, switchAt } from '../../core/contracts/switch.ts';
import { type Document, type Entry, fieldOf, type MapNode } from '../../core/values/document.ts';
import { textOf } from '../../core/values/json.ts';
import { type Problems, reportUnknownEvent } from '../../core/values/read-document.ts';
import { eventEntries } from '../kit/event-entries.ts';
import { nameFor } from '../kit/hook-names.ts';
import { type FoundHandler, findHandlers } from '../kit/matcher-groups.ts';
import { conditionsFor, type MatcherTerms, onceFor, oneOf, warnForeignMatcher } from '../kit/matchers.ts';
import { type Reading, readingOf } from '../kit/reading.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { readHandler } from './handlers.ts';
import { EVENT_NAMES, type EventName, isEventName, profile } from './profile.ts';

/** For the schema: it imports this module alone, so that both are built into one chunk. */
export { FIELDS } from './handlers.ts';

/** Reads a matcher: a regular expression for the name of a tool, the exact word for the cause of an event, and nothing on other events. */
const MATCHERS: MatcherTerms = {
  profile,
  causes: { SessionStart: ['startup', 'resume', 'clear'], PreCompress: ['manual', 'auto'] },
  isEverything: (source) => source === '*',
  ignored: 'warning',
  special({ source, at }, facet, _event, problems) {
    if (facet === 'cause') return oneOf([source]);
    if (isRegExp(source)) return undefined;
    // quirk broken-pattern-is-a-name
    const message = `\`${source}\` is no regular expression, so it is taken for the name of one tool.`;
    problems.report('warning', 'bad-pattern', at, message, 'Fix the pattern, or leave it out to match every tool.');
    return oneOf([source]);
  },
  pattern: (source) => source,
  widen: (pattern) => pattern,
  warn: (matcher, _facet, problems) => warnForeignMatcher(matcher, problems),
};

function isRegExp(source: string): boolean {
  try {
    return new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Keys that `hooks` may have in addition to the events. */
const OTHER_KEYS: ReadonlySet<string> = new Set(['enabled', 'disabled', 'notifications', '$schema', 'description']);
/** Under these names a command finds the project and the session. */
const FACTS: Readonly<Record<string, HookFact>> = {
  GEMINI_PROJECT_DIR: 'project',
  CLAUDE_PROJECT_DIR: 'project',
  GEMINI_SESSION_ID: 'session',
};
/** Other agents' names for these events. */
const ELSEWHERE: Readonly<Record<string, EventName>> = {
  PreToolUse: 'BeforeTool',
  PostToolUse: 'AfterTool',
  PostToolUseFailure: 'AfterTool',
  UserPromptSubmit: 'BeforeAgent',
  Stop: 'AfterAgent',
  PreCompact: 'PreCompress',
};

export function load(document: Document, context: LoadContext): Loaded {
  const reading = readingOf(document, context);
  const { problems } = reading;
  const hooks: Hook[] = [];
  for (const entry of eventEntries(document, { isEvent: isEventName, otherKeys: OTHER_KEYS }, problems)) {
    if (isEventName(entry.key)) hooks.push(...hooksOf(entry.key, entry, reading));
    else sayNoEvent(entry, problems);
  }
  return { hooks, diagnostics: problems.list, switches: switchesIn(document, problems) };
}

function sayNoEvent(entry: Entry, problems: Problems): void {
  const ours = Object.hasOwn(ELSEWHERE, entry.key) ? ELSEWHERE[entry.key] : undefined;
  if (ours === undefined) {
    reportUnknownEvent(problems, profile.load.unknownEvent, entry, EVENT_NAMES);
    return;
  }
  const what = `Gemini CLI has no event \`${entry.key}\`; its hooks never fire.`;
  problems.report(profile.load.unknownEvent, 'unknown-event', entry.at, what, `There it is called \`${ours}\`.`);
}

/** quirk switched-off-here */
function switchesIn({ root }: Document, problems: Problems): readonly Switch[] {
  return (['hooksConfig', 'hooks'] as const).flatMap((name) => {
    const owner = fieldOf(root, name);
    const named = listAt(owner, 'disabled', problems);
    return [
      ...switchAt(owner, 'enabled', false, off, problems, `${name}.enabled`),
      ...(named && named.words.length > 0 ? [offByName(named, `${name}.disabled`)] : []),
    ];
  });
}

function hooksOf(event: EventName, entry: Entry, { file, context, problems }: Reading): Hook[] {
  const conditions = onceFor((matcher) => conditionsFor(event, matcher, context, MATCHERS, problems));
  const seen = new Set<string>();
  const groups = new Set<FoundHandler['group']>([undefined]);
  const hooks: Hook[] = [];
  for (const found of findHandlers(entry, problems)) {
    const { matcher, group, at, path } = found;
    if (group && !groups.has(group)) warnUnknown(group, ['matcher', 'sequential', 'hooks', 'description'], 'a group', problems);
    groups.add(group);
    const when = conditions(matcher);
    const read = readHandler(found, context, problems);
    if (!when || !read) continue;
    const command = textOf(read.handler.config['command']);
    // quirk same-hook-once: the agent runs what has the same name and command once.
    const same = JSON.stringify([matcher?.source ?? '', read.name ?? '', command ?? path]);
    if (seen.has(same)) continue;
    seen.add(same);
    const named = nameFor(read.name ?? found.name, { handler: read.handler, event, matcher, described: [found.fields, group] });
    hooks.push({
      id: `${context.idPrefix}#${path}`,
      dialect: 'gemini-cli',
      event,
      when,
      ...read,
      ...named,
      priority: 0,
      detach: false,
      enabled: true,
      ...(isScalar(group, 'sequential', true) && { sequence: true }),
      source: { file, line: at.line, column: at.column, scope: context.scope },
      folder: context.folder,
      facts: FACTS,
    });
  }
  return hooks;
}

function isScalar(owner: MapNode | ReturnType<typeof fieldOf>, key: string, value: boolean): boolean {
  const node = fieldOf(owner, key);
  return node?.kind === 'scalar' && node.value === value;
}
