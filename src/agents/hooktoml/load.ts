/** Turns one HOOK.toml into one hook, or into all the reasons why it is none. */

import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Condition, Hook } from '../../core/contracts/hook.ts';
import type { Position } from '../../core/values/diagnostic.ts';
import { type Document, entryOf, type MapNode } from '../../core/values/document.ts';
import { type Problems, problemsIn, readScalar, reportUnknownEvent } from '../../core/values/read-document.ts';
import { type Action, readAction, readInteger, readTable, readText, readTexts, warnUnknown } from './actions.ts';
import { type EventName, isEventName, isVoid, namesSender, profile, searchedIn } from './profile.ts';

/** For the schema: it imports this module alone, so that both are built into one chunk. */
export { METHODS } from './actions.ts';

const START: Position = { line: 1, column: 1 };
export const FIELDS = ['name', 'description', 'event', 'priority', 'enabled', 'action', 'conditions', 'skip_security_audit', 'required'];
const NAME = /^[A-Za-z0-9-]{1,64}$/;

export function load(document: Document, context: LoadContext): Loaded {
  const problems = problemsIn(document.file);
  const { root } = document;
  const unread = document.diagnostics.some(({ severity }) => severity === 'error');
  const table = root && readTable(root, 'hook', 'hook', problems);
  if (!table || root.kind !== 'map') {
    // A file that could not be parsed is reported already.
    if (!unread && !entryOf(root, 'hook')) {
      problems.report('error', 'missing-field', root?.at ?? START, 'The file has no `[hook]` table.', 'Begin it with `[hook]`.');
    }
    return { hooks: [], diagnostics: problems.list };
  }
  warnUnknown(root, ['hook', 'skip_security_audit'], 'the file', problems);
  warnUnknown(table, FIELDS, '`[hook]`', problems);
  const name = readName(table, problems);
  const event = readEvent(table, problems);
  const description = readScalar(table, 'description', 'string', problems)?.value;
  const priority = readInteger(table, 'priority', 0, problems);
  const enabled = readScalar(table, 'enabled', 'boolean', problems)?.value ?? true;
  const skips = [root, table].map((owner) => readScalar(owner, 'skip_security_audit', 'boolean', problems)?.value === true);
  const required = readScalar(table, 'required', 'boolean', problems)?.value === true;
  const action = readAction(table, event, context.folder, problems);
  const when = readConditions(table, event, context, problems);
  const broken = unread || problems.list.some(({ severity }) => severity === 'error');
  if (broken || name === undefined || event === undefined || action === undefined) return { hooks: [], diagnostics: problems.list };
  const hook: Hook = {
    id: `${context.idPrefix}#${name}`,
    name,
    ...(description !== undefined && { description }),
    dialect: 'hooktoml',
    event,
    when,
    ...actionOf(action),
    priority,
    detach: isVoid(event),
    enabled,
    source: { file: document.file, line: table.at.line, column: table.at.column, scope: context.scope },
    folder: context.folder,
    env: { HOOK_EVENT: event, HOOK_NAME: name },
    ...(skips.includes(true) && { skipAudit: true }),
    ...(required && { required }),
  };
  return { hooks: [hook], diagnostics: problems.list };
}

function actionOf({ handler, timeoutMs, cwd }: Action): Pick<Hook, 'handler' | 'timeoutMs' | 'cwd'> {
  return { handler, timeoutMs, cwd };
}

function readName(table: MapNode, problems: Problems): string | undefined {
  const name = readText(table, 'name', 'hook', problems);
  if (!name || NAME.test(name.value)) return name?.value;
  const what = `\`name\` must be 1 to 64 letters, digits and hyphens, found ${JSON.stringify(name.value)}.`;
  problems.report('error', 'bad-name', name.at, what, 'Rename the hook, like `tool-logger`.');
  return undefined;
}

function readEvent(table: MapNode, problems: Problems): EventName | undefined {
  const event = readText(table, 'event', 'hook', problems);
  if (!event || isEventName(event.value)) return event?.value as EventName | undefined;
  reportUnknownEvent(problems, profile.load.unknownEvent, { key: event.value, at: event.at }, Object.keys(profile.events));
  return undefined;
}

function readConditions(table: MapNode, event: EventName | undefined, context: LoadContext, problems: Problems): Condition[] {
  const conditions = readTable(table, 'conditions', 'hook.conditions', problems);
  if (!conditions) return [];
  warnUnknown(conditions, ['channels', 'users', 'pattern'], '`[hook.conditions]`', problems);
  const when: Condition[] = [];
  for (const [key, facet] of [['channels', 'channel'] as const, ['users', 'user'] as const]) {
    const list = readTexts(conditions, key, problems);
    if (!list) continue;
    if (list.values.length === 0) {
      problems.report('warning', 'empty-condition', list.at, `\`${key}\` is empty and restricts nothing.`, 'Name some, or leave it out.');
      continue;
    }
    when.push({ facet, test: { kind: 'oneOf', values: list.values }, missing: 'holds' });
    if (event !== undefined && !namesSender(event)) sayFiltersNothing(key, event, `names no ${facet}`, list.at, problems);
  }
  const pattern = readScalar(conditions, 'pattern', 'string', problems);
  if (!pattern) return when;
  const problem = context.checkPattern(pattern.value);
  if (problem === undefined) {
    const facet = event === undefined ? 'text' : searchedIn(event);
    when.push({ facet: facet ?? 'text', test: { kind: 'pattern', source: pattern.value, anchor: 'search' }, missing: 'holds' });
    if (event !== undefined && facet === null) sayFiltersNothing('pattern', event, 'has no text', pattern.at, problems);
  } else {
    const what = `\`pattern\` is not a regular expression that can be used: ${problem}`;
    problems.report('error', 'bad-pattern', pattern.at, what, "Fix the pattern; in '…' a backslash is an ordinary character.");
  }
  return when;
}

/** A condition on a value that the event does not have holds, because a gate must stay a gate. Its author may expect the opposite. */
function sayFiltersNothing(key: string, event: EventName, lacks: string, at: Position, problems: Problems): void {
  const what = `\`${key}\` filters nothing on \`${event}\`, because that event ${lacks}. It holds every time.`;
  problems.report('warning', 'condition-without-effect', at, what, 'Leave it out, or use an event that has it.');
}
