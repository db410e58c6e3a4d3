/** Turns the `hooks` of Qwen Code's settings into hooks, in the order written. */
import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Condition, Hook, HookFact } from '../../core/contracts/hook.ts';
import { listAt, off, offByName, onlyAddresses, type Switch, switchAt } from '../../core/contracts/switch.ts';
import { type Document, type Entry, fieldOf, type MapNode } from '../../core/values/document.ts';
import { type Problems, readScalar, reportUnknownEvent } from '../../core/values/read-document.ts';
import { eventEntries } from '../kit/event-entries.ts';
import { nameFor } from '../kit/hook-names.ts';
import { type FoundHandler, findHandlers } from '../kit/matcher-groups.ts';
import { conditionsFor, type MatcherTerms, onceFor, oneOf, warnForeignMatcher } from '../kit/matchers.ts';
import { type Reading, readingOf } from '../kit/reading.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { readHandler } from './handlers.ts';
import { type EventName, isEventName, profile } from './profile.ts';

/** For the schema: it imports this module alone, so that both are built into one chunk. */
export { FIELDS } from './handlers.ts';

/** Names that a matcher may use for a tool, and Qwen Code's own name of the tool. */
const ALIASES: Readonly<Record<string, string>> = {
  Bash: 'run_shell_command',
  Shell: 'run_shell_command',
  Read: 'read_file',
  ReadFile: 'read_file',
  Write: 'write_file',
  WriteFile: 'write_file',
  Edit: 'edit',
  Glob: 'glob',
  Grep: 'grep_search',
  ListFiles: 'list_directory',
  WebFetch: 'web_fetch',
  TodoWrite: 'todo_write',
};

/** When a hook of Qwen Code applies: an exact name or alias of a tool, or a pattern found anywhere. */
const MATCHERS: MatcherTerms = {
  profile,
  causes: { PreCompact: ['manual', 'auto'], PostCompact: ['manual', 'auto'] },
  isEverything: (source) => isEverything(source.trim()),
  ignored: 'info',
  special({ source, at }, _facet, _event, problems) {
    const entries = entriesOf(source.trim());
    if (entries.some(isEverything)) return 'everything';
    if (entries.length > 0) return undefined;
    // A list of nothing is no pattern that everything fits.
    const message = `\`${source.trim()}\` names nothing, so these hooks never run.`;
    problems.report('warning', 'matcher-never-fires', at, message, 'Name a tool, or leave it out.');
    return { ...oneOf([]), missing: 'fails' };
  },
  pattern: (source) => entriesOf(source.trim()).join('|'),
  widen(pattern, facet) {
    const entries = facet === 'tool' ? entriesOf(pattern) : [];
    const tools = entries.flatMap((entry) => (Object.hasOwn(ALIASES, entry) ? [ALIASES[entry] as string] : []));
    return tools.length === 0 ? pattern : `${pattern}|^(?:${tools.join('|')})$`;
  },
  warn(matcher, facet, problems) {
    if (facet === 'tool') warnForeignMatcher(matcher, problems);
  },
};

/** `"if": "Bash(git *)"`: which calls of a tool it is for. Undefined if it cannot be used. */
export function ruleConditions(fields: MapNode, event: EventName, problems: Problems): Condition[] | undefined {
  const rule = readScalar(fields, 'if', 'string', problems);
  if (!rule || rule.value.trim() === '') return [];
  const [, name = '', inner] = /^\s*([\w.*-]+)(?:\((.*)\))?\s*$/s.exec(rule.value) ?? [];
  if (name === '' || profile.events[event].facet !== 'tool') {
    const what = `\`if\` must be a rule like \`Bash(git *)\` on an event about a tool, found \`${rule.value}\` on ${event}; the hook is not loaded.`;
    problems.report('error', 'bad-pattern', rule.at, what, 'Fix it, or leave it out.');
    return undefined;
  }
  const names = Object.hasOwn(ALIASES, name) ? [name, ALIASES[name] as string] : [name];
  const tool: Condition = { facet: 'tool', test: { kind: 'oneOf', values: names }, missing: 'fails' };
  if (inner === undefined || inner.trim() === '' || inner === '*') return [tool];
  // A guard must not miss: what cannot be told is asked about.
  const source = inner.replace(/:\*$/, '*').split('*').map(escaped).join('.*');
  return [tool, { facet: 'target', test: { kind: 'pattern', source, flags: 's', anchor: 'whole' }, missing: 'holds' }];
}

