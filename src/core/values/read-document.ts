/**
 * Functions that every loader needs: they collect diagnostics with positions and read the `[{matcher, hooks}]` groups that several formats
 * share.
 */

import type { Hook } from '../contracts/hook.ts';
import type { Diagnostic, Position, Severity } from './diagnostic.ts';
import { type Entry, entryOf, kindName, type Node, toJson } from './document.ts';
import { textOf } from './json.ts';
import { suggest } from './suggest.ts';

export interface Complaints {
  readonly list: readonly Diagnostic[];
  say(severity: Severity, code: string, at: Position | undefined, message: string, hint?: string): void;
}

export function complaintsAbout(file: string): Complaints {
  const list: Diagnostic[] = [];
  return {
    list,
    say(severity, code, at, message, hint) {
      list.push({ severity, code, file, ...(at && { line: at.line, column: at.column }), message, ...(hint !== undefined && { hint }) });
    },
  };
}

export function sayUnknownEvent(
  complaints: Complaints,
  severity: Severity,
  entry: { key: string; at: Position },
  known: readonly string[],
): void {
  const near = suggest(entry.key, known);
  const hint = near ? `Did you mean \`${near}\`?` : `Known events: ${known.join(', ')}.`;
  complaints.say(severity, 'unknown-event', entry.at, `There is no event \`${entry.key}\`, so its hooks never run.`, hint);
}

export interface Group {
  readonly matcher?: { readonly source: string; readonly at: Position };
  readonly actions: readonly { readonly node: Node; readonly path: string }[];
}

/** Returns the groups of one event. An invalid group is reported, and the others still load. */
export function readGroups(event: Entry, complaints: Complaints): Group[] {
  const { value } = event;
  if (value.kind !== 'list') {
    complaints.say(
      'error',
      'wrong-type',
      value.at,
      `\`${event.key}\` must be a list of \`{matcher, hooks}\` groups, found ${kindName(value)}.`,
      'Write the groups as a list.',
    );
    return [];
  }
  const groups: Group[] = [];
  for (const [index, item] of value.items.entries()) {
    const actions = entryOf(item, 'hooks')?.value;
    if (item.kind !== 'map' || actions?.kind !== 'list') {
      const found = item.kind !== 'map' ? kindName(item) : actions ? `\`hooks\` as ${kindName(actions)}` : 'a map without `hooks`';
      complaints.say(
        'error',
        'wrong-type',
        (actions ?? item).at,
        `Entry ${index + 1} of \`${event.key}\` must be a map with a list \`hooks\`, found ${found}.`,
        'Put the handlers in a list under `hooks`.',
      );
      continue;
    }
    const matcher = readMatcher(item, complaints);
    if (matcher === 'unusable') continue;
    groups.push({
      ...(matcher && { matcher }),
      actions: actions.items.map((node, i) => ({ node, path: `${event.key}[${index}].hooks[${i}]` })),
    });
  }
  return groups;
}

/** Returns the `matcher` of a group or handler. An absent, null or empty matcher matches everything. */
export function readMatcher(owner: Node, complaints: Complaints): Group['matcher'] | 'unusable' {
  const node = entryOf(owner, 'matcher')?.value;
  if (!node || (node.kind === 'scalar' && (node.value === null || node.value === ''))) return undefined;
  if (node.kind === 'scalar' && typeof node.value === 'string') return { source: node.value, at: node.at };
  complaints.say(
    'error',
    'wrong-type',
    node.at,
    `\`matcher\` must be a regular expression as text, found ${kindName(node)}.`,
    'Write it in quotes, or leave it out to match everything.',
  );
  return 'unusable';
}

/** Handlers of Hookline that formats with their own handler types accept too. Their configuration is the rest of the map. */
const OWN_TYPES: ReadonlySet<string> = new Set(['guard']);
const NOT_CONFIG: ReadonlySet<string> = new Set(['type', 'name', 'timeout', 'timeout_secs', 'priority', 'matcher', 'required']);

export function ownHandler(node: Node): Hook['handler'] | undefined {
  const type = entryOf(node, 'type')?.value;
  if (node.kind !== 'map' || type?.kind !== 'scalar' || typeof type.value !== 'string' || !OWN_TYPES.has(type.value)) return undefined;
  const config = node.entries.filter(({ key }) => !NOT_CONFIG.has(key)).map(({ key, value }) => [key, toJson(value)] as const);
  return { type: type.value, config: Object.fromEntries(config) };
}

const INTERPRETERS: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'env',
  'node',
  'python',
  'python3',
  'ruby',
  'perl',
  'exec',
]);

/** Returns a name for a hook without one: the program of its command, the host of its URL, or its type. */
export function handlerLabel({ type, config }: Hook['handler']): string {
  const url = textOf(config['url']);
  if (url !== undefined) return url.replace(/^[a-z]+:\/\/(?:[^/@]*@)?/, '').split(/[/?#]/, 1)[0] || type;
  const words = (textOf(config['command']) ?? '').replace(/["']/g, '').split(/\s+/).slice(0, 20);
  const program = words
    .filter((word) => word !== '' && !word.startsWith('-') && !/^\w+=/.test(word))
    .map((word) => word.slice(word.lastIndexOf('/') + 1))
    .find((word) => word !== '' && !INTERPRETERS.has(word));
  return program === undefined ? type : program.slice(0, 40);
}

/** Returns a scalar of the expected type under `key`, or undefined. Reports a value of another type. */
export function readScalar<T extends 'string' | 'number' | 'boolean'>(
  owner: Node,
  key: string,
  type: T,
  complaints: Complaints,
): { readonly value: { string: string; number: number; boolean: boolean }[T]; readonly at: Position } | undefined {
  const entry = entryOf(owner, key);
  if (!entry || (entry.value.kind === 'scalar' && entry.value.value === null)) return undefined;
  if (entry.value.kind === 'scalar' && typeof entry.value.value === type) {
    return { value: entry.value.value as never, at: entry.value.at };
  }
  const wanted = { string: 'text', number: 'a number', boolean: 'true or false' }[type];
  complaints.say('error', 'wrong-type', entry.value.at, `\`${key}\` must be ${wanted}, found ${kindName(entry.value)}.`);
  return undefined;
}

/** Returns whether a matcher is a valid pattern, and reports it at its position if not. */
export function isUsable(
  matcher: { readonly source: string; readonly at: Position },
  problem: string | undefined,
  complaints: Complaints,
): boolean {
  if (problem === undefined) return true;
  const hint = 'Fix the regular expression, or leave `matcher` out to match everything.';
  complaints.say('error', 'bad-pattern', matcher.at, `The matcher \`${matcher.source}\` cannot be used: ${problem}`, hint);
  return false;
}

/** Reports a matcher on an event that has nothing to match. */
export function sayMatcherIgnored(event: string, at: Position, complaints: Complaints): void {
  complaints.say('info', 'matcher-ignored', at, `${event} has nothing to match, so \`matcher\` is ignored and the hook always runs.`);
}
