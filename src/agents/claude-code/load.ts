/** Turns settings, plugin manifests and frontmatter into hooks. Which of them a file is, its name says, never its content. */
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { LoadContext, Loaded } from '../../core/dialect.ts';
import { type Document, type Entry, fieldOf, type MapNode, type Node } from '../../core/document.ts';
import { eventEntries } from '../../core/event-maps.ts';
import type { Condition, Hook, HookFact } from '../../core/hook.ts';
import { type Complaints, complaintsAbout, handlerLabel, readScalar, sayUnknownEvent } from '../../core/loading.ts';
import { type FoundHandler, type FoundMatcher, findHandlers } from '../../core/matcher-groups.ts';
import { readHandler, warnUnknown } from './handlers.ts';
import { limitsOf } from './limits.ts';
import { conditionsFor } from './matchers.ts';
import { conditionsOfRule } from './permission-rule.ts';
import { pluginSources, sayUnset } from './plugin.ts';
import { type EventName, isEventName, profile } from './profile.ts';
import { switchesIn } from './switches.ts';

/** Keys a hooks file may carry beside its events. */
const BESIDE: ReadonlySet<string> = new Set(['$schema', 'description', 'name', 'version']);
const FACTS: Readonly<Record<string, HookFact>> = { CLAUDE_PROJECT_DIR: 'project', CLAUDE_CODE_SESSION_ID: 'session' };

export function load(document: Document, context: LoadContext): Loaded {
  const complaints = complaintsAbout(document.file);
  const { root, file } = document;
  const isManifest = /(^|[\\/])\.claude-plugin[\\/]plugin\.json$/.test(file);
  if (isManifest && root?.kind === 'map') return loadPlugin(file, root, context, complaints);
  const isFrontmatter = /\.md$/i.test(file);
  const owner = isFrontmatter ? (textIn(fieldOf(root, 'name')) ?? context.folderName) : undefined;
  const env = isFrontmatter ? { CLAUDE_PLUGIN_ROOT: context.folder } : settingsEnvironment(root);
  // quirk plugin-root-in-skills: only a skill has a folder of its own.
  const own = isFrontmatter && !/SKILL\.md$/i.test(file) ? {} : env;
  const place: Place = { file, idPath: '', context, env: own, complaints, ...(owner !== undefined && { owner }) };
  const switches = isFrontmatter ? [] : switchesIn(root, context.scope, complaints);
  return { hooks: hooksIn(document, place), diagnostics: complaints.list, switches };
}

function loadPlugin(file: string, manifest: MapNode, context: LoadContext, complaints: Complaints): Loaded {
  const owner = textIn(fieldOf(manifest, 'name')) ?? context.folderName;
  const env = { CLAUDE_PLUGIN_ROOT: context.folder };
  const hooks: Hook[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { document, idPath } of pluginSources(file, manifest, context, complaints)) {
    const own = document.file === file ? complaints : complaintsAbout(document.file);
    hooks.push(...hooksIn(document, { file: document.file, idPath, context, env, owner, complaints: own }));
    if (own !== complaints) diagnostics.push(...document.diagnostics, ...own.list);
  }
  sayUnset(manifest, hooks, complaints);
  return { hooks, diagnostics: [...complaints.list, ...diagnostics] };
}

/** What the settings add to the environment of everything that is started. What steers Hookline itself is not theirs to set. */
function settingsEnvironment(root: Node | undefined): Record<string, string> {
  const env = fieldOf(root, 'env');
  if (env?.kind !== 'map') return {};
  const texts = env.entries.flatMap(({ key, value }): [string, string][] =>
    value.kind === 'scalar' && value.value !== null && key !== '' && !/^HOOKLINE_/i.test(key) ? [[key, String(value.value)]] : [],
  );
  return Object.fromEntries(texts);
}

/** Where a set of events stands, and what all hooks in it share. */
interface Place {
  readonly file: string;
  readonly idPath: string;
  readonly context: LoadContext;
  readonly env: Readonly<Record<string, string>>;
  readonly owner?: string;
  readonly complaints: Complaints;
}

function hooksIn(document: Document, place: Place): Hook[] {
  const { complaints } = place;
  const hooks: Hook[] = [];
  for (const entry of eventEntries(document, { isEvent: isEventName, beside: BESIDE }, complaints)) {
    if (isEventName(entry.key)) hooks.push(...hooksOf(entry.key, entry, place));
    else sayUnknownEvent(complaints, profile.load.unknownEvent, entry, Object.keys(profile.events));
  }
  return hooks;
}

function hooksOf(event: EventName, entry: Entry, place: Place): Hook[] {
  const { context, complaints } = place;
  const groups = new Set<FoundHandler['group']>([undefined]);
  // The handlers of a group share one matcher: it is judged, and complained about, once.
  const judged = new Map<FoundMatcher | undefined, readonly Condition[] | undefined>([[undefined, []]]);
  const hooks: Hook[] = [];
  for (const found of findHandlers(entry, complaints)) {
    const { matcher, group, fields } = found;
    if (group && !groups.has(group)) warnUnknown(group, ['matcher', 'hooks', 'description'], 'a group', complaints);
    groups.add(group);
    if (!judged.has(matcher)) judged.set(matcher, conditionsFor(event, matcher, context, complaints));
    const when = judged.get(matcher);
    const rule = fields ? conditionsOfRule(event, fields, context, complaints) : [];
    const handler = readHandler(found, complaints);
    if (when && rule && handler) hooks.push(hookFrom(event, found, handler, [...when, ...rule], place));
  }
  return hooks;
}

function hookFrom(event: EventName, found: FoundHandler, handler: Hook['handler'], when: readonly Condition[], place: Place): Hook {
  const { context, owner, complaints } = place;
  const { fields, at, path } = found;
  const label = textIn(fieldOf(fields, 'name')) ?? found.name ?? handlerLabel(handler);
  const required = fields && readScalar(fields, 'required', 'boolean', complaints)?.value === true;
  return {
    id: `${context.idPrefix}#${place.idPath}${path}`,
    name: owner === undefined ? label : `${owner}/${label}`,
    dialect: 'claude-code',
    event,
    when,
    handler,
    ...limitsOf(fields, handler.type, event, /\.md$/i.test(place.file), complaints),
    priority: 0,
    enabled: true,
    source: { file: place.file, line: at.line, column: at.column, scope: context.scope },
    folder: context.folder,
    env: { ...place.env, CLAUDECODE: '1' },
    facts: FACTS,
    ...(owner !== undefined && { owner }),
    ...(required && { required: true }),
  };
}

function textIn(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' && node.value !== '' ? node.value : undefined;
}
