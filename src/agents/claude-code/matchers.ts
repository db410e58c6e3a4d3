/** When a hook applies, by the `matcher` of its group: plain names are a list of exact ones, anything else is a pattern found anywhere. */
import type { LoadContext } from '../../core/dialect.ts';
import type { Condition } from '../../core/hook.ts';
import { type Complaints, isUsable, sayMatcherIgnored } from '../../core/loading.ts';
import type { FoundMatcher } from '../../core/matcher-groups.ts';
import { type EventName, profile } from './profile.ts';

/** On these two a comma, a space or a hyphen already makes a pattern. */
const NARROW: readonly string[] = ['StopFailure', 'FileChanged'] satisfies EventName[];
/** Tools that were renamed: hooks for one name fire for the other. */
const RENAMED: readonly (readonly string[])[] = [
  ['Task', 'Agent'],
  ['KillShell', 'KillBash', 'TaskStop'],
  ['BashOutput', 'AgentOutput', 'TaskOutput'],
];

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
  const names = namesIn(source, NARROW.includes(event));
  if (names) {
    if (facet === 'tool') warnBareServer(names, matcher, complaints);
    const values = facet === 'tool' ? names.flatMap(toolNames) : names;
    return [{ facet, test: { kind: 'oneOf', values: [...new Set(values)] }, missing }];
  }
  if (!isUsable(matcher, context.checkPattern(source), complaints)) return undefined;
  if (facet === 'tool') warnRule(matcher, complaints);
  return [{ facet, test: { kind: 'pattern', source: facet === 'tool' ? widened(source) : source, anchor: profile.match.anchor }, missing }];
}

/** A pattern finds a tool by all its names, as a list does. */
function widened(source: string): string {
  if (source.includes('[')) return source;
  return source.replace(/\b[A-Z]\w+\b/g, (name) => {
    const names = toolNames(name);
    return names.length === 1 ? name : `(?:${names.join('|')})`;
  });
}

/** A tool by all the names it has had. */
export function toolNames(name: string): readonly string[] {
  return RENAMED.find((names) => names.includes(name)) ?? [name];
}

/** Undefined if it is a pattern. */
function namesIn(source: string, narrow: boolean): readonly string[] | undefined {
  if (!(narrow ? /^[a-zA-Z0-9_|]+$/ : /^[a-zA-Z0-9_|, -]+$/).test(source)) return undefined;
  return source
    .split(narrow ? '|' : /[|,]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** quirk bare-server */
function warnBareServer(names: readonly string[], { at }: FoundMatcher, complaints: Complaints): void {
  const bare = names.find((name) => /^mcp__(?:(?!__).)+$/.test(name));
  if (bare === undefined) return;
  const what = `\`${bare}\` is the name of a server and of no tool: it never matches.`;
  complaints.say('warning', 'matcher-never-fires', at, what, `Write \`${bare}__.*\` for all of its tools.`);
}

/** quirk rule-as-matcher: as a pattern it asks for a tool called `Bashgit push`. */
function warnRule({ source, at }: FoundMatcher, complaints: Complaints): void {
  const rule = /^(\w+)\((.+)\)$/.exec(source);
  // `Edit(or)?`-like patterns do not end in a parenthesis; `Bash(A|B)` may be one, and is left alone.
  if (!rule || /^[\w|?:]+$/.test(rule[2] ?? '')) return;
  const hint = `Write \`"matcher": "${rule[1]}"\`, and \`"if": ${JSON.stringify(source)}\` in the handler.`;
  complaints.say('warning', 'matcher-never-fires', at, `\`${source}\` is a permission rule; as a matcher it fits no tool.`, hint);
}
