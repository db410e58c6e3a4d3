/** Turns Copilot's hook files, and the `hooks` of its settings, into hooks, in the order written. */

import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Condition, Hook, HookFact } from '../../core/contracts/hook.ts';
import { listAt, off, offByName, type Switch, switchAt } from '../../core/contracts/switch.ts';
import { type Document, type Entry, entryOf, fieldOf, kindName, type MapNode, type Node } from '../../core/values/document.ts';
import { type Problems, reportUnknownEvent, stringsIn } from '../../core/values/read-document.ts';
import { eventEntries } from '../kit/event-entries.ts';
import { nameFor } from '../kit/hook-names.ts';
import { type FoundHandler, type FoundMatcher, matcherOf, reportLooseShape, shellLine } from '../kit/matcher-groups.ts';
import { conditionsFor, type MatcherTerms, onceFor, oneOf, warnForeignMatcher } from '../kit/matchers.ts';
import { PLATFORM_KEYS } from '../kit/platform-commands.ts';
import { type Reading, readingOf } from '../kit/reading.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { type ReadHandler, readHandler } from './handlers.ts';
import { CAMEL_NAMES, camelOf, isPascal, profile } from './profile.ts';
import { namesOf } from './tool-names.ts';

/** For the schema: it imports this module alone, so that both are built into one chunk. */
export { FIELDS } from './handlers.ts';

const HOW = 'Write `[{"type": "command", "bash": "…"}]`.';

/** Finds the handlers under one event: a flat list of them, groups as Claude Code has them, and the shapes people write instead. */
export function findEntries({ key, value }: Entry, problems: Problems): FoundHandler[] {
  if (value.kind === 'list') return value.items.flatMap((item, i) => fromItem(item, key, `${key}[${i}]`, problems));
  if (value.kind === 'scalar' && (value.value === null || value.value === false)) return [];
  const isNames = value.kind === 'map' && value.entries.length > 0 && value.entries.every((entry) => isEntryLike(entry.value));
  if (isNames) {
    reportLooseShape(problems, value.at, `\`${key}\` should be a list, found a map of names.`, HOW);
    return value.entries.flatMap((entry) =>
      fromItem(entry.value, key, `${key}.${entry.key}`, problems).map((found) => ({ ...found, name: entry.key })),
    );
  }
  const found = fromItem(value, key, key, problems);
  if (found.length > 0 && value.kind === 'map')
    reportLooseShape(problems, value.at, `\`${key}\` should be a list, found a single one.`, HOW);
  return found;
}

const ENTRY_KEYS = ['type', 'bash', 'command', ...PLATFORM_KEYS, 'powershell', 'exec', 'url', 'prompt', 'hooks'];

/** A handler's own fields are texts, numbers and maps of variables; what stands under a name is a handler. */
function isEntryLike(node: Node): boolean {
  return node.kind === 'map' && ENTRY_KEYS.some((key) => entryOf(node, key));
}

function fromItem(node: Node, event: string, path: string, problems: Problems): FoundHandler[] {
  if (node.kind !== 'map') return fromLine(node, path, problems);
  const matcher = matcherOf(withPlainMatcher(node, event, problems), problems);
  if (matcher === 'unusable') return [];
  const hooks = entryOf(node, 'hooks')?.value;
  if (!hooks) return [{ node, at: node.at, path, fields: node, ...(matcher && { matcher }) }];
  warnUnknown(node, ['matcher', 'hooks', 'description'], 'a group', problems);
  if (hooks.kind === 'scalar' && (hooks.value === null || hooks.value === false)) return [];
  if (hooks.kind === 'list') return hooks.items.flatMap((item, i) => inGroup(item, node, matcher, `${path}.hooks[${i}]`, problems));
  const found = inGroup(hooks, node, matcher, `${path}.hooks`, problems);
  if (found.length > 0) reportLooseShape(problems, hooks.at, `The \`hooks\` of a group should be a list, found ${kindName(hooks)}.`, HOW);
  return found;
}

