/** Turns settings, plugin manifests and frontmatter into hooks. The name of a file decides which of them it is, never its content. */

import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Condition, Hook } from '../../core/contracts/hook.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { type Document, type Entry, fieldOf, kindName, type MapNode, type Node } from '../../core/values/document.ts';
import { type Problems, problemsIn, reportUnknownEvent } from '../../core/values/read-document.ts';
import { isUsable, warnNeverFires } from '../kit/matchers.ts';
import { expandRoot } from '../kit/plugin-root.ts';
import { type Command, readEntries, readVariables } from './entries.ts';
import { camelCase, EVENT_NAMES, type EventName, eventOfKey, profile, snakeCase } from './profile.ts';

/** For the schema: it imports this module alone, so that both are built into one chunk. */
export { FIELDS } from './entries.ts';

const DEFAULT_FILE = 'hooks/hooks.json';

export interface PluginSource {
  /** Absent: the manifest itself. */
  readonly file?: string;
  readonly node: Node | undefined;
  readonly idPath: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds a plugin's hooks: in the manifest itself, in the files it names, or in `hooks/hooks.json`. Never outside the plugin. */
export function pluginSources(manifest: MapNode, context: LoadContext, problems: Problems): readonly PluginSource[] {
  const named = fieldOf(manifest, 'hooks');
  if (!named || (named.kind === 'scalar' && named.value === null)) {
    // A plugin without hooks is a plugin like any other.
    const document = context.read(DEFAULT_FILE, 'json');
    return document ? [{ file: document.file, node: document.root, idPath: `${DEFAULT_FILE}/`, diagnostics: document.diagnostics }] : [];
  }
  const items = named.kind === 'list' ? named.items : [named];
  const seen = new Set<string>();
  const sources: PluginSource[] = [];
  for (const [index, item] of items.entries()) {
    if (item.kind === 'map') sources.push({ node: item, idPath: named.kind === 'list' ? `hooks[${index}]/` : '', diagnostics: [] });
    else {
      const source = readNamed(item, seen, context, problems);
      if (source) sources.push(source);
    }
  }
  return sources;
}

function readNamed(item: Node, seen: Set<string>, context: LoadContext, problems: Problems): PluginSource | undefined {
  if (item.kind !== 'scalar' || typeof item.value !== 'string' || item.value === '') {
    const hint = 'Name the file as seen from the plugin: "./hooks/hooks.json".';
    problems.report(
      'error',
      'wrong-type',
      item.at,
      `\`hooks\` of a plugin must be a path, a list of paths or a map of events, found ${kindName(item)}.`,
      hint,
    );
    return undefined;
  }
  const path = item.value.replace(/^\$\{CLAUDE_PLUGIN_ROOT\}[\\/]/, '').replace(/^(\.[\\/])+/, '');
  if (/^([\\/]|[A-Za-z]:)/.test(path) || path.split(/[\\/]/).includes('..')) {
    problems.report(
      'error',
      'outside-folder',
      item.at,
      `\`${item.value}\` leads out of the plugin and is not read.`,
      'Keep the file below the plugin.',
    );
    return undefined;
  }
  if (seen.has(path)) {
    problems.report('warning', 'duplicate-file', item.at, `\`${item.value}\` is named twice; it is read once.`);
    return undefined;
  }
  seen.add(path);
  const document = context.read(path, 'json');
  if (!document) {
    problems.report(
      'error',
      'missing-file',
      item.at,
      `There is no file \`${item.value}\` in the plugin.`,
      'Fix the path, or add the file.',
    );
    return undefined;
  }
  return { file: document.file, node: document.root, idPath: `${path}/`, diagnostics: document.diagnostics };
}

export function load(document: Document, context: LoadContext): Loaded {
  const problems = problemsIn(document.file);
  const { root } = document;
  if (!root || isNothing(root)) return { hooks: [], diagnostics: [] };
  if (root.kind !== 'map') {
    problems.report('error', 'wrong-type', root.at, `The file must hold a map, found ${kindName(root)}.`);
    return { hooks: [], diagnostics: problems.list };
  }
  if (isPluginManifest(document.file)) return loadPlugin(document, root, context, problems);
  const name = fieldOf(root, 'name');
  const owner = isFrontmatter(document.file) ? (textIn(name) ?? context.folderName) : undefined;
  const events = eventsIn(fieldOf(root, 'hooks'), problems);
  // The settings of the agent name variables for all of its processes.
  const env = owner === undefined && events.length > 0 ? readVariables(root, 'env', problems) : undefined;
  const place: Place = {
    file: document.file,
    idPath: '',
    context,
    ...(env && env !== 'unusable' && { env }),
    ...(owner !== undefined && { owner }),
    problems,
  };
  return { hooks: hooksOf(events, place), diagnostics: problems.list };
}

function isPluginManifest(file: string): boolean {
  return /(^|[\\/])\.claude-plugin[\\/]plugin\.json$/.test(file);
}

function isFrontmatter(file: string): boolean {
  return /\.md$/i.test(file);
}

function loadPlugin(document: Document, manifest: MapNode, context: LoadContext, problems: Problems): Loaded {
  const owner = textIn(fieldOf(manifest, 'name')) ?? context.folderName;
  const hooks: Hook[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const source of pluginSources(manifest, context, problems)) {
    const own = source.file === undefined ? problems : problemsIn(source.file);
    const place: Place = {
      file: source.file ?? document.file,
      idPath: source.idPath,
      context,
      owner,
      pluginRoot: context.folder,
      problems: own,
    };
    hooks.push(...hooksOf(eventsIn(eventsNode(source.node), own), place));
    if (own !== problems) diagnostics.push(...source.diagnostics, ...own.list);
  }
  return { hooks, diagnostics: [...problems.list, ...diagnostics] };
}

/** A hooks file has its events under `hooks`, or is itself the map of events. */
function eventsNode(node: Node | undefined): Node | undefined {
  return fieldOf(node, 'hooks') ?? node;
}

/** Keys that a hooks file may have in addition to its events. */
const NO_EVENTS = new Set(['$schema', 'description', 'name', 'version']);

function eventsIn(node: Node | undefined, problems: Problems): readonly Entry[] {
  if (!node || isNothing(node)) return [];
  if (node.kind === 'map') return node.entries.filter(({ key }) => !NO_EVENTS.has(key));
  const hint = 'Write one key for each event.';
  problems.report('error', 'wrong-type', node.at, `\`hooks\` must map events to hooks, found ${kindName(node)}.`, hint);
  return [];
}

/** Where a set of events stands, and what all hooks in it share. */
interface Place {
  readonly file: string;
  /** Precedes the path in every id, so that two files of one plugin do not share ids. */
  readonly idPath: string;
  readonly context: LoadContext;
  readonly owner?: string;
  readonly pluginRoot?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly problems: Problems;
}

function hooksOf(events: readonly Entry[], place: Place): Hook[] {
  const { problems } = place;
  const hooks: Hook[] = [];
  for (const entry of events) {
    const event = eventOfKey(entry.key);
    if (event === undefined) {
      const known = /^[a-z]/.test(entry.key) ? EVENT_NAMES.map(camelCase) : EVENT_NAMES;
      reportUnknownEvent(problems, profile.load.unknownEvent, entry, known);
      continue;
    }
    // The commands of a group share one matcher: it is judged, and complained about, once.
    const judged = new Map<Command['matcher'], readonly Condition[] | undefined>([[undefined, []]]);
    for (const command of readEntries(entry, place.context, problems)) {
      if (!judged.has(command.matcher)) judged.set(command.matcher, conditionsFor(event, command, place));
      const when = judged.get(command.matcher);
      if (when) hooks.push(hookFrom(event, entry.key, command, when, place));
    }
  }
  return hooks;
}

function conditionsFor(event: EventName, { matcher, path }: Command, { context, problems }: Place): Condition[] | undefined {
  if (!matcher) return [];
  if (!isUsable(matcher, context.checkPattern(matcher.source), problems)) return undefined;
  if (!event.includes('ToolUse')) {
    const message = `${event} has no tool, so the matcher of \`${path}\` is not looked at: the hook always fires.`;
    problems.report('info', 'matcher-ignored', matcher.at, message);
  } else warnNeverFires(matcher, problems);
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
    env: { ...place.env, ...found.env, EVENT: snakeCase(event), ...(pluginRoot !== undefined && { CLAUDE_PLUGIN_ROOT: pluginRoot }) },
    ...(owner !== undefined && { owner }),
    ...(found.required && { required: true }),
  };
}

function textIn(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' && node.value !== '' ? node.value : undefined;
}

function isNothing(node: Node): boolean {
  return node.kind === 'scalar' && node.value === null;
}
