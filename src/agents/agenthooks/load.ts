/** Turns one HOOK.md into one hook, or into all the reasons why it is none. Only frontmatter is read; scripts are looked at, not opened. */

import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Condition, Hook } from '../../core/contracts/hook.ts';
import type { Position } from '../../core/values/diagnostic.ts';
import { type Document, type Entry, entryOf, kindName, type MapNode, type Node } from '../../core/values/document.ts';
import type { JsonObject } from '../../core/values/json.ts';
import { type Problems, problemsIn, readScalar, reportUnknownEvent } from '../../core/values/read-document.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { PRIORITY, profile, RENAMED, type Trigger, triggerNamed } from './profile.ts';

interface Pattern {
  readonly source: string;
  readonly entry: Entry;
}

export interface Frontmatter {
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly trigger: Trigger | undefined;
  readonly matcher: { readonly entry: Entry; readonly tool?: Pattern; readonly pattern?: Pattern } | undefined;
  readonly timeoutMs: number;
  readonly async: boolean;
  readonly priority: number;
  /** `metadata.command`: Hookline itself, in place of an entry script. */
  readonly command: string | undefined;
  /** `metadata.required`: where it may not run, what it would have judged is denied. */
  readonly required: boolean;
}

export const FIELDS = ['name', 'description', 'trigger', 'matcher', 'timeout', 'async', 'priority', 'metadata'];
/** Other formats name here what they run. A hook that would run something else than its author wrote is not loaded. */
const ACTIONS = ['command', 'script', 'run', 'url'];
export const MATCHER_FIELDS = ['tool', 'pattern'];
/** The document asks only for the length. */
const LONGEST_NAME = 64;
const UNPRINTABLE = /\p{C}|\p{Zl}|\p{Zp}/u;
const USUAL_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Reads the frontmatter of a HOOK.md, field by field as the document's appendix has it. Reports every problem of a file, not only the first. */
export function readFrontmatter(root: MapNode, folderName: string, problems: Problems): Frontmatter {
  for (const { key, at } of root.entries) {
    if (!ACTIONS.includes(key)) continue;
    const what = `There is no field \`${key}\` in the frontmatter: this format runs the script in the hook's folder and nothing else.`;
    problems.report('error', 'unknown-field', at, what, 'Remove it, and write the command into `scripts/run.sh`.');
  }
  warnUnknown(root, [...FIELDS, ...ACTIONS], 'the frontmatter', problems);
  const { timeout } = profile.ask;
  const metadata = entryOf(root, 'metadata');
  if (metadata && metadata.value.kind !== 'map' && !isNothing(metadata.value)) sayWrongType(metadata, 'a map', problems);
  return {
    name: readName(root, folderName, problems),
    description: readDescription(root, problems),
    trigger: readTrigger(root, problems),
    matcher: readMatcher(root, problems),
    timeoutMs: readWhole(root, 'timeout', { fallback: timeout.fallbackMs, min: timeout.minMs, max: timeout.maxMs }, ' ms', problems),
    async: readScalar(root, 'async', 'boolean', problems)?.value ?? false,
    priority: readWhole(root, 'priority', PRIORITY, '', problems),
    command: readOwnCommand(metadata),
    required: isTrue(entryOf(metadata?.value, 'required')?.value),
  };
}

/** The document leaves `metadata` to everybody; only a line that starts Hookline is ours to read. */
function readOwnCommand(metadata: Entry | undefined): string | undefined {
  const command = entryOf(metadata?.value, 'command')?.value;
  const line = command?.kind === 'scalar' && typeof command.value === 'string' ? command.value.trim() : '';
  return line.startsWith('hookline ') ? line : undefined;
}

