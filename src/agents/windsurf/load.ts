/** Turns a `hooks.json` into hooks: under `hooks` one list of commands for each event. One bad entry never takes another down. */
import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Hook } from '../../core/contracts/hook.ts';
import { type Document, type Entry, entryOf, fieldOf, kindName, type MapNode } from '../../core/values/document.ts';
import { isComment, type Problems, problemsIn, readScalar, reportUnknownEvent } from '../../core/values/read-document.ts';
import { suggest } from '../../core/values/suggest.ts';
import { type EventListTerms, eventLists, isNothing, listItems } from '../kit/event-entries.ts';
import { ownHandler } from '../kit/own-handler.ts';
import { type EventName, isEventName, profile } from './profile.ts';
import { SHAPES } from './shapes.ts';

export const KEYS = ['command', 'powershell', 'show_output', 'working_directory'];

const TERMS: EventListTerms = { isEvent: isEventName, example: '{"hooks": {…}}', items: 'commands' };

export function load(document: Document, context: LoadContext): Loaded {
  const problems = problemsIn(document.file);
  const hooks = eventLists(document.root, TERMS, problems).flatMap((entry) => hooksOf(entry, document.file, context, problems));
  return { hooks, diagnostics: problems.list };
}

function hooksOf(entry: Entry, file: string, context: LoadContext, problems: Problems): Hook[] {
  const { key } = entry;
  if (!isEventName(key)) {
    reportUnknownEvent(problems, profile.load.unknownEvent, entry, Object.keys(profile.events));
    return [];
  }
  return listItems(entry, TERMS, problems).flatMap((node, index) => {
    const path = `${key}[${index}]`;
    if (node.kind !== 'map') {
      const hint = 'Write `{"command": "…"}`.';
      problems.report('error', 'wrong-type', node.at, `\`${path}\` must be a map with a \`command\`, found ${kindName(node)}.`, hint);
      return [];
    }
    const handler = ownHandler(node, context) ?? commandOf(node, path, problems);
    return handler ? [hookFrom(key, index, node, handler, file, context, problems)] : [];
  });
}

function commandOf(node: MapNode, path: string, problems: Problems): Hook['handler'] | undefined {
  for (const { key, at } of node.entries) {
    if (KEYS.includes(key) || isComment(key)) continue;
    const near = suggest(key, KEYS);
    const hint = near ? `Did you mean \`${near}\`?` : `Known keys: ${KEYS.join(', ')}.`;
    problems.report('warning', 'unknown-field', at, `\`${key}\` means nothing here: every command runs on every firing.`, hint);
  }
  const { value = '' } = readScalar(node, 'command', 'string', problems) ?? {};
  if (value.trim() !== '') return { type: 'command', config: { command: value } };
  const given = fieldOf(node, 'command');
  if (given && !isNothing(given) && !(given.kind === 'scalar' && typeof given.value === 'string')) return undefined;
  const [what, hint] = entryOf(node, 'powershell')
    ? ['only a `powershell`', 'Add a `command` for other systems.']
    : ['no `command`', 'Add `command`.'];
  problems.report('error', 'missing-field', (given ?? node).at, `\`${path}\` has ${what} and is skipped.`, hint);
  return undefined;
}

function hookFrom(
  event: EventName,
  index: number,
  node: MapNode,
  handler: Hook['handler'],
  file: string,
  context: LoadContext,
  problems: Problems,
): Hook {
  const { idPrefix, scope, folder } = context;
  const root = scope === 'project' ? folder.replace(/[\\/][^\\/]+[\\/]*$/, '') : undefined;
  const cwd = folderOf(node, root, problems);
  return {
    id: `${idPrefix}#${event}[${index}]`,
    name: `${event}-${index + 1}`,
    dialect: 'windsurf',
    event,
    when: SHAPES[event].about,
    handler,
    timeoutMs: profile.ask.timeout.fallbackMs,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file, line: node.at.line, column: node.at.column, scope },
    folder: root ?? folder,
    ...(cwd !== undefined && { cwd }),
  };
}

/** Seen from the workspace; only for a project's own file is it known which one that is. */
function folderOf(node: MapNode, root: string | undefined, problems: Problems): string | undefined {
  const given = readScalar(node, 'working_directory', 'string', problems);
  if (!given || given.value === '') return root;
  if (/^(?:[\\/]|[A-Za-z]:)/.test(given.value)) return given.value;
  if (root !== undefined) return `${root}/${given.value.replace(/^\.\//, '')}`;
  const message = `\`${given.value}\` can only be found from a workspace; the hook runs in the session's folder.`;
  problems.report('warning', 'bad-path', given.at, message, 'Write the whole path.');
  return undefined;
}
