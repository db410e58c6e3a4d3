/**
 * When a hook applies: by the `matcher` of its group, and by the `if` of its handler. In a matcher, plain names are a list of exact ones, and
 * anything else is a pattern found anywhere.
 */
import type { LoadContext } from '../../core/contracts/dialect.ts';
import type { Condition } from '../../core/contracts/hook.ts';
import { UNTOLD } from '../../core/event/facet.ts';
import { fieldOf, kindName, type MapNode } from '../../core/values/document.ts';
import type { Problems } from '../../core/values/read-document.ts';
import type { FoundMatcher } from '../kit/matcher-groups.ts';
import { isRule, type MatcherTerms, oneOf } from '../kit/matchers.ts';
import { type EventName, profile } from './profile.ts';

/** On these two a comma, a space or a hyphen already makes a pattern. */
const NARROW: readonly string[] = ['StopFailure', 'FileChanged'] satisfies EventName[];
/** Tools that were renamed: hooks for one name fire for the other. */
const RENAMED: readonly (readonly string[])[] = [
  ['Task', 'Agent'],
  ['KillShell', 'KillBash', 'TaskStop'],
  ['BashOutput', 'AgentOutput', 'TaskOutput'],
];

export const MATCHERS: MatcherTerms = {
  profile,
  causes: {
    SessionStart: ['startup', 'resume', 'clear', 'compact', 'fork'],
    PreCompact: ['manual', 'auto'],
    PostCompact: ['manual', 'auto'],
  },
  isEverything: (source) => source === '' || source === '*',
  ignored: 'info',
  special(matcher, facet, event, problems) {
    const names = namesIn(matcher.source, NARROW.includes(event));
    if (names && facet === 'tool') warnBareServer(names, matcher, problems);
    return names && oneOf(facet === 'tool' ? names.flatMap(toolNames) : names);
  },
  pattern: (source) => source,
  widen: (pattern, facet) => (facet === 'tool' ? widened(pattern) : pattern),
  warn(matcher, facet, problems) {
    if (facet === 'tool') warnRule(matcher, problems);
  },
};

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
function warnBareServer(names: readonly string[], { at }: FoundMatcher, problems: Problems): void {
  const bare = names.find((name) => /^mcp__(?:(?!__).)+$/.test(name));
  if (bare === undefined) return;
  const what = `\`${bare}\` is the name of a server and of no tool: it never matches.`;
  problems.report('warning', 'matcher-never-fires', at, what, `Write \`${bare}__.*\` for all of its tools.`);
}

/** quirk rule-as-matcher: as a pattern it asks for a tool called `Bashgit push`. */
function warnRule({ source, at }: FoundMatcher, problems: Problems): void {
  if (!isRule(source)) return;
  const hint = `Write \`"matcher": "${source.slice(0, source.indexOf('('))}"\`, and \`"if": ${JSON.stringify(source)}\` in the handler.`;
  problems.report('warning', 'matcher-never-fires', at, `\`${source}\` is a permission rule; as a matcher it fits no tool.`, hint);
}

/**
 * Reads the `if` of a handler: one permission rule, `Bash(git *)`, as conditions on the tool and on what it acts on. Undefined if the rule cannot
 * be read. The hook is not loaded then, because its purpose is unknown.
 */
export function conditionsOfRule(event: EventName, fields: MapNode, context: LoadContext, problems: Problems): Condition[] | undefined {
  const node = fieldOf(fields, 'if');
  if (!node || (node.kind === 'scalar' && (node.value === null || node.value === ''))) return [];
  if (node.kind !== 'scalar' || typeof node.value !== 'string') {
    problems.report('error', 'wrong-type', node.at, `\`if\` must be one permission rule as text, found ${kindName(node)}.`, HOW);
    return undefined;
  }
  // quirk if-on-tools
  if (profile.events[event].facet !== 'tool') {
    const what = `${event} is not about a tool, so \`if\` is not looked at: the hook always fires.`;
    problems.report('info', 'matcher-ignored', node.at, what);
    return [];
  }
  const rule = /^\s*([\w.*-]+)\s*(?:\(([\s\S]*)\))?\s*$/.exec(node.value);
  if (!rule) {
    problems.report('error', 'bad-pattern', node.at, `\`${node.value}\` is no permission rule.`, HOW);
    return undefined;
  }
  const [, tool = '', content] = rule;
  const conditions = [toolCondition(tool), ...(isAll(content) ? [] : [targetCondition(content as string)])];
  const wrong = conditions.flatMap(({ test }) => (test.kind === 'pattern' ? (context.checkPattern(test.source, test.flags) ?? []) : []))[0];
  if (wrong === undefined) return conditions;
  problems.report('error', 'bad-pattern', node.at, `The rule \`${node.value}\` cannot be used: ${wrong}`, HOW);
  return undefined;
}

const HOW = 'Write it like `"Bash(git *)"`, `"Edit(*.ts)"` or `"WebFetch(domain:example.com)"`.';

function isAll(content: string | undefined): boolean {
  return content === undefined || content === '' || content === '*';
}

function toolCondition(tool: string): Condition {
  const missing = 'fails';
  if (!tool.includes('*')) return { facet: 'tool', test: { kind: 'oneOf', values: toolNames(tool) }, missing };
  return { facet: 'tool', test: { kind: 'pattern', source: wild(tool), anchor: 'whole' }, missing };
}

/** quirk if-targets: a trailing `:*` or ` *` also fits the command alone; a path may begin anywhere unless it is a whole one. */
function targetCondition(content: string): Condition {
  const prefix = /^(.*?)(?::\*| \*)$/s.exec(content)?.[1];
  const source =
    prefix !== undefined && !prefix.includes('*')
      ? `${wild(prefix)}(?:\\s.*)?`
      : `${/^[\w.-]+[/]/.test(content) ? '(?:.*/)?' : ''}${wild(content.replace(/^\/\//, '/').replace(/^(?:~|\.)\//, '*/'))}`;
  // A line that cannot be told apart might do what the rule is about.
  return { facet: 'target', test: { kind: 'pattern', source: `${source}|${UNTOLD}`, flags: 's', anchor: 'whole' }, missing: 'fails' };
}

/** `*` stands for any text, `\*` for itself. */
function wild(text: string): string {
  return text
    .split(/(\\\*|\*+)/)
    .map((part) => (part === '\\*' ? '\\*' : part.startsWith('*') ? '.*' : part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')))
    .join('');
}
