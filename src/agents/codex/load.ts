/**
 * Turns `hooks.json` and the `[hooks]` tables of `config.toml` into hooks. Codex drops a whole file for one wrong value; here only the hook that
 * has it is lost, and the others run here even if Codex calls.
 */
import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Flaw } from '../../core/contracts/file-reading.ts';
import type { Hook, Scope } from '../../core/contracts/hook.ts';
import { off, type Switch, switchAt } from '../../core/contracts/switch.ts';
import { type Document, type Entry, entryOf, fieldOf, type Node } from '../../core/values/document.ts';
import { type Problems, problemsIn, reportUnknownEvent } from '../../core/values/read-document.ts';
import { eventEntries } from '../kit/event-entries.ts';
import { nameFor } from '../kit/hook-names.ts';
import { type FoundHandler, type FoundMatcher, findHandlers } from '../kit/matcher-groups.ts';
import { conditionsFor, type MatcherTerms, onceFor, oneOf, warnForeignMatcher } from '../kit/matchers.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { readHandler } from './handlers.ts';
import { type EventName, hookKey, isEventName, profile } from './profile.ts';
import { flawsIn } from './strictness.ts';

/** For the schema: it imports this module alone, so that both are built into one chunk. */
export { FIELDS } from './handlers.ts';

/** Other names by which a matcher may call a tool. */
const ALIASES: Readonly<Record<string, readonly string[]>> = { Write: ['apply_patch'], Edit: ['apply_patch'], Agent: ['spawn_agent'] };

/** When a hook of Codex applies: a matcher of plain names is a list of exact ones, any other is a pattern found anywhere. */
const MATCHERS: MatcherTerms = {
  profile,
  causes: {
    SessionStart: ['startup', 'resume', 'clear', 'compact', 'fork'],
    PreCompact: ['manual', 'auto'],
    PostCompact: ['manual', 'auto'],
  },
  isEverything: (source) => source === '' || source === '*',
  ignored: 'info',
  special({ source, at }, facet, _event, problems) {
    if (!/^[A-Za-z0-9_|]+$/.test(source)) return undefined;
    const names = source.split('|').filter((name) => name !== '');
    warnBareServer(names, at, problems);
    return oneOf(facet === 'tool' ? names.flatMap((name) => [name, ...aliasesIn(name)]) : names);
  },
  pattern: (source) => source,
  widen(pattern, facet) {
    const others = facet === 'tool' ? aliasesFoundBy(pattern) : [];
    return others.length === 0 ? pattern : `(?:${pattern})|^(?:${others.join('|')})$`;
  },
  warn(matcher, facet, problems) {
    if (facet === 'tool') warnForeignMatcher(matcher, problems);
  },
};

/** The tools that a pattern finds by another name. The names are a few letters, so no pattern takes long on them. */
function aliasesFoundBy(source: string): readonly string[] {
  try {
    const pattern = new RegExp(source);
    return [...new Set(Object.keys(ALIASES).flatMap((name) => (pattern.test(name) ? aliasesIn(name) : [])))];
  } catch {
    // Written in words that only the patterns of Codex have: it finds what it names.
    return [];
  }
}

function aliasesIn(name: string): readonly string[] {
  return Object.hasOwn(ALIASES, name) ? (ALIASES[name] ?? []) : [];
}

function warnBareServer(names: readonly string[], at: FoundMatcher['at'], problems: Problems): void {
  const bare = names.find((name) => name.startsWith('mcp__') && !name.slice('mcp__'.length).includes('__'));
  if (bare === undefined) return;
  const what = `\`${bare}\` is the whole name of no tool: these hooks never fire for it.`;
  problems.report('warning', 'matcher-never-fires', at, what, `For all tools of the server write \`${bare}__.*\`.`);
}

/** Settings in the files of Codex that disable hooks: by its user for one hook, for the feature as a whole, or by the machine's manager. */
export function switchesIn({ root }: Document, scope: Scope, problems: Problems): readonly Switch[] {
  const unmanaged = (hook: Hook): Hook => (hook.source.scope === 'managed' ? hook : off(hook));
  return [
    ...switchAt(fieldOf(root, 'features'), 'hooks', false, off, problems, 'features.hooks'),
    ...(scope === 'managed' ? switchAt(root, 'allow_managed_hooks_only', true, unmanaged, problems) : []),
    // Codex does not look at the state that a project claims.
    ...(scope === 'user' ? unwanted(fieldOf(fieldOf(root, 'hooks'), 'state'), problems) : []),
  ];
}

