/** When a hook of Qwen Code applies: an exact name or alias of a tool, or a pattern found anywhere; and, for some, a permission rule. */
import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Condition, Hook, HookFact } from '../../core/contracts/hook.ts';
import { listAt, off, offByName, onlyAddresses, type Switch, switchAt } from '../../core/contracts/switch.ts';
import { type Document, type Entry, fieldOf, type MapNode } from '../../core/values/document.ts';
import {
  handlerLabel,
  isUsable,
  type Problems,
  problemsIn,
  readScalar,
  reportUnknownEvent,
  sayMatcherIgnored,
} from '../../core/values/read-document.ts';
import { eventEntries } from '../kit/event-entries.ts';
import { type FoundHandler, type FoundMatcher, findHandlers } from '../kit/matcher-groups.ts';
import { readHandler, warnUnknown } from './handlers.ts';
import { type EventName, isEventName, profile } from './profile.ts';

/** What a matcher may call a tool, and the name Qwen Code runs it by. */
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

/** Undefined if the matcher can't be used: nobody knows what its hooks were meant for. */
export function conditionsFor(
  event: EventName,
  matcher: FoundMatcher | undefined,
  context: LoadContext,
  complaints: Problems,
): Condition[] | undefined {
  const source = matcher?.source.trim() ?? '';
  if (!matcher || isEverything(source)) return [];
  const { at } = matcher;
  const { facet } = profile.events[event];
  if (facet === null) {
    sayMatcherIgnored(event, at, complaints);
    return [];
  }
  const entries = entriesOf(source);
  if (entries.some(isEverything)) return [];
  // A list of nothing is no pattern that everything fits.
  if (entries.length === 0) {
    complaints.say(
      'warning',
      'matcher-never-fires',
      at,
      `\`${source}\` names nothing: these hooks never fire.`,
      'Name a tool, or leave it out.',
    );
    return [{ facet, test: { kind: 'oneOf', values: [] }, missing: 'fails' }];
  }
  const pattern = entries.join('|');
  if (!isUsable(matcher, context.checkPattern(pattern), complaints)) return undefined;
  if (facet === 'tool') warnNeverFires(matcher, complaints);
  const tools = facet === 'tool' ? entries.flatMap((entry) => (Object.hasOwn(ALIASES, entry) ? [ALIASES[entry] as string] : [])) : [];
  const whole = tools.length === 0 ? pattern : `${pattern}|^(?:${tools.join('|')})$`;
  return [{ facet, test: { kind: 'pattern', source: whole, anchor: profile.match.anchor }, missing: profile.match.missingFacet }];
}

/** `"if": "Bash(git *)"`: which calls of a tool it is for. Undefined if it can't be used. */
export function ruleConditions(fields: MapNode, event: EventName, complaints: Problems): Condition[] | undefined {
  const rule = readScalar(fields, 'if', 'string', complaints);
  if (!rule || rule.value.trim() === '') return [];
  const [, name = '', inner] = /^\s*([\w.*-]+)(?:\((.*)\))?\s*$/s.exec(rule.value) ?? [];
  if (name === '' || profile.events[event].facet !== 'tool') {
    const what = `\`if\` must be a rule like \`Bash(git *)\` on an event about a tool, found \`${rule.value}\` on ${event}; the hook is not loaded.`;
    complaints.say('error', 'bad-pattern', rule.at, what, 'Mend it, or leave it out.');
    return undefined;
  }
  const names = Object.hasOwn(ALIASES, name) ? [name, ALIASES[name] as string] : [name];
  const tool: Condition = { facet: 'tool', test: { kind: 'oneOf', values: names }, missing: 'fails' };
  if (inner === undefined || inner.trim() === '' || inner === '*') return [tool];
  // A guard must not miss: what can't be told is asked about.
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

/** Written as other agents write it, it is a pattern that no name of a tool fits. */
function warnNeverFires({ source, at }: FoundMatcher, complaints: Problems): void {
  const never = 'is read as a regular expression, which no name of a tool fits: these hooks never fire.';
  if (/^\w+\(.*\)$/.test(source)) {
    const hint = 'Name only the tool, and let the hook look at its input.';
    complaints.say('warning', 'matcher-never-fires', at, `\`${source}\` ${never}`, hint);
  } else if (/^[\w\s|-]+(,[\w\s|-]+)+$/.test(source)) {
    const names = source.split(',').map((name) => name.trim());
    complaints.say('warning', 'matcher-never-fires', at, `\`${source}\` ${never}`, `Write \`${names.join('|')}\`.`);
  }
}

/** Turns the `hooks` of Qwen Code's settings into hooks, in the order written. */

/** What may stand beside the events under `hooks`. */
const BESIDE: ReadonlySet<string> = new Set(['enabled', 'disabled', 'notifications']);
/** Under these names a command finds the project. */
const FACTS: Readonly<Record<string, HookFact>> = {
  QWEN_PROJECT_DIR: 'project',
  GEMINI_PROJECT_DIR: 'project',
  CLAUDE_PROJECT_DIR: 'project',
};

interface Place {
  readonly file: string;
  readonly context: LoadContext;
  readonly complaints: Problems;
}

export function load(document: Document, context: LoadContext): Loaded {
  const complaints = problemsIn(document.file);
  const place: Place = { file: document.file, context, complaints };
  const hooks: Hook[] = [];
  for (const entry of eventEntries(document, { isEvent: isEventName, beside: BESIDE }, complaints)) {
    if (isEventName(entry.key)) hooks.push(...hooksOf(entry.key, entry, place));
    else reportUnknownEvent(complaints, profile.load.unknownEvent, entry, Object.keys(profile.events));
  }
  return { hooks, diagnostics: complaints.list, switches: switchesIn(document, complaints) };
}

/** quirk switched-off-here */
function switchesIn({ root }: Document, complaints: Problems): readonly Switch[] {
  const named = listAt(fieldOf(root, 'hooks'), 'disabled', complaints);
  const addresses = listAt(fieldOf(root, 'security'), 'allowedHttpHookUrls', complaints);
  return [
    ...switchAt(root, 'disableAllHooks', true, off, complaints),
    ...(named && named.words.length > 0 ? [offByName(named, 'hooks.disabled')] : []),
    // There an empty list restricts nothing.
    ...(addresses && addresses.words.length > 0 ? [onlyAddresses(addresses, 'security.allowedHttpHookUrls')] : []),
  ];
}

function hooksOf(event: EventName, entry: Entry, { file, context, complaints }: Place): Hook[] {
  const groups = new Set<FoundHandler['group']>([undefined]);
  // The handlers of a group share one matcher: it is judged, and complained about, once.
  const judged = new Map<FoundMatcher | undefined, readonly Condition[] | undefined>([[undefined, []]]);
  const hooks: Hook[] = [];
  for (const found of findHandlers(entry, complaints)) {
    const { matcher, group, at, path, fields } = found;
    if (group && !groups.has(group)) warnUnknown(group, ['matcher', 'sequential', 'hooks', 'description'], 'a group', complaints);
    groups.add(group);
    if (!judged.has(matcher)) judged.set(matcher, conditionsFor(event, matcher, context, complaints));
    const when = judged.get(matcher);
    const read = readHandler(found, complaints);
    const rule = fields && read?.handler.type === 'http' ? ruleConditions(fields, event, complaints) : [];
    if (!when || !rule || !read) continue;
    const name = read.name ?? found.name ?? handlerLabel(read.handler);
    hooks.push({
      id: `${context.idPrefix}#${path}`,
      dialect: 'qwen',
      event,
      when: [...when, ...rule],
      ...read,
      name,
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