/** quirk matcher-of-a-tool: `{"toolName": "bash"}` has only one meaning. Without a `toolName` a map stays what it is, which is an error. */
function withPlainMatcher(node: MapNode, event: string, problems: Problems): MapNode {
  const matcher = entryOf(node, 'matcher');
  const name = fieldOf(matcher?.value, 'toolName');
  if (matcher?.value.kind !== 'map' || !name) return node;
  warnUnknown(matcher.value, ['toolName'], 'a matcher', problems);
  const others = node.entries.filter((entry) => entry !== matcher);
  const facet = profile.events[event]?.facet ?? null;
  if (camelOf(event) !== undefined && facet !== 'tool') {
    const what = `\`${event}\` has no tool, so \`toolName\` is ignored and the hook always runs.`;
    problems.report('warning', 'matcher-ignored', matcher.at, what, 'Remove `matcher`.');
    return { ...node, entries: others };
  }
  reportLooseShape(problems, matcher.value.at, '`matcher` should be text, found a map with `toolName`.', 'Write `"matcher": "bash"`.');
  return { ...node, entries: [...others, { ...matcher, value: name }] };
}

function inGroup(node: Node, group: MapNode, shared: FoundMatcher | undefined, path: string, problems: Problems): FoundHandler[] {
  const found: FoundHandler[] = node.kind === 'map' ? [{ node, at: node.at, path, fields: node }] : fromLine(node, path, problems);
  return found.map((one) => ({ ...one, group, ...(shared && { matcher: shared }) }));
}

function fromLine(node: Node, path: string, problems: Problems): FoundHandler[] {
  const words = stringsIn(node);
  const line = words ? shellLine(words) : node.kind === 'scalar' && typeof node.value === 'string' ? node.value : '';
  if (line.trim() === '') {
    const found = node.kind === 'scalar' && node.value === '' ? 'empty text' : kindName(node);
    problems.report('error', 'wrong-type', node.at, `\`${path}\` must be a hook, found ${found}; it is skipped.`, HOW);
    return [];
  }
  reportLooseShape(problems, node.at, `\`${path}\` should be a map, found a bare command.`, HOW);
  return [{ node, at: node.at, path, line }];
}

/** Reads a matcher by the rules of the event's spelling: a pattern that fits the whole value, or in PascalCase first a list of names. */
const MATCHERS: MatcherTerms = {
  profile,
  causes: { preCompact: ['manual', 'auto'], PreCompact: ['manual', 'auto'] },
  // quirk star-is-everything
  isEverything: (source) => source === '*' || source === '**',
  ignored: 'warning',
  // quirk claude-names
  special: ({ source }, facet, event) =>
    isPascal(event) && facet === 'tool' && /^[\w|]+$/.test(source) ? oneOf(source.split('|').flatMap(namesOf)) : undefined,
  pattern: (source) => source,
  widen: (pattern) => pattern,
  warn: (matcher, _facet, problems) => warnForeignMatcher(matcher, problems),
};

/** Keys that a file may have in addition to the events. */
const OTHER_KEYS: ReadonlySet<string> = new Set(['version', 'disableAllHooks', '$schema', 'description', 'name']);
const FACTS: Readonly<Record<string, HookFact>> = { CLAUDE_PROJECT_DIR: 'project' };
/** Events of the agent that have no canonical kind. */
const BEYOND: readonly string[] = ['preMcpToolCall', 'PreMcpToolCall', 'postResult', 'prePRDescription'];

export function load(document: Document, context: LoadContext): Loaded {
  const reading = readingOf(document, context);
  const { problems } = reading;
  const { root } = document;
  sayVersion(fieldOf(root, 'version'), problems);
  const hooks: Hook[] = [];
  for (const entry of eventEntries(document, { isEvent: (name) => camelOf(name) !== undefined, otherKeys: OTHER_KEYS }, problems)) {
    if (camelOf(entry.key) !== undefined) hooks.push(...hooksOf(entry, reading));
    else sayNoEvent(entry, problems);
  }
  return { hooks, diagnostics: problems.list, switches: switchesIn(document, problems) };
}