/** quirk unwanted-hooks */
function unwanted(state: Node | undefined, problems: Problems): readonly Switch[] {
  if (state?.kind !== 'map') return [];
  return state.entries.flatMap(({ key, value }) => {
    const apply = (hook: Hook): Hook => (keyOf(hook) === key ? off(hook) : hook);
    return switchAt(value, 'enabled', false, apply, problems, `hooks.state."${key}".enabled`);
  });
}

/** Undefined for one that is written so that Codex could not count it. */
function keyOf({ id, event, source }: Hook): string | undefined {
  const [, group, handler] = /#\w+\[(\d+)\]\.hooks\[(\d+)\]$/.exec(id) ?? [];
  return group === undefined || handler === undefined ? undefined : hookKey(source.file, event, Number(group), Number(handler));
}

/** The program that older versions had in the place of hooks. */
export function sayLegacy({ root }: Document, problems: Problems): void {
  const notify = entryOf(root, 'notify');
  if (!notify) return;
  const what = '`notify` is what Codex itself runs after each turn. It is no hook, and is not asked here.';
  problems.report('info', 'no-effect', notify.at, what, 'A hook on `Stop` is told of the same.');
}

/** A key that Codex keeps next to the events: whether its user trusts and enables a hook. */
const OTHER_KEYS: ReadonlySet<string> = new Set(['state', 'managed_dir', 'windows_managed_dir']);

export function load(document: Document, context: LoadContext): Loaded {
  const problems = problemsIn(document.file);
  const flaws = flawsIn(document);
  const hooks: Hook[] = [];
  for (const entry of eventEntries(document, { isEvent: isEventName, otherKeys: OTHER_KEYS }, problems)) {
    if (isEventName(entry.key)) {
      const isRead = flaws.length === 0 && entryOf(fieldOf(document.root, 'hooks'), entry.key) === entry;
      hooks.push(
        ...hooksOf(entry.key, entry, document.file, context, problems).map((hook) => (isRead && isCounted(hook) ? hook : skipped(hook))),
      );
    } else reportUnknownEvent(problems, profile.load.unknownEvent, entry, Object.keys(profile.events));
  }
  sayLegacy(document, problems);
  reportFlaws(flaws, document.file, problems);
  return { hooks, diagnostics: problems.list, switches: switchesIn(document, context.scope, problems) };
}

/** quirk one-word-one-hook */
function reportFlaws(flaws: readonly Flaw[], file: string, problems: Problems): void {
  const result = /\.json$/i.test(file) ? 'Codex drops this whole file and runs no hook of it' : 'Codex does not start with this file';
  const hint = 'Correct it, so that Codex can read the file.';
  for (const { why, at } of flaws) problems.report('warning', 'dropped-file', at, `${result}: ${why}.`, hint);
}

/** Whether it stands where Codex looks for one. */
function isCounted(hook: Hook): boolean {
  return keyOf(hook) !== undefined;
}

function skipped(hook: Hook): Hook {
  return { ...hook, skippedByAgent: true };
}

function hooksOf(event: EventName, entry: Entry, file: string, context: LoadContext, problems: Problems): Hook[] {
  const groups = new Set<FoundHandler['group']>([undefined]);
  const conditions = onceFor((matcher) => conditionsFor(event, matcher, context, MATCHERS, problems));
  const hooks: Hook[] = [];
  for (const found of findHandlers(entry, problems)) {
    const { matcher, group, at, path } = found;
    if (group && !groups.has(group)) warnUnknown(group, ['matcher', 'hooks'], 'a group', problems);
    groups.add(group);
    const when = conditions(matcher);
    const read = readHandler(found, event, context, problems);
    if (!when || !read) continue;
    hooks.push({
      id: `${context.idPrefix}#${path}`,
      ...nameFor(found.name, { handler: read.handler, event, matcher, described: [found.fields, group] }),
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
