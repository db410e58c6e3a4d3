/** Turns Copilot's hook files, and the `hooks` of its settings, into hooks, in the order written. */
import type { LoadContext, Loaded } from '../../core/dialect.ts';
import { type Document, type Entry, fieldOf, type Node } from '../../core/document.ts';
import { eventEntries } from '../../core/event-maps.ts';
import type { Condition, Hook, HookFact } from '../../core/hook.ts';
import { type Complaints, complaintsAbout, handlerLabel, sayUnknownEvent } from '../../core/loading.ts';
import type { FoundHandler, FoundMatcher } from '../../core/matcher-groups.ts';
import { listAt, off, offByName, type Switch, switchAt } from '../../core/switch.ts';
import { findEntries } from './entries.ts';
import { type ReadHandler, readHandler } from './handlers.ts';
import { conditionsFor } from './matchers.ts';
import { CAMEL_NAMES, camelOf, isPascal, profile } from './profile.ts';

/** What may stand beside the events. */
const BESIDE: ReadonlySet<string> = new Set(['version', 'disableAllHooks', '$schema', 'description', 'name']);
const FACTS: Readonly<Record<string, HookFact>> = { CLAUDE_PROJECT_DIR: 'project' };
/** Events of the agent that nothing of ours stands for. */
const BEYOND: readonly string[] = ['preMcpToolCall', 'PreMcpToolCall', 'postResult', 'prePRDescription'];

interface Place {
  readonly file: string;
  readonly context: LoadContext;
  readonly complaints: Complaints;
}

export function load(document: Document, context: LoadContext): Loaded {
  const complaints = complaintsAbout(document.file);
  const { root, file } = document;
  sayVersion(fieldOf(root, 'version'), complaints);
  const hooks: Hook[] = [];
  for (const entry of eventEntries(document, { isEvent: (name) => camelOf(name) !== undefined, beside: BESIDE }, complaints)) {
    if (camelOf(entry.key) !== undefined) hooks.push(...hooksOf(entry, { file, context, complaints }));
    else sayNoEvent(entry, complaints);
  }
  return { hooks, diagnostics: complaints.list, switches: switchesIn(document, complaints) };
}

/** quirk switched-off-here: among the hook files each speaks for itself, the settings for all of their owner. */
function switchesIn({ root, file }: Document, complaints: Complaints): readonly Switch[] {
  const isSettings = /(^|[\\/])settings(?:\.local)?\.json$/.test(file);
  const named = isSettings ? listAt(root, 'disabledHooks', complaints) : undefined;
  const own = (hook: Hook): Hook => (isSettings || hook.source.file === file ? off(hook) : hook);
  return [
    ...switchAt(root, 'disableAllHooks', true, own, complaints),
    ...(named && named.words.length > 0 ? [offByName(named, 'disabledHooks')] : []),
  ];
}

function sayNoEvent(entry: Entry, complaints: Complaints): void {
  if (!BEYOND.includes(entry.key)) {
    const known = /^[A-Z]/.test(entry.key) ? Object.keys(profile.events).filter(isPascal) : CAMEL_NAMES;
    sayUnknownEvent(complaints, profile.load.unknownEvent, entry, known);
    return;
  }
  const what = `\`${entry.key}\` is an event that only Copilot itself has; its hooks never fire here.`;
  complaints.say(profile.load.unknownEvent, 'unknown-event', entry.at, what, 'Use `preToolUse`, which fires for these tools too.');
}

/** The agent drops a file of another version whole; a guard in it is not lost here. */
function sayVersion(version: Node | undefined, complaints: Complaints): void {
  if (!version || (version.kind === 'scalar' && (version.value === 1 || version.value === null))) return;
  const what = 'The only `version` there is is 1: Copilot may not read this file. It is read here.';
  complaints.say('warning', 'loose-shape', version.at, what, 'Write `"version": 1`.');
}

function hooksOf(entry: Entry, place: Place): Hook[] {
  const { context, complaints } = place;
  // The handlers of a group share one matcher: it is judged, and complained about, once.
  const judged = new Map<FoundMatcher | undefined, readonly Condition[] | undefined>([[undefined, []]]);
  return findEntries(entry, complaints).flatMap((found): Hook[] => {
    const { matcher } = found;
    if (!judged.has(matcher)) judged.set(matcher, conditionsFor(entry.key, matcher, context, complaints));
    const when = judged.get(matcher);
    const read = readHandler(found, complaints);
    return when && read ? [hookFrom(entry.key, found, read, when, place)] : [];
  });
}

function hookFrom(event: string, found: FoundHandler, read: ReadHandler, when: readonly Condition[], place: Place): Hook {
  const { file, context, complaints } = place;
  const { cwd: written, env, ...rest } = read;
  const cwd = written === undefined ? undefined : folderOf(written, found, context, complaints);
  return {
    id: `${context.idPrefix}#${found.path}`,
    dialect: 'copilot',
    event,
    when,
    ...rest,
    name: read.name ?? found.name ?? handlerLabel(read.handler),
    priority: 0,
    detach: false,
    enabled: true,
    source: { file, line: found.at.line, column: found.at.column, scope: context.scope },
    folder: context.folder,
    ...(cwd !== undefined && { cwd }),
    env: { COPILOT_CLI: '1', COPILOT_HOOK_DIR: context.folder, ...env },
    facts: FACTS,
  };
}

/** quirk cwd-from-the-root: from a file of the user's nobody knows which repository is meant. */
function folderOf(cwd: string, { at, path }: FoundHandler, { scope, folder }: LoadContext, complaints: Complaints): string | undefined {
  if (cwd.startsWith('/')) return cwd;
  const root = /^(.*)[\\/]\.github[\\/][^\\/]+[\\/]?$/.exec(folder)?.[1];
  if (scope === 'project' && root !== undefined) return `${root}/${cwd}`;
  const what = `The \`cwd\` of \`${path}\` is seen from a repository, and this file belongs to none: it runs where the session is.`;
  complaints.say('warning', 'bad-path', at, what, 'Write the whole path.');
  return undefined;
}
