/** Turns `hooks.json` and the `[hooks]` tables of `config.toml` into hooks. Codex drops a whole file for one stray word; here only that word suffers. */
import type { LoadContext, Loaded } from '../../core/dialect.ts';
import { type Document, type Entry, entryOf } from '../../core/document.ts';
import { eventEntries } from '../../core/event-maps.ts';
import type { Condition, Hook } from '../../core/hook.ts';
import { type Complaints, complaintsAbout, handlerLabel, sayUnknownEvent } from '../../core/loading.ts';
import { type FoundHandler, type FoundMatcher, findHandlers } from '../../core/matcher-groups.ts';
import { conditionsFor } from './conditions.ts';
import { DROPS_FILE, readHandler, warnUnknown } from './handlers.ts';
import { type EventName, isEventName, profile } from './profile.ts';
import { sayLegacy, switchesIn } from './switches.ts';

/** What Codex keeps beside the events: whether its user trusts and wants a hook. */
const BESIDE: ReadonlySet<string> = new Set(['state', 'managed_dir', 'windows_managed_dir']);

export function load(document: Document, context: LoadContext): Loaded {
  const complaints = complaintsAbout(document.file);
  if (/\.json$/i.test(document.file)) warnBeside(document, complaints);
  const hooks: Hook[] = [];
  for (const entry of eventEntries(document, { isEvent: isEventName, beside: BESIDE }, complaints)) {
    if (isEventName(entry.key)) hooks.push(...hooksOf(entry.key, entry, document.file, context, complaints));
    else sayUnknownEvent(complaints, profile.load.unknownEvent, entry, Object.keys(profile.events));
  }
  sayLegacy(document, complaints);
  return { hooks, diagnostics: complaints.list, switches: switchesIn(document, context.scope, complaints) };
}

function warnBeside({ root }: Document, complaints: Complaints): void {
  if (root?.kind !== 'map' || !entryOf(root, 'hooks')) return;
  for (const { key, at } of root.entries) {
    if (key === 'hooks' || key === 'description') continue;
    const hint = `Take it out: ${DROPS_FILE}`;
    complaints.say('warning', 'unknown-field', at, `There is no \`${key}\` beside \`hooks\`; it is ignored.`, hint);
  }
}

function hooksOf(event: EventName, entry: Entry, file: string, context: LoadContext, complaints: Complaints): Hook[] {
  const groups = new Set<FoundHandler['group']>([undefined]);
  // The handlers of a group share one matcher: it is judged, and complained about, once.
  const judged = new Map<FoundMatcher | undefined, readonly Condition[] | undefined>([[undefined, []]]);
  const hooks: Hook[] = [];
  for (const found of findHandlers(entry, complaints)) {
    const { matcher, group, at, path } = found;
    if (group && !groups.has(group)) warnUnknown(group, ['matcher', 'hooks'], 'a group', complaints);
    groups.add(group);
    if (!judged.has(matcher)) judged.set(matcher, conditionsFor(event, matcher, context, complaints));
    const when = judged.get(matcher);
    const read = readHandler(found, event, complaints);
    if (!when || !read) continue;
    hooks.push({
      id: `${context.idPrefix}#${path}`,
      name: found.name ?? handlerLabel(read.handler),
      dialect: 'codex',
      event,
      when,
      ...read,
      priority: 0,
      enabled: true,
      source: { file, line: at.line, column: at.column, scope: context.scope },
      folder: context.folder,
    });
  }
  return hooks;
}
