/** Turns the `hooks` of Qwen Code's settings into hooks, in the order written. */
import type { LoadContext, Loaded } from '../../core/dialect.ts';
import { type Document, type Entry, fieldOf, type MapNode } from '../../core/document.ts';
import { eventEntries } from '../../core/event-maps.ts';
import type { Condition, Hook, HookFact } from '../../core/hook.ts';
import { type Complaints, complaintsAbout, handlerLabel, sayUnknownEvent } from '../../core/loading.ts';
import { type FoundHandler, type FoundMatcher, findHandlers } from '../../core/matcher-groups.ts';
import { listAt, off, offByName, onlyAddresses, type Switch, switchAt } from '../../core/switch.ts';
import { conditionsFor, ruleConditions } from './conditions.ts';
import { readHandler, warnUnknown } from './handlers.ts';
import { type EventName, isEventName, profile } from './profile.ts';

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
  readonly complaints: Complaints;
}

export function load(document: Document, context: LoadContext): Loaded {
  const complaints = complaintsAbout(document.file);
  const place: Place = { file: document.file, context, complaints };
  const hooks: Hook[] = [];
  for (const entry of eventEntries(document, { isEvent: isEventName, beside: BESIDE }, complaints)) {
    if (isEventName(entry.key)) hooks.push(...hooksOf(entry.key, entry, place));
    else sayUnknownEvent(complaints, profile.load.unknownEvent, entry, Object.keys(profile.events));
  }
  return { hooks, diagnostics: complaints.list, switches: switchesIn(document, complaints) };
}

/** quirk switched-off-here */
function switchesIn({ root }: Document, complaints: Complaints): readonly Switch[] {
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