function readName(root: MapNode, folderName: string, problems: Problems): string | undefined {
  const name = readRequired(root, 'name', problems);
  if (!name) return undefined;
  const { value, at } = name;
  if (value.trim() === '' || [...value].length > LONGEST_NAME || UNPRINTABLE.test(value)) {
    const what = `\`name\` must have 1 to ${LONGEST_NAME} characters that can be printed, found ${JSON.stringify(value)}.`;
    problems.report('error', 'bad-name', at, what, 'Rename the hook, like `block-rm`.');
    return undefined;
  }
  if (!USUAL_NAME.test(value)) {
    const what = `\`name\` is usually written in lower case letters, digits and single hyphens, found ${JSON.stringify(value)}.`;
    problems.report('warning', 'bad-name', at, what, 'Other programs may refuse this name.');
  }
  if (value !== folderName) {
    const what = `\`name\` is \`${value}\`, but the hook's folder is \`${folderName}\`.`;
    problems.report('warning', 'name-mismatch', at, what, 'Give both the same name to find the hook more easily.');
  }
  return value;
}

function readDescription(root: MapNode, problems: Problems): string | undefined {
  const description = readRequired(root, 'description', problems);
  if (!description) return undefined;
  const { length } = [...description.value];
  if (description.value.trim() !== '' && length <= 1024) return description.value;
  const what = `\`description\` must have 1 to 1024 characters, found ${length}${length > 0 && length <= 1024 ? ', all of them blank' : ''}.`;
  problems.report('error', 'out-of-range', description.at, what, 'Say in a sentence what the hook is for.');
  return undefined;
}

function readTrigger(root: MapNode, problems: Problems): Trigger | undefined {
  const trigger = readRequired(root, 'trigger', problems);
  if (!trigger) return undefined;
  const known = triggerNamed(trigger.value);
  if (!known) {
    reportUnknownEvent(problems, profile.load.unknownEvent, { key: trigger.value, at: trigger.at }, [
      ...Object.keys(profile.events),
      ...Object.keys(RENAMED),
    ]);
  }
  return known;
}

function readMatcher(root: MapNode, problems: Problems): Frontmatter['matcher'] {
  const entry = entryOf(root, 'matcher');
  if (!entry || isNothing(entry.value)) return undefined;
  if (entry.value.kind !== 'map') {
    sayWrongType(entry, 'a map with `tool` and `pattern`', problems);
    return undefined;
  }
  warnUnknown(entry.value, MATCHER_FIELDS, '`matcher`', problems);
  const tool = readPattern(entry.value, 'tool', problems);
  const pattern = readPattern(entry.value, 'pattern', problems);
  return { entry, ...(tool && { tool }), ...(pattern && { pattern }) };
}

function readPattern(matcher: MapNode, key: string, problems: Problems): Pattern | undefined {
  const entry = entryOf(matcher, key);
  const source = readScalar(matcher, key, 'string', problems)?.value;
  return entry && source !== undefined ? { source, entry } : undefined;
}

function readRequired(root: MapNode, key: string, problems: Problems): ReturnType<typeof readScalar<'string'>> {
  const entry = entryOf(root, key);
  if (!entry || isNothing(entry.value)) {
    const at = entry?.at ?? root.at;
    problems.report('error', 'missing-field', at, `The frontmatter has no \`${key}\`, which is required.`, `Add \`${key}: …\` to it.`);
    return undefined;
  }
  return readScalar(root, key, 'string', problems);
}

function readWhole(
  root: MapNode,
  key: string,
  { fallback, min, max }: { readonly fallback: number; readonly min: number; readonly max: number },
  unit: string,
  problems: Problems,
): number {
  const found = readScalar(root, key, 'number', problems);
  if (!found) return fallback;
  if (Number.isInteger(found.value) && found.value >= min && found.value <= max) return found.value;
  const what = `\`${key}\` must be a whole number from ${min} to ${max}${unit}, found ${found.value}.`;
  problems.report('error', 'out-of-range', found.at, what, `Leave it out to get ${fallback}${unit}.`);
  return fallback;
}

function sayWrongType(entry: Entry, wanted: string, problems: Problems): void {
  problems.report('error', 'wrong-type', entry.value.at, `\`${entry.key}\` must be ${wanted}, found ${kindName(entry.value)}.`);
}

function isTrue(node: Node | undefined): boolean {
  return node?.kind === 'scalar' && node.value === true;
}

function isNothing(node: Node): boolean {
  return node.kind === 'scalar' && node.value === null;
}

