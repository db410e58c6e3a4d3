/** Turns a `hooks.json` into hooks: under `hooks` one list for each event. One bad entry never takes another down. */
import type { LoadContext, Loaded } from '../../core/dialect.ts';
import { type Document, type Entry, entryOf, fieldOf, kindName, type MapNode, type Node } from '../../core/document.ts';
import type { Hook } from '../../core/hook.ts';
import { type Complaints, complaintsAbout, sayUnknownEvent } from '../../core/loading.ts';
import { type Action, readAction } from './actions.ts';
import { conditionsFor } from './conditions.ts';
import { type EventName, isEventName, profile } from './profile.ts';

export function load(document: Document, context: LoadContext): Loaded {
  const complaints = complaintsAbout(document.file);
  const hooks = eventsIn(document.root, complaints).flatMap((entry) => hooksOf(entry, document.file, context, complaints));
  return { hooks, diagnostics: complaints.list };
}

function eventsIn(root: Node | undefined, complaints: Complaints): readonly Entry[] {
  if (!root || isNothing(root)) return [];
  if (root.kind !== 'map') {
    complaints.say(
      'error',
      'wrong-type',
      root.at,
      `The file must hold a map, found ${kindName(root)}.`,
      'Write `{"version": 1, "hooks": {…}}`.',
    );
    return [];
  }
  sayVersion(root, complaints);
  const hooks = fieldOf(root, 'hooks');
  if (!hooks) {
    const stray = root.entries.find(({ key }) => isEventName(key));
    if (stray)
      complaints.say('error', 'missing-field', stray.at, `\`${stray.key}\` stands outside of \`hooks\`.`, 'Put the events under `hooks`.');
    return [];
  }
  if (hooks.kind === 'map') return hooks.entries;
  if (!isNothing(hooks)) {
    const hint = 'Write one key for each event.';
    complaints.say('error', 'wrong-type', hooks.at, `\`hooks\` must map events to lists, found ${kindName(hooks)}.`, hint);
  }
  return [];
}

function sayVersion(root: MapNode, complaints: Complaints): void {
  const version = entryOf(root, 'version');
  if (!version || (version.value.kind === 'scalar' && version.value.value === 1)) return;
  const message = 'This is not version 1 of the format; it is read as if it were.';
  complaints.say('warning', 'out-of-range', version.value.at, message, 'Write `"version": 1`.');
}

function hooksOf(entry: Entry, file: string, context: LoadContext, complaints: Complaints): Hook[] {
  const { key, value } = entry;
  if (!isEventName(key)) {
    sayUnknownEvent(complaints, profile.load.unknownEvent, entry, Object.keys(profile.events));
    return [];
  }
  if (value.kind !== 'list') {
    if (!isNothing(value)) {
      const hint = `Write \`"${key}": [{"command": "…"}]\`.`;
      complaints.say('error', 'wrong-type', value.at, `\`${key}\` must be a list of hooks, found ${kindName(value)}.`, hint);
    }
    return [];
  }
  return value.items.flatMap((node, index) => {
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

function isNothing(node: Node): boolean {
  return node.kind === 'scalar' && node.value === null;
}
