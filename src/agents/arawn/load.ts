/** Turns a plugin's manifest and the hooks files it names into hooks, in the order: file, event as written, group, action. */

import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Condition, Hook } from '../../core/contracts/hook.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { type Document, entryOf, fieldOf, kindName, type MapNode, type Node } from '../../core/values/document.ts';
import { type Problems, problemsIn, reportUnknownEvent } from '../../core/values/read-document.ts';
import { nameFor } from '../kit/hook-names.ts';
import { type FoundMatcher, findHandlers } from '../kit/matcher-groups.ts';
import { onceFor, warnNeverFires } from '../kit/matchers.ts';
import { ROOT_VARIABLE } from '../kit/plugin-root.ts';
import { warnUnknownInGroups } from '../kit/unknown-fields.ts';
import { readAction } from './actions.ts';
import { type EventName, isEventName, profile } from './profile.ts';

/** For the schema: it imports this module alone, so that both are built into one chunk. */
export { FIELDS } from './actions.ts';

/** The map of events, its file, and the text to put before a hook's path so that no two files share an id. */
export interface EventMap {
  readonly events: MapNode;
  readonly file: string;
  readonly prefix: string;
}

const DEFAULT_FILE = 'hooks/hooks.json';

/** Finds a plugin's hooks: in the files that the manifest names, else in the documented default. Nothing outside the plugin is read. */
export function findEventMaps(manifest: Document, root: Node, context: LoadContext, problems: Problems): [EventMap[], Diagnostic[]] {
  const hooks = fieldOf(root, 'hooks');
  if (!hooks || (hooks.kind === 'scalar' && hooks.value === null)) {
    const document = context.read(DEFAULT_FILE, 'json');
    return document ? openFile(document, DEFAULT_FILE) : [[], []];
  }
  if (hooks.kind === 'map') {
    // Written into the manifest itself, with or without the wrapper the file has.
    const wrapped = fieldOf(hooks, 'hooks');
    return [[{ events: wrapped?.kind === 'map' ? wrapped : hooks, file: manifest.file, prefix: '' }], []];
  }
  const maps: EventMap[] = [];
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<string>();
  for (const node of hooks.kind === 'list' ? hooks.items : [hooks]) {
    const path = readPath(node, problems);
    if (path === undefined) continue;
    if (seen.has(path)) {
      problems.report('warning', 'duplicate-file', node.at, `\`${path}\` is named twice; it is read once.`, 'Remove one of them.');
      continue;
    }
    seen.add(path);
    const document = context.read(path, 'json');
    if (!document) {
      const what = `There is no hooks file \`${path}\` in the plugin.`;
      problems.report('error', 'missing-file', node.at, what, 'Fix the path, which is seen from the plugin folder, or add the file.');
      continue;
    }
    const [found, problemsInFile] = openFile(document, path);
    maps.push(...found);
    diagnostics.push(...problemsInFile);
  }
  return [maps, diagnostics];
}

function readPath(node: Node, problems: Problems): string | undefined {
  if (node.kind !== 'scalar' || typeof node.value !== 'string' || node.value.trim() === '') {
    const what = `\`hooks\` must be a path or a list of paths, found ${kindName(node)}.`;
    problems.report('error', 'wrong-type', node.at, what, `Write it like \`"./${DEFAULT_FILE}"\`.`);
    return undefined;
  }
  const path = node.value.startsWith(`${ROOT_VARIABLE}/`) ? node.value.slice(ROOT_VARIABLE.length + 1) : node.value;
  const segments = path.split(/[/\\]/);
  if (path.startsWith('/') || segments.includes('..')) {
    const what = `The hooks file \`${node.value}\` is not below the plugin folder.`;
    problems.report('error', 'bad-path', node.at, what, 'Move it into the plugin and name it from there.');
    return undefined;
  }
  return segments.filter((segment) => segment !== '' && segment !== '.').join('/');
}