const START: Position = { line: 1, column: 1 };
const ENTRY_SCRIPTS = ['scripts/run', 'scripts/run.sh', 'scripts/run.py'];

export function load(document: Document, context: LoadContext): Loaded {
  const problems = problemsIn(document.file);
  const { root } = document;
  if (root?.kind !== 'map') {
    // A file that could not be parsed is reported already.
    if (!document.diagnostics.some(({ severity }) => severity === 'error')) {
      const what = root ? `The frontmatter must be a map of fields, found ${kindName(root)}.` : 'The file has no frontmatter.';
      problems.report('error', 'no-frontmatter', root?.at ?? START, what, 'Begin the file with `---`, the fields, and `---`.');
    }
    return { hooks: [], diagnostics: problems.list };
  }
  const fields = readFrontmatter(root, context.folderName, problems);
  const when = conditionsOf(fields, context, problems);
  const config = fields.command === undefined ? findScript(context, root.at, problems) : { command: fields.command };
  const { name, description, trigger } = fields;
  const broken = [...document.diagnostics, ...problems.list].some(({ severity }) => severity === 'error');
  if (broken || name === undefined || description === undefined || trigger === undefined) {
    return { hooks: [], diagnostics: problems.list };
  }
  const hook: Hook = {
    id: `${context.idPrefix}#${name}`,
    name,
    description,
    dialect: 'agenthooks',
    event: trigger,
    when,
    handler: { type: 'command', config: config ?? {} },
    timeoutMs: fields.timeoutMs,
    priority: fields.priority,
    detach: fields.async,
    enabled: config !== undefined,
    ...(config === undefined && { nothingToRun: true }),
    source: { file: document.file, line: root.at.line, column: root.at.column, scope: context.scope },
    folder: context.folder,
    env: { AGENT_HOOK_DIR: context.folder },
    ...(fields.required && { required: true }),
  };
  return { hooks: [hook], diagnostics: problems.list };
}

function conditionsOf({ matcher, trigger }: Frontmatter, context: LoadContext, problems: Problems): Condition[] {
  const when: Condition[] = [];
  if (!matcher) return when;
  for (const [facet, pattern] of [['tool', matcher.tool] as const, ['input', matcher.pattern] as const]) {
    if (!pattern) continue;
    const problem = context.checkPattern(pattern.source);
    if (problem === undefined) when.push({ facet, test: { kind: 'pattern', source: pattern.source, anchor: 'search' }, missing: 'holds' });
    else {
      const what = `\`${pattern.entry.key}\` is not a regular expression that can be used: ${problem}`;
      problems.report(
        'error',
        'bad-pattern',
        pattern.entry.value.at,
        what,
        'Fix the pattern; put a backslash before a character to be taken as it is.',
      );
    }
  }
  if (trigger === undefined || isToolEvent(trigger)) return when;
  const what = `\`matcher\` does not apply to \`${trigger}\`, which is about no tool; the hook fires every time.`;
  problems.report('warning', 'matcher-ignored', matcher.entry.at, what, 'Remove `matcher`, or use a tool event.');
  return [];
}

function isToolEvent(trigger: Trigger): boolean {
  return profile.events[trigger].facet !== null;
}

/** The handler's config: the entry script, and whether its first line must say how it is run because it cannot be run itself. */
function findScript(context: LoadContext, at: Position, problems: Problems): JsonObject | undefined {
  for (const path of ENTRY_SCRIPTS) {
    const fact = context.stat(path);
    if (fact?.kind !== 'file') continue;
    const script = `${context.folder}/${path}`;
    if (fact.executable) return { script };
    const what = `\`${path}\` is not executable; it is run by the interpreter its first line names.`;
    problems.report('warning', 'not-executable', at, what, `Run \`chmod +x ${path}\` in the hook's folder.`);
    return { script, viaShebang: true };
  }
  const what = 'The hook has no entry script, so there is nothing to run and it never blocks.';
  problems.report(
    'warning',
    'no-script',
    at,
    what,
    `Add \`scripts/run.sh\` (or \`scripts/run\`, \`scripts/run.py\`) to the hook's folder.`,
  );
  return undefined;
}