/** quirk switched-off-here: among the hook files each speaks for itself, the settings for all of their owner. */
function switchesIn({ root, file }: Document, problems: Problems): readonly Switch[] {
  const isSettings = /(^|[\\/])settings(?:\.local)?\.json$/.test(file);
  const named = isSettings ? listAt(root, 'disabledHooks', problems) : undefined;
  const own = (hook: Hook): Hook => (isSettings || hook.source.file === file ? off(hook) : hook);
  return [
    ...switchAt(root, 'disableAllHooks', true, own, problems),
    ...(named && named.words.length > 0 ? [offByName(named, 'disabledHooks')] : []),
  ];
}

function sayNoEvent(entry: Entry, problems: Problems): void {
  if (!BEYOND.includes(entry.key)) {
    const known = /^[A-Z]/.test(entry.key) ? Object.keys(profile.events).filter(isPascal) : CAMEL_NAMES;
    reportUnknownEvent(problems, profile.load.unknownEvent, entry, known);
    return;
  }
  const what = `\`${entry.key}\` is an event that only Copilot itself has; its hooks never fire here.`;
  problems.report(profile.load.unknownEvent, 'unknown-event', entry.at, what, 'Use `preToolUse`, which fires for these tools too.');
}

/** The agent drops a file of another version whole; a guard in it is not lost here. */
function sayVersion(version: Node | undefined, problems: Problems): void {
  if (!version || (version.kind === 'scalar' && (version.value === 1 || version.value === null))) return;
  const what = 'The only `version` there is is 1: Copilot may not read this file. It is read here.';
  problems.report('warning', 'loose-shape', version.at, what, 'Write `"version": 1`.');
}

function hooksOf(entry: Entry, reading: Reading): Hook[] {
  const { context, problems } = reading;
  const conditions = onceFor((matcher) => conditionsFor(entry.key, matcher, context, MATCHERS, problems));
  return findEntries(entry, problems).flatMap((found): Hook[] => {
    const { matcher } = found;
    const when = conditions(matcher);
    const read = readHandler(found, context, problems);
    return when && read ? [hookFrom(entry.key, found, read, when, reading)] : [];
  });
}

function hookFrom(event: string, found: FoundHandler, read: ReadHandler, when: readonly Condition[], reading: Reading): Hook {
  const { file, context, problems } = reading;
  const { cwd: written, env, ...rest } = read;
  const cwd = written === undefined ? undefined : folderOf(written, found, context, problems);
  return {
    id: `${context.idPrefix}#${found.path}`,
    dialect: 'copilot',
    event,
    when,
    ...rest,
    ...nameFor(read.name ?? found.name, { ...found, handler: read.handler, event, described: [found.fields, found.group] }),
    priority: 0,
    detach: false,
    enabled: true,
    source: { file, line: found.at.line, column: found.at.column, scope: context.scope },
    folder: context.folder,
    ...(cwd !== undefined && { cwd }),
    env: { COPILOT_CLI: '1', COPILOT_HOOK_DIR: context.folder, ...env },
    facts: FACTS,
  };
}

/** quirk cwd-from-the-root: a file of the user does not tell which repository is meant. */
function folderOf(cwd: string, { at, path }: FoundHandler, { scope, folder }: LoadContext, problems: Problems): string | undefined {
  if (cwd.startsWith('/')) return cwd;
  const root = /^(.*)[\\/]\.github[\\/][^\\/]+[\\/]?$/.exec(folder)?.[1];
  if (scope === 'project' && root !== undefined) return `${root}/${cwd}`;
  const what = `The \`cwd\` of \`${path}\` is seen from a repository, and this file belongs to none: it runs where the session is.`;
  problems.report('warning', 'bad-path', at, what, 'Write the whole path.');
  return undefined;
}