function isEverything(source: string): boolean {
  return source === '' || source === '*' || source === '.*';
}

/** Only where it does not begin as a pattern is it a list; a `\|` is part of its entry. */
function entriesOf(source: string): readonly string[] {
  if (!source.includes('|') || /^[\^(]/.test(source)) return [source];
  return source
    .split(/(?<!\\)\|/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** Keys that `hooks` may have in addition to the events. */
const OTHER_KEYS: ReadonlySet<string> = new Set(['enabled', 'disabled', 'notifications']);
/** Under these names a command finds the project. */
const FACTS: Readonly<Record<string, HookFact>> = {
  QWEN_PROJECT_DIR: 'project',
  GEMINI_PROJECT_DIR: 'project',
  CLAUDE_PROJECT_DIR: 'project',
};

export function load(document: Document, context: LoadContext): Loaded {
  const reading = readingOf(document, context);
  const { problems } = reading;
  const hooks: Hook[] = [];
  for (const entry of eventEntries(document, { isEvent: isEventName, otherKeys: OTHER_KEYS }, problems)) {
    if (isEventName(entry.key)) hooks.push(...hooksOf(entry.key, entry, reading));
    else reportUnknownEvent(problems, profile.load.unknownEvent, entry, Object.keys(profile.events));
  }
  return { hooks, diagnostics: problems.list, switches: switchesIn(document, problems) };
}

/** quirk switched-off-here */
function switchesIn({ root }: Document, problems: Problems): readonly Switch[] {
  const named = listAt(fieldOf(root, 'hooks'), 'disabled', problems);
  const addresses = listAt(fieldOf(root, 'security'), 'allowedHttpHookUrls', problems);
  return [
    ...switchAt(root, 'disableAllHooks', true, off, problems),
    ...(named && named.words.length > 0 ? [offByName(named, 'hooks.disabled')] : []),
    // There an empty list restricts nothing.
    ...(addresses && addresses.words.length > 0 ? [onlyAddresses(addresses, 'security.allowedHttpHookUrls')] : []),
  ];
}

function hooksOf(event: EventName, entry: Entry, { file, context, problems }: Reading): Hook[] {
  const groups = new Set<FoundHandler['group']>([undefined]);
  const conditions = onceFor((matcher) => conditionsFor(event, matcher, context, MATCHERS, problems));
  const hooks: Hook[] = [];
  for (const found of findHandlers(entry, problems)) {
    const { matcher, group, at, path, fields } = found;
    if (group && !groups.has(group)) warnUnknown(group, ['matcher', 'sequential', 'hooks', 'description'], 'a group', problems);
    groups.add(group);
    const when = conditions(matcher);
    const read = readHandler(found, context, problems);
    const rule = fields && read?.handler.type === 'http' ? ruleConditions(fields, event, problems) : [];
    if (!when || !rule || !read) continue;
    const named = nameFor(read.name ?? found.name, { handler: read.handler, event, matcher, described: [found.fields, group] });
    hooks.push({
      id: `${context.idPrefix}#${path}`,
      dialect: 'qwen',
      event,
      when: [...when, ...rule],
      ...read,
      ...named,
      priority: 0,
      enabled: true,
      ...(isSequential(group) && { sequence: true }),
      source: { file, line: at.line, column: at.column, scope: context.scope },
      folder: context.folder,
      facts: FACTS,
    });
  }
  return hooks;
}

function isSequential(group: MapNode | undefined): boolean {
  const node = fieldOf(group, 'sequential');
  return node?.kind === 'scalar' && node.value === true;
}
