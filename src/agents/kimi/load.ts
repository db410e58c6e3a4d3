/**
 * Turns the `[[hooks]]` of Kimi Code's `config.toml` into hooks, in the order written. Kimi Code runs none of them if one is wrong; here only
 * that one suffers.
 */
import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Condition, Hook } from '../../core/contracts/hook.ts';
import { type Document, fieldOf, kindName, type MapNode, type Node } from '../../core/values/document.ts';
import { type Problems, readScalar, reportUnknownEvent } from '../../core/values/read-document.ts';
import { isNothing } from '../kit/event-entries.ts';
import { nameFor } from '../kit/hook-names.ts';
import { type FoundMatcher, matcherOf } from '../kit/matcher-groups.ts';
import { conditionsFor, type MatcherTerms, warnForeignMatcher } from '../kit/matchers.ts';
import { type Reading, readingOf } from '../kit/reading.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { type EventName, isEventName, profile } from './profile.ts';

export const KEYS = ['event', 'matcher', 'command', 'timeout'];
const HOW = 'Write `[[hooks]]`, and below it `event = "…"` and `command = "…"`.';
const DROPS_ALL = 'Kimi Code itself runs no hook of the file because of it.';

/** Reads a matcher: a regular expression that is searched in the tool's name, the prompt or the cause. */
const MATCHERS: MatcherTerms = {
  profile,
  causes: { PreCompact: ['manual', 'auto'], PostCompact: ['manual', 'auto'] },
  isEverything: (source) => source === '.*',
  ignored: 'info',
  special: () => undefined,
  pattern: (source) => source,
  widen: (pattern) => pattern,
  warn(matcher, facet, problems) {
    if (facet === 'tool') warnForeignMatcher(matcher, problems);
  },
};

/** Events whose matcher is held against an empty text. */
const NOTHING_TO_MATCH: readonly EventName[] = ['Stop', 'Interrupt', 'SessionHeartbeat'];

export function load(document: Document, context: LoadContext): Loaded {
  const reading = readingOf(document, context);
  const { problems } = reading;
  const seen = new Set<string>();
  const hooks = entriesIn(fieldOf(document.root, 'hooks'), problems).flatMap((node, index) => {
    const hook = hookOf(node, `hooks[${index}]`, reading);
    // quirk same-command-once
    const same = hook && JSON.stringify([hook.event, hook.when, hook.handler]);
    if (!hook || seen.has(same as string)) return [];
    seen.add(same as string);
    return [hook];
  });
  return { hooks, diagnostics: problems.list };
}

function entriesIn(hooks: Node | undefined, problems: Problems): readonly Node[] {
  if (!hooks || isNothing(hooks)) return [];
  if (hooks.kind === 'list') return hooks.items;
  const found = hooks.kind === 'map' ? 'one table' : kindName(hooks);
  problems.report(
    'error',
    'wrong-type',
    hooks.at,
    `\`hooks\` must be a list of tables, found ${found}; no hook is read. ${DROPS_ALL}`,
    HOW,
  );
  return [];
}

function hookOf(node: Node, path: string, { file, context, problems }: Reading): Hook | undefined {
  if (node.kind !== 'map') {
    problems.report('error', 'wrong-type', node.at, `\`${path}\` must be a table, found ${kindName(node)}. ${DROPS_ALL}`, HOW);
    return undefined;
  }
  warnUnknown(node, KEYS, 'a hook', problems, DROPS_ALL);
  const event = eventIn(node, path, problems);
  const command = textIn(node, 'command', path, problems);
  const matcher = matcherOf(node, problems, 'lists');
  const timeoutMs = timeoutIn(node, problems);
  if (event === undefined || command === undefined || matcher === 'unusable') return undefined;
  const when = whenOf(event, matcher, context, problems);
  if (!when) return undefined;
  const handler = { type: 'command', config: { command } };
  return {
    id: `${context.idPrefix}#${path}`,
    ...nameFor(undefined, { handler, event, matcher }),
    dialect: 'kimi',
    event,
    when,
    handler,
    timeoutMs,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file, line: node.at.line, column: node.at.column, scope: context.scope },
    folder: context.folder,
  };
}

function eventIn(node: MapNode, path: string, problems: Problems): EventName | undefined {
  const name = textIn(node, 'event', path, problems);
  if (name === undefined || isEventName(name)) return name;
  const at = fieldOf(node, 'event')?.at ?? node.at;
  reportUnknownEvent(problems, profile.load.unknownEvent, { key: name, at }, Object.keys(profile.events));
  return undefined;
}

/** Returns undefined if the hook cannot be used or never runs; that has then been reported. */
function whenOf(
  event: EventName,
  matcher: FoundMatcher | undefined,
  context: LoadContext,
  problems: Problems,
): readonly Condition[] | undefined {
  if (!matcher || !NOTHING_TO_MATCH.includes(event) || matchesEmpty(matcher.source))
    return conditionsFor(event, matcher, context, MATCHERS, problems);
  const message = `\`${event}\` has nothing to match, and \`${matcher.source}\` does not match an empty text, so this hook never runs.`;
  problems.report('warning', 'matcher-never-fires', matcher.at, message, 'Remove `matcher`.');
  return undefined;
}

/** Whether the pattern matches an empty text, on which even a pattern that backtracks is done at once. */
function matchesEmpty(source: string): boolean {
  try {
    return new RegExp(source).test('');
  } catch {
    return false;
  }
}

function textIn(node: MapNode, key: 'event' | 'command', path: string, problems: Problems): string | undefined {
  const given = fieldOf(node, key);
  const read = given && readScalar(node, key, 'string', problems);
  if (read && read.value.trim() !== '') return read.value;
  if (given && !read && !isNothing(given)) return undefined;
  const what = `\`${path}\` has no \`${key}\` and is skipped. ${DROPS_ALL}`;
  problems.report('error', 'missing-field', (given ?? node).at, what, `Add \`${key} = "…"\`.`);
  return undefined;
}

/** A hook with a timeout that cannot be kept still runs: a gate is not lost for a number. */
function timeoutIn(node: MapNode, problems: Problems): number {
  const { fallbackMs, maxMs } = profile.ask.timeout;
  const given = fieldOf(node, 'timeout');
  if (!given) return fallbackMs;
  const seconds = given.kind === 'scalar' ? given.value : undefined;
  const most = maxMs / 1000;
  if (typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1 && seconds <= most) return seconds * 1000;
  const isLong = typeof seconds === 'number' && seconds > most;
  const found = typeof seconds === 'number' ? seconds : kindName(given);
  const taken = isLong ? most : fallbackMs / 1000;
  const what = `\`timeout\` must be whole seconds from 1 to ${most}, found ${found}; ${taken} are taken. ${DROPS_ALL}`;
  const hint = isLong
    ? `For ${seconds} milliseconds write ${Math.min(most, Math.ceil(seconds / 1000))}.`
    : 'Write the seconds as a whole number.';
  problems.report('warning', 'bad-timeout', given.at, what, hint);
  return taken * 1000;
}
