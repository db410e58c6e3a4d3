/** Turns a `hooks.json` into hooks: under `hooks` one list for each event. One bad entry never takes another down. */
import type { LoadContext, Loaded } from '../../core/dialect.ts';
import { type Document, type Entry, entryOf, type MapNode, type Node } from '../../core/document.ts';
import { type EventListTerms, eventLists, listItems } from '../../core/event-lists.ts';
import type { Hook } from '../../core/hook.ts';
import { type Complaints, complaintsAbout, sayUnknownEvent } from '../../core/loading.ts';
import { type Action, readAction } from './actions.ts';
import { conditionsFor } from './conditions.ts';
import { type EventName, isEventName, profile } from './profile.ts';

const TERMS: EventListTerms = { isEvent: isEventName, example: '{"version": 1, "hooks": {…}}', items: 'hooks' };

export function load(document: Document, context: LoadContext): Loaded {
  const complaints = complaintsAbout(document.file);
  if (document.root?.kind === 'map') sayVersion(document.root, complaints);
  const hooks = eventLists(document.root, TERMS, complaints).flatMap((entry) => hooksOf(entry, document.file, context, complaints));
  return { hooks, diagnostics: complaints.list };
}

function sayVersion(root: MapNode, complaints: Complaints): void {
  const version = entryOf(root, 'version');
  if (!version || (version.value.kind === 'scalar' && version.value.value === 1)) return;
  const message = 'This is not version 1 of the format; it is read as if it were.';
  complaints.say('warning', 'out-of-range', version.value.at, message, 'Write `"version": 1`.');
}

function hooksOf(entry: Entry, file: string, context: LoadContext, complaints: Complaints): Hook[] {
  const { key } = entry;
  if (!isEventName(key)) {
    sayUnknownEvent(complaints, profile.load.unknownEvent, entry, Object.keys(profile.events));
    return [];
  }
  return listItems(entry, TERMS, complaints).flatMap((node, index) => {
    const action = readAction(node, key, `${key}[${index}]`, complaints);
    const when = action && conditionsFor(key, action.matcher, context, complaints);
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
