/** Turns the settings of one program into one hook. */
import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Condition, Hook, OnError } from '../../core/contracts/hook.ts';
import { type EventKind, isEventKind } from '../../core/event/event.ts';
import type { Facet } from '../../core/event/facet.ts';
import { type Document, type Entry, entryOf, kindName, type MapNode, type Node } from '../../core/values/document.ts';
import { ownValue } from '../../core/values/json.ts';
import { type Problems, problemsIn, readScalar, reportUnknownEvent, stringsIn } from '../../core/values/read-document.ts';
import { suggest } from '../../core/values/suggest.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { profile } from './profile.ts';

export const FIELDS = [
  ...['on', 'match', 'name', 'description', 'timeoutMs', 'priority', 'once', 'required', 'shadow', 'onError', 'enabled'],
] as const;

/** The parts of an event that `match` can test, by the name they have there. */
export const MATCHED: Readonly<Record<string, Facet>> = {
  tool: 'tool',
  input: 'input',
  target: 'target',
  text: 'text',
  agent: 'agent',
  subagent: 'subagent',
  skill: 'skill',
  model: 'model',
  channel: 'channel',
  user: 'user',
  cause: 'cause',
  subject: 'subject',
};

export const ON_ERROR: readonly OnError[] = ['deny', 'ask', 'pass'];

export function load({ file, root, diagnostics }: Document, context: LoadContext): Loaded {
  const problems = problemsIn(file);
  if (root?.kind !== 'map') return { hooks: [], diagnostics: [] };
  warnUnknown(root, FIELDS, 'the settings of a hook', problems);
  const event = readEvent(root, problems);
  const when = readMatch(root, context, problems);
  const hook = event && hookFrom(event, when, root, file, context, problems);
  const isBroken = [...diagnostics, ...problems.list].some(({ severity }) => severity === 'error');
  return { hooks: hook && !isBroken ? [hook] : [], diagnostics: problems.list };
}

function hookFrom(
  event: EventKind,
  when: readonly Condition[],
  root: MapNode,
  file: string,
  context: LoadContext,
  problems: Problems,
): Hook {
  const stem = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1).replace(/\.[^.]*$/, '');
  const text = (key: string): string | undefined => readScalar(root, key, 'string', problems)?.value;
  const flag = (key: string): boolean | undefined => readScalar(root, key, 'boolean', problems)?.value;
  const description = text('description');
  const onError = readOnError(root, problems);
  return {
    id: `${context.idPrefix}#${event}`,
    name: text('name') ?? stem,
    ...(description !== undefined && { description }),
    dialect: 'hookline',
    event,
    when,
    handler: { type: 'worker', config: { script: file } },
    timeoutMs: readTimeout(root, problems) ?? profile.ask.timeout.fallbackMs,
    priority: readScalar(root, 'priority', 'number', problems)?.value ?? 0,
    detach: false,
    enabled: flag('enabled') ?? true,
    ...(onError && { onError }),
    source: { file, line: root.at.line, column: root.at.column, scope: context.scope },
    folder: context.folder,
    ...(flag('once') && { once: true }),
    ...(flag('required') && { required: true }),
    ...(flag('shadow') && { shadow: true }),
  };
}

function readEvent(root: MapNode, problems: Problems): EventKind | undefined {
  const on = readScalar(root, 'on', 'string', problems);
  if (on && isEventKind(on.value)) return on.value;
  if (on) reportUnknownEvent(problems, profile.load.unknownEvent, { key: on.value, at: on.at }, Object.keys(profile.events));
  else if (!entryOf(root, 'on'))
    problems.report('error', 'missing-field', root.at, 'The hook has no `on`.', "Name its event: `on: 'tool.before'`.");
  return undefined;
}

function readTimeout(root: MapNode, problems: Problems): number | undefined {
  const timeout = readScalar(root, 'timeoutMs', 'number', problems);
  if (!timeout || timeout.value > 0) return timeout?.value;
  problems.report(
    'error',
    'out-of-range',
    timeout.at,
    `\`timeoutMs\` must be above 0, found ${timeout.value}.`,
    'Give it in milliseconds.',
  );
  return undefined;
}

function readOnError(root: MapNode, problems: Problems): OnError | undefined {
  const given = readScalar(root, 'onError', 'string', problems);
  const known = ON_ERROR.find((one) => one === given?.value);
  if (given && !known)
    problems.report(
      'error',
      'wrong-type',
      given.at,
      `\`onError\` must be one of ${ON_ERROR.join(', ')}.`,
      'Leave it out to deny if the hook fails.',
    );
  return known;
}

function readMatch(root: MapNode, context: LoadContext, problems: Problems): readonly Condition[] {
  const entry = entryOf(root, 'match');
  if (!entry) return [];
  if (entry.value.kind !== 'map') {
    problems.report(
      'error',
      'wrong-type',
      entry.value.at,
      `\`match\` must be a map, found ${kindName(entry.value)}.`,
      "Write `match: { tool: 'Bash' }`.",
    );
    return [];
  }
  return entry.value.entries.flatMap((one) => conditionOf(one, context, problems));
}

function conditionOf({ key, at, value }: Entry, context: LoadContext, problems: Problems): Condition[] {
  const facet = ownValue(MATCHED, key);
  if (!facet) {
    // A condition that is dropped would make the hook apply more often, or less.
    const known = Object.keys(MATCHED);
    const near = suggest(key, known);
    problems.report(
      'error',
      'unknown-field',
      at,
      `\`match\` cannot test \`${key}\`.`,
      near ? `Did you mean \`${near}\`?` : `It can test ${known.join(', ')}.`,
    );
    return [];
  }
  const test = testOf(key, value, context, problems);
  return test ? [{ facet, test, missing: 'fails' }] : [];
}

/** A text and a list name whole values; `{ pattern, flags }` is searched for. */
function testOf(key: string, value: Node, context: LoadContext, problems: Problems): Condition['test'] | undefined {
  const values = value.kind === 'scalar' && typeof value.value === 'string' ? [value.value] : stringsIn(value);
  if (values) return { kind: 'oneOf', values };
  const pattern = value.kind === 'map' ? readScalar(value, 'pattern', 'string', problems) : undefined;
  if (!pattern) {
    const hint = `Write \`${key}: 'name'\`, \`${key}: ['one', 'other']\` or \`${key}: /pattern/\`.`;
    problems.report(
      'error',
      'wrong-type',
      value.at,
      `\`match.${key}\` must be a text, a list of texts or a pattern, found ${kindName(value)}.`,
      hint,
    );
    return undefined;
  }
  const flags = (readScalar(value, 'flags', 'string', problems)?.value ?? '').replace(/[gu]/g, '');
  const problem = /^[ims]*$/.test(flags) ? context.checkPattern(pattern.value, flags) : `the flags can be i, m and s, not \`${flags}\``;
  if (problem === undefined) return { kind: 'pattern', source: pattern.value, ...(flags !== '' && { flags }), anchor: 'search' };
  problems.report('error', 'bad-pattern', pattern.at, `\`match.${key}\` cannot be used: ${problem}`, 'Correct the pattern.');
  return undefined;
}
