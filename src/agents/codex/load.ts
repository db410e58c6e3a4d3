/** When a hook of Codex applies: a matcher of plain names is a list of exact ones, any other is a pattern found anywhere. */
import type { LoadContext } from '../../core/dialect.ts';
import type { Condition } from '../../core/hook.ts';
import { type Complaints, isUsable, sayMatcherIgnored } from '../../core/loading.ts';
import type { FoundMatcher } from '../../core/matcher-groups.ts';
import { type EventName, profile } from './profile.ts';

/** What a matcher may call a tool beside its name. */
const ALIASES: Readonly<Record<string, readonly string[]>> = { Write: ['apply_patch'], Edit: ['apply_patch'], Agent: ['spawn_agent'] };

/** Undefined if the matcher can't be used: nobody knows what its hooks were meant for. */
export function conditionsFor(
  event: EventName,
  matcher: FoundMatcher | undefined,
  context: LoadContext,
  complaints: Complaints,
): Condition[] | undefined {
  if (!matcher || matcher.source === '' || matcher.source === '*') return [];
  const { source, at } = matcher;
  const { facet } = profile.events[event];
  if (facet === null) {
    sayMatcherIgnored(event, at, complaints);
    return [];
  }
  const missing = profile.match.missingFacet;
  if (/^[A-Za-z0-9_|]+$/.test(source)) {
    const names = source.split('|').filter((name) => name !== '');
    warnBareServer(names, at, complaints);
    const values = facet === 'tool' ? names.flatMap((name) => [name, ...aliasesIn(name)]) : names;
    return [{ facet, test: { kind: 'oneOf', values: [...new Set(values)] }, missing }];
  }
  if (!isUsable(matcher, context.checkPattern(source), complaints)) return undefined;
  if (facet === 'tool') warnNeverFires(matcher, complaints);
  const others = facet === 'tool' ? aliasesFoundBy(source) : [];
  const whole = others.length === 0 ? source : `(?:${source})|^(?:${others.join('|')})$`;
  return [{ facet, test: { kind: 'pattern', source: whole, anchor: profile.match.anchor }, missing }];
}

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

function warnBareServer(names: readonly string[], at: FoundMatcher['at'], complaints: Complaints): void {
  const bare = names.find((name) => name.startsWith('mcp__') && !name.slice('mcp__'.length).includes('__'));
  if (bare === undefined) return;
  const what = `\`${bare}\` is the whole name of no tool: these hooks never fire for it.`;
  complaints.say('warning', 'matcher-never-fires', at, what, `For all tools of the server write \`${bare}__.*\`.`);
}

/** Written as other agents write it, it is a pattern that no name of a tool fits. */
function warnNeverFires({ source, at }: FoundMatcher, complaints: Complaints): void {
  const never = 'is read as a regular expression, which no name of a tool fits: these hooks never fire.';
  if (/^\w+\(.*\)$/.test(source)) {
    const hint = 'Name only the tool, and let the hook look at its input.';
    complaints.say('warning', 'matcher-never-fires', at, `\`${source}\` ${never}`, hint);
  } else if (/^[\w\s|-]+(,[\w\s|-]+)+$/.test(source)) {
    const names = source.split(',').map((name) => name.trim());
    complaints.say('warning', 'matcher-never-fires', at, `\`${source}\` ${never}`, `Write \`${names.join('|')}\`.`);
  }
}
