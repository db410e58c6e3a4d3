/** Turns settings, plugin manifests and frontmatter into hooks. Which of them a file is, its name says, never its content. */
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { LoadContext, Loaded } from '../../core/dialect.ts';
import { type Document, type Entry, fieldOf, kindName, type MapNode, type Node } from '../../core/document.ts';
import type { Condition, Hook } from '../../core/hook.ts';
import { type Complaints, complaintsAbout, isUsable, sayUnknownEvent } from '../../core/loading.ts';
import { type Command, readEntries } from './entries.ts';
import { camelCase, EVENT_NAMES, type EventName, eventOfKey, snakeCase } from './event-names.ts';
import { pluginSources } from './plugin.ts';
import { profile } from './profile.ts';

export function load(document: Document, context: LoadContext): Loaded {
  const complaints = complaintsAbout(document.file);
  const { root } = document;
  if (!root || isNothing(root)) return { hooks: [], diagnostics: [] };
  if (root.kind !== 'map') {
    complaints.say('error', 'wrong-type', root.at, `The file must hold a map, found ${kindName(root)}.`);
    return { hooks: [], diagnostics: complaints.list };
  }
  if (isPluginManifest(document.file)) return loadPlugin(document, root, context, complaints);
  const name = fieldOf(root, 'name');
  const owner = isFrontmatter(document.file) ? (textIn(name) ?? context.folderName) : undefined;
  const events = eventsIn(fieldOf(root, 'hooks'), complaints);
  const place: Place = { file: document.file, idPath: '', context, ...(owner !== undefined && { owner }), complaints };
  return { hooks: hooksOf(events, place), diagnostics: complaints.list };
}

function isPluginManifest(file: string): boolean {
  return /(^|[\\/])\.claude-plugin[\\/]plugin\.json$/.test(file);
}

function isFrontmatter(file: string): boolean {
  return /\.md$/i.test(file);
}

function loadPlugin(document: Document, manifest: MapNode, context: LoadContext, complaints: Complaints): Loaded {
  const owner = textIn(fieldOf(manifest, 'name')) ?? context.folderName;
  const hooks: Hook[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const source of pluginSources(manifest, context, complaints)) {
    const own = source.file === undefined ? complaints : complaintsAbout(source.file);
    const place: Place = {
      file: source.file ?? document.file,
      idPath: source.idPath,
      context,
      owner,
      pluginRoot: context.folder,
      complaints: own,
    };
    hooks.push(...hooksOf(eventsIn(eventsNode(source.node), own), place));
    if (own !== complaints) diagnostics.push(...source.diagnostics, ...own.list);
  }
  return { hooks, diagnostics: [...complaints.list, ...diagnostics] };
}

/** A hooks file has its events under `hooks`, or is itself the map of events. */
function eventsNode(node: Node | undefined): Node | undefined {
  return fieldOf(node, 'hooks') ?? node;
}

/** Keys a hooks file may carry beside its events. */
const NO_EVENTS = new Set(['$schema', 'description', 'name', 'version']);

function eventsIn(node: Node | undefined, complaints: Complaints): readonly Entry[] {
  if (!node || isNothing(node)) return [];
  if (node.kind === 'map') return node.entries.filter(({ key }) => !NO_EVENTS.has(key));
  const hint = 'Write one key for each event.';
  complaints.say('error', 'wrong-type', node.at, `\`hooks\` must map events to hooks, found ${kindName(node)}.`, hint);
  return [];
}

/** Where a set of events stands, and what all hooks in it share. */
interface Place {
  readonly file: string;
  /** Goes before the path of every id, so that two files of one plugin do not share ids. */
  readonly idPath: string;
  readonly context: LoadContext;
  readonly owner?: string;
  readonly pluginRoot?: string;
  readonly complaints: Complaints;
}

function hooksOf(events: readonly Entry[], place: Place): Hook[] {
  const { complaints } = place;
  const hooks: Hook[] = [];
  for (const entry of events) {
    const event = eventOfKey(entry.key);
    if (event === undefined) {
      const known = /^[a-z]/.test(entry.key) ? EVENT_NAMES.map(camelCase) : EVENT_NAMES;
      sayUnknownEvent(complaints, profile.load.unknownEvent, entry, known);
      continue;
    }
    // The commands of a group share one matcher: it is judged, and complained about, once.
    const judged = new Map<Command['matcher'], readonly Condition[] | undefined>([[undefined, []]]);
    for (const command of readEntries(entry, complaints)) {
      if (!judged.has(command.matcher)) judged.set(command.matcher, conditionsFor(event, command, place));
      const when = judged.get(command.matcher);
      if (when) hooks.push(hookFrom(event, entry.key, command, when, place));
    }
  }
  return hooks;
}

function conditionsFor(event: EventName, { matcher, path }: Command, { context, complaints }: Place): Condition[] | undefined {
  if (!matcher) return [];
  if (!isUsable(matcher, context.checkPattern(matcher.source), complaints)) return undefined;
  if (!event.includes('ToolUse')) {
    const message = `${event} has no tool, so the matcher of \`${path}\` is not looked at: the hook always fires.`;
    complaints.say('info', 'matcher-ignored', matcher.at, message);
  }
  const { anchor, missingFacet } = profile.match;
  return [{ facet: 'tool', test: { kind: 'pattern', source: matcher.source, anchor }, missing: missingFacet }];
}

function hookFrom(event: EventName, key: string, found: Command, when: readonly Condition[], place: Place): Hook {
  const { context, owner, pluginRoot } = place;
  return {
    id: `${context.idPrefix}#${place.idPath}${found.path}`,
    name: found.name ?? `${owner === undefined ? '' : `${owner}:`}${key}-${found.number}`,
    dialect: 'claude-agent',
    event,
    when,
    handler: found.own ?? {
      type: 'command',
      config: { command: pluginRoot === undefined ? found.command : expandRoot(found.command, pluginRoot) },
    },
    timeoutMs: found.timeoutMs,
    priority: found.priority,
    detach: false,
    enabled: true,
    source: { file: place.file, line: found.at.line, column: found.at.column, scope: context.scope },
    folder: context.folder,
    env: { EVENT: snakeCase(event), ...(pluginRoot !== undefined && { CLAUDE_PLUGIN_ROOT: pluginRoot }) },
    ...(owner !== undefined && { owner }),
    ...(found.required && { required: true }),
  };
}

/** A path that a shell would read as more than a path is left to the shell, which finds it in the environment, unharmed. */
function expandRoot(command: string, root: string): string {
  return /["'$`\\]/.test(root) ? command : command.replace(/\$\{CLAUDE_PLUGIN_ROOT\}/g, () => root);
}

function textIn(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' && node.value !== '' ? node.value : undefined;
}

function isNothing(node: Node): boolean {
  return node.kind === 'scalar' && node.value === null;
}