function openFile(document: Document, path: string): [EventMap[], Diagnostic[]] {
  const { file, root, diagnostics } = document;
  const events = fieldOf(root, 'hooks');
  if (events?.kind === 'map') return [[{ events, file, prefix: path === DEFAULT_FILE ? '' : `${path}:` }], [...diagnostics]];
  const problems = problemsIn(file);
  // A file that could not be parsed is reported already.
  if (!diagnostics.some(({ severity }) => severity === 'error')) {
    const at = entryOf(root, 'hooks')?.value.at ?? root?.at ?? { line: 1, column: 1 };
    const found = events ? `\`hooks\` as ${kindName(events)}` : root ? `${kindName(root)} without \`hooks\`` : 'an empty file';
    const what = `A hooks file must be \`{"hooks": {event: […]}}\`, found ${found}.`;
    problems.report('error', 'wrong-type', at, what, 'Put the events into an object under `hooks`.');
  }
  return [[], [...diagnostics, ...problems.list]];
}

export function load(document: Document, context: LoadContext): Loaded {
  const problems = problemsIn(document.file);
  const { root } = document;
  if (root?.kind !== 'map') {
    // A file that could not be parsed is reported already.
    if (!document.diagnostics.some(({ severity }) => severity === 'error')) {
      const what = `A plugin manifest must be an object, found ${root ? kindName(root) : 'an empty file'}.`;
      problems.report('error', 'wrong-type', root?.at ?? { line: 1, column: 1 }, what, 'Write at least `{"name": "…"}`.');
    }
    return { hooks: [], diagnostics: problems.list };
  }
  const name = fieldOf(root, 'name');
  const owner = name?.kind === 'scalar' && typeof name.value === 'string' && name.value !== '' ? name.value : context.folderName;
  const [maps, inFiles] = findEventMaps(document, root, context, problems);
  const hooks: Hook[] = [];
  const diagnostics: Diagnostic[] = [...problems.list, ...inFiles];
  for (const map of maps) {
    const fileProblems = problemsIn(map.file);
    hooks.push(...readEvents(map, owner, context, fileProblems));
    diagnostics.push(...fileProblems.list);
  }
  return { hooks, diagnostics };
}

function readEvents({ events, file, prefix }: EventMap, owner: string, context: LoadContext, problems: Problems): Hook[] {
  const hooks: Hook[] = [];
  for (const entry of events.entries) {
    const { key: event } = entry;
    if (!isEventName(event)) {
      reportUnknownEvent(problems, profile.load.unknownEvent, entry, Object.keys(profile.events));
      continue;
    }
    warnUnknownInGroups(entry, ['matcher', 'hooks'], 'a matcher group', problems);
    const conditions = onceFor((matcher: FoundMatcher | undefined) => readConditions(event, matcher, context, problems));
    for (const { node, path, matcher, group } of findHandlers(entry, problems, 'lists')) {
      const when = conditions(matcher);
      const action = when && readAction(node, context, problems);
      if (!action) continue;
      hooks.push({
        id: `${context.idPrefix}#${prefix}${path}`,
        ...nameFor(
          undefined,
          { handler: action.handler, event, matcher, described: [node.kind === 'map' ? node : undefined, group] },
          `${owner}/`,
        ),
        dialect: 'arawn',
        event,
        when,
        ...action,
        priority: 0,
        detach: false,
        enabled: true,
        source: { file, line: node.at.line, column: node.at.column, scope: context.scope },
        cwd: context.folder,
        folder: context.folder,
        env: { CLAUDE_PLUGIN_ROOT: context.folder, ARAWN_PLUGIN_DIR: context.folder },
        owner,
      });
    }
  }
  return hooks;
}

/** Undefined if the matcher cannot be used. Its hooks are not loaded then, because their purpose is unknown. */
function readConditions(
  event: EventName,
  matcher: FoundMatcher | undefined,
  context: LoadContext,
  problems: Problems,
): Condition[] | undefined {
  // `*` is no regular expression, but it is what people write for "everything".
  if (!matcher || matcher.source === '*') return [];
  const { source, at } = matcher;
  const problem = context.checkPattern(source);
  if (problem !== undefined) {
    const what = `\`matcher\` is not a regular expression that can be used: ${problem}`;
    problems.report('error', 'bad-pattern', at, what, 'Fix the pattern, or leave it out to match every tool.');
    return undefined;
  }
  if (profile.events[event].facet === null) {
    const what = `\`matcher\` names tools, and \`${event}\` is about none: these hooks never fire.`;
    problems.report('warning', 'matcher-never-fires', at, what, 'Remove `matcher`.');
  } else warnNeverFires(matcher, problems);
  const { anchor, missingFacet } = profile.match;
  return [{ facet: 'tool', test: { kind: 'pattern', source, anchor }, missing: missingFacet }];
}
