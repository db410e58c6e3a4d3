/** The `if` of a handler: one permission rule, `Bash(git *)`, as conditions on the tool and on what it acts on. */
import type { LoadContext } from '../../core/dialect.ts';
import { fieldOf, kindName, type MapNode } from '../../core/document.ts';
import type { Condition } from '../../core/hook.ts';
import type { Complaints } from '../../core/loading.ts';
import { UNTOLD } from '../../core/tool-target.ts';
import { toolNames } from './matchers.ts';
import { type EventName, profile } from './profile.ts';

/** Undefined if the rule can't be read: the hook is then not loaded, because nobody knows what it was meant for. */
export function conditionsOfRule(event: EventName, fields: MapNode, context: LoadContext, complaints: Complaints): Condition[] | undefined {
  const node = fieldOf(fields, 'if');
  if (!node || (node.kind === 'scalar' && (node.value === null || node.value === ''))) return [];
  if (node.kind !== 'scalar' || typeof node.value !== 'string') {
    complaints.say('error', 'wrong-type', node.at, `\`if\` must be one permission rule as text, found ${kindName(node)}.`, HOW);
    return undefined;
  }
  // quirk if-on-tools
  if (profile.events[event].facet !== 'tool') {
    const what = `${event} is not about a tool, so \`if\` is not looked at: the hook always fires.`;
    complaints.say('info', 'matcher-ignored', node.at, what);
    return [];
  }
  const rule = /^\s*([\w.*-]+)\s*(?:\(([\s\S]*)\))?\s*$/.exec(node.value);
  if (!rule) {
    complaints.say('error', 'bad-pattern', node.at, `\`${node.value}\` is no permission rule.`, HOW);
    return undefined;
  }
  const [, tool = '', content] = rule;
  const conditions = [toolCondition(tool), ...(isAll(content) ? [] : [targetCondition(content as string)])];
  const wrong = conditions.flatMap(({ test }) => (test.kind === 'pattern' ? (context.checkPattern(test.source, test.flags) ?? []) : []))[0];
  if (wrong === undefined) return conditions;
  complaints.say('error', 'bad-pattern', node.at, `The rule \`${node.value}\` can not be used: ${wrong}`, HOW);
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
  // A line that can't be told apart might do what the rule is about.
  return { facet: 'target', test: { kind: 'pattern', source: `${source}|${UNTOLD}`, flags: 's', anchor: 'whole' }, missing: 'fails' };
}

/** `*` stands for any text, `\*` for itself. */
function wild(text: string): string {
  return text
    .split(/(\\\*|\*+)/)
    .map((part) => (part === '\\*' ? '\\*' : part.startsWith('*') ? '.*' : part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')))
    .join('');
}
