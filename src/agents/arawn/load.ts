/** Turns a plugin's manifest and the hooks files it names into hooks, in the order: file, event as written, group, action. */

import type { Diagnostic } from '../../core/diagnostic.ts';
import type { LoadContext, Loaded } from '../../core/dialect.ts';
import { type Document, type Entry, fieldOf, kindName } from '../../core/document.ts';
import type { Condition, Hook } from '../../core/hook.ts';
import { type Complaints, complaintsAbout, type Group, handlerLabel, readGroups, sayUnknownEvent } from '../../core/loading.ts';
import { readAction, warnUnknown } from './actions.ts';
import { type EventMap, findEventMaps } from './hook-files.ts';
import { type EventName, isEventName, profile } from './profile.ts';

export function load(document: Document, context: LoadContext): Loaded {
  const complaints = complaintsAbout(document.file);
  const { root } = document;
  if (root?.kind !== 'map') {
    // A file that could not be parsed has said so already.
    if (!document.diagnostics.some(({ severity }) => severity === 'error')) {
      const what = `A plugin manifest must be an object, found ${root ? kindName(root) : 'an empty file'}.`;
      complaints.say('error', 'wrong-type', root?.at ?? { line: 1, column: 1 }, what, 'Write at least `{"name": "…"}`.');
    }
    return { hooks: [], diagnostics: complaints.list };
  }
  const name = fieldOf(root, 'name');
  const owner = name?.kind === 'scalar' && typeof name.value === 'string' && name.value !== '' ? name.value : context.folderName;
  const [maps, inFiles] = findEventMaps(document, root, context, complaints);
  const hooks: Hook[] = [];
  const diagnostics: Diagnostic[] = [...complaints.list, ...inFiles];
  for (const map of maps) {
    const said = complaintsAbout(map.file);
    hooks.push(...readEvents(map, owner, context, said));
    diagnostics.push(...said.list);
  }
  return { hooks, diagnostics };
}

function readEvents({ events, file, prefix }: EventMap, owner: string, context: LoadContext, complaints: Complaints): Hook[] {
  const hooks: Hook[] = [];
  for (const entry of events.entries) {
    const { key: event } = entry;
    if (!isEventName(event)) {
      sayUnknownEvent(complaints, profile.load.unknownEvent, entry, Object.keys(profile.events));
      continue;
    }
    warnUnknownInGroups(entry, complaints);
    for (const group of readGroups(entry, complaints)) {
      const when = readConditions(event, group, context, complaints);
      if (!when) continue;
      for (const { node, path } of group.actions) {
        const action = readAction(node, context.folder, complaints);
        if (!action) continue;
        hooks.push({
          id: `${context.idPrefix}#${prefix}${path}`,
          name: `${owner}/${handlerLabel(action.handler)}`,
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
  }
  return hooks;
}

function warnUnknownInGroups({ value }: Entry, complaints: Complaints): void {
  if (value.kind !== 'list') return;
  for (const group of value.items) if (group.kind === 'map') warnUnknown(group, ['matcher', 'hooks'], 'a matcher group', complaints);
}

/** Undefined if the matcher can't be used: its hooks are not loaded, because nobody knows what they were meant for. */
function readConditions(event: EventName, { matcher }: Group, context: LoadContext, complaints: Complaints): Condition[] | undefined {
  // `*` is no regular expression, but it is what people write for "everything".
  if (!matcher || matcher.source === '*') return [];
  const { source, at } = matcher;
  const problem = context.checkPattern(source);
  if (problem !== undefined) {
    const what = `\`matcher\` is not a regular expression that can be used: ${problem}`;
    complaints.say('error', 'bad-pattern', at, what, 'Mend the pattern, or leave it out to match every tool.');
    return undefined;
  }
  if (profile.events[event].facet === null) {
    const what = `\`matcher\` names tools, and \`${event}\` is about none: these hooks never fire.`;
    complaints.say('warning', 'matcher-never-fires', at, what, 'Remove `matcher`.');
  }
  const { anchor, missingFacet } = profile.match;
  return [{ facet: 'tool', test: { kind: 'pattern', source, anchor }, missing: missingFacet }];
}
