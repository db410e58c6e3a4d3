/** Turns one HOOK.md into one hook, or into all the reasons why it is none. Only frontmatter is read; scripts are looked at, not opened. */
import type { Position } from '../../core/diagnostic.ts';
import type { LoadContext, Loaded } from '../../core/dialect.ts';
import { type Document, kindName } from '../../core/document.ts';
import type { Condition, Hook } from '../../core/hook.ts';
import type { JsonObject } from '../../core/json.ts';
import { type Complaints, complaintsAbout } from '../../core/loading.ts';
import { type Frontmatter, readFrontmatter } from './frontmatter.ts';
import { profile, type Trigger } from './profile.ts';

const START: Position = { line: 1, column: 1 };
const ENTRY_SCRIPTS = ['scripts/run', 'scripts/run.sh', 'scripts/run.py'];

export function load(document: Document, context: LoadContext): Loaded {
  const complaints = complaintsAbout(document.file);
  const { root } = document;
  if (root?.kind !== 'map') {
    // A file that could not be parsed has said so already.
    if (!document.diagnostics.some(({ severity }) => severity === 'error')) {
      const what = root ? `The frontmatter must be a map of fields, found ${kindName(root)}.` : 'The file has no frontmatter.';
      complaints.say('error', 'no-frontmatter', root?.at ?? START, what, 'Begin the file with `---`, the fields, and `---`.');
    }
    return { hooks: [], diagnostics: complaints.list };
  }
  const fields = readFrontmatter(root, context.folderName, complaints);
  const when = conditionsOf(fields, context, complaints);
  const config = fields.command === undefined ? findScript(root.at, context, complaints) : { command: fields.command };
  const { name, description, trigger } = fields;
  const broken = [...document.diagnostics, ...complaints.list].some(({ severity }) => severity === 'error');
  if (broken || name === undefined || description === undefined || trigger === undefined || config === undefined) {
    return { hooks: [], diagnostics: complaints.list };
  }
  const hook: Hook = {
    id: `${context.idPrefix}#${name}`,
    name,
    description,
    dialect: 'agenthooks',
    event: trigger,
    when,
    handler: { type: 'command', config },
    timeoutMs: fields.timeoutMs,
    priority: fields.priority,
    detach: fields.async,
    enabled: true,
    source: { file: document.file, line: root.at.line, column: root.at.column, scope: context.scope },
    folder: context.folder,
    env: { AGENT_HOOK_DIR: context.folder },
    ...(fields.required && { required: true }),
  };
  return { hooks: [hook], diagnostics: complaints.list };
}

function conditionsOf({ matcher, trigger }: Frontmatter, context: LoadContext, complaints: Complaints): Condition[] {
  const when: Condition[] = [];
  if (!matcher) return when;
  for (const [facet, pattern] of [['tool', matcher.tool] as const, ['input', matcher.pattern] as const]) {
    if (!pattern) continue;
    const problem = context.checkPattern(pattern.source);
    if (problem === undefined) when.push({ facet, test: { kind: 'pattern', source: pattern.source, anchor: 'search' }, missing: 'holds' });
    else {
      const what = `\`${pattern.entry.key}\` is not a regular expression that can be used: ${problem}`;
      complaints.say(
        'error',
        'bad-pattern',
        pattern.entry.value.at,
        what,
        'Mend the pattern; put a backslash before a character to be taken as it is.',
      );
    }
  }
  if (trigger === undefined || isToolEvent(trigger)) return when;
  const what = `\`matcher\` does not apply to \`${trigger}\`, which is about no tool; the hook fires every time.`;
  complaints.say('warning', 'matcher-ignored', matcher.entry.at, what, 'Remove `matcher`, or use a tool event.');
  return [];
}

function isToolEvent(trigger: Trigger): boolean {
  return profile.events[trigger].facet !== null;
}

/** The handler's config: the entry script, and whether its first line must say how it is run because it can't be run itself. */
function findScript(at: Position, context: LoadContext, complaints: Complaints): JsonObject | undefined {
  for (const path of ENTRY_SCRIPTS) {
    const fact = context.stat(path);
    if (fact?.kind !== 'file') continue;
    const script = `${context.folder}/${path}`;
    if (fact.executable) return { script };
    const what = `\`${path}\` is not executable; it is run by the interpreter its first line names.`;
    complaints.say('warning', 'not-executable', at, what, `Run \`chmod +x ${path}\` in the hook's folder.`);
    return { script, viaShebang: true };
  }
  const what = 'The hook has no entry script, so there is nothing to run.';
  complaints.say('error', 'no-script', at, what, `Add \`scripts/run.sh\` (or \`scripts/run\`, \`scripts/run.py\`) to the hook's folder.`);
  return undefined;
}
