/** Turns settings, plugin manifests and frontmatter into hooks. The name of a file decides which of them it is, never its content. */
import type { LoadContext, Loaded } from '../../core/contracts/dialect.ts';
import type { Condition, Hook, HookFact, Scope } from '../../core/contracts/hook.ts';
import { type Listed, listAt, off, onlyAddresses, type Switch, switchAt } from '../../core/contracts/switch.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { type Document, type Entry, fieldOf, kindName, type MapNode, type Node } from '../../core/values/document.ts';
import { type Problems, problemsIn, readScalar, reportUnknownEvent } from '../../core/values/read-document.ts';
import { eventEntries } from '../kit/event-entries.ts';
import { nameFor } from '../kit/hook-names.ts';
import { type FoundHandler, findHandlers } from '../kit/matcher-groups.ts';
import { conditionsFor, onceFor } from '../kit/matchers.ts';
import { warnUnknown } from '../kit/unknown-fields.ts';
import { readHandler } from './handlers.ts';
import { conditionsOfRule, MATCHERS } from './matchers.ts';
import { type EventName, isEventName, profile } from './profile.ts';
import { limitsOf } from './timeouts.ts';

/** For the schema: it imports this module alone, so that both are built into one chunk. */
export { FIELDS } from './handlers.ts';

const DEFAULT_FILE = 'hooks/hooks.json';

export interface PluginSource {
  readonly document: Document;
  /** Precedes the path in every id, so that two files of one plugin do not share ids. */
  readonly idPath: string;
}

/** Finds a plugin's hooks: in the manifest itself, in the files it names, or in `hooks/hooks.json`. Never outside the plugin. */
export function pluginSources(file: string, manifest: MapNode, context: LoadContext, problems: Problems): readonly PluginSource[] {
  const named = fieldOf(manifest, 'hooks');
  const standard = context.read(DEFAULT_FILE, 'json');
  const found = new Map<string, PluginSource>(standard ? [[DEFAULT_FILE, { document: standard, idPath: `${DEFAULT_FILE}/` }]] : []);
  const items = !named || (named.kind === 'scalar' && named.value === null) ? [] : named.kind === 'list' ? named.items : [named];
  for (const [index, item] of items.entries()) {
    if (item.kind === 'map') {
      const root: Node = fieldOf(item, 'hooks')
        ? item
        : { kind: 'map', at: item.at, entries: [{ key: 'hooks', at: item.at, value: item }] };
      found.set(`#${index}`, { document: { file, root, diagnostics: [] }, idPath: items.length > 1 ? `hooks[${index}]/` : '' });
      continue;
    }
    const path = pathIn(item, problems);
    if (path === undefined || (path === DEFAULT_FILE && standard)) continue;
    if (found.has(path)) {
      problems.report('warning', 'duplicate-file', item.at, `\`${path}\` is named twice; it is read once.`);
      continue;
    }
    const document = context.read(path, 'json');
    if (document) found.set(path, { document, idPath: `${path}/` });
    else problems.report('error', 'missing-file', item.at, `There is no file \`${path}\` in the plugin.`, 'Fix the path, or add the file.');
  }
  return [...found.values()];
}

/** Only Claude Code knows the data it keeps about a plugin, such as its user's answers, so these variables have no value here. */
export function reportUnsetVariables(manifest: MapNode, hooks: readonly Hook[], problems: Problems): void {
  const used = new Set(hooks.flatMap(({ handler: { config } }) => JSON.stringify(config).match(KEPT_THERE) ?? []));
  if (used.size === 0) return;
  const names = [...used].map((name) => `\`${name}\``).join(', ');
  const what = `${names} ${used.size === 1 ? 'is' : 'are'} set by Claude Code alone, from what it keeps about the plugin; here there is no value.`;
  problems.report('warning', 'no-effect', manifest.at, what, 'Let the hook do without it, or set the variable yourself.');
}

const KEPT_THERE = /CLAUDE_PLUGIN_DATA|CLAUDE_PLUGIN_OPTION_\w+/g;

function pathIn(item: Node, problems: Problems): string | undefined {
  if (item.kind !== 'scalar' || typeof item.value !== 'string' || item.value === '') {
    const what = `\`hooks\` of a plugin must be a path, a list of paths or a map of events, found ${kindName(item)}.`;
    problems.report('error', 'wrong-type', item.at, what, 'Name the file as seen from the plugin: "./hooks/hooks.json".');
    return undefined;
  }
  const path = item.value.replace(/^\$\{CLAUDE_PLUGIN_ROOT\}[\\/]/, '').replace(/^(\.[\\/])+/, '');
  if (!/^([\\/]|[A-Za-z]:)/.test(path) && !path.split(/[\\/]/).includes('..')) return path;
  problems.report(
    'error',
    'outside-folder',
    item.at,
    `\`${item.value}\` leads out of the plugin and is not read.`,
    'Keep the file below the plugin.',
  );
  return undefined;
}

/** Settings of Claude Code that keep hooks from running. They mean the same here, except for how far a project's settings reach. */
export function switchesIn(root: Node | undefined, scope: Scope, problems: Problems): readonly Switch[] {
  const addresses = listAt(root, 'allowedHttpHookUrls', problems);
  const variables = listAt(root, 'httpHookAllowedEnvVars', problems);
  return [
    // quirk disabled-file
    ...switchAt(root, 'disableAllHooks', true, off, problems),
    ...managedOnly(root, scope, problems),
    ...(addresses ? [onlyAddresses(addresses, 'allowedHttpHookUrls')] : []),
    ...(variables ? [onlyVariables(variables)] : []),
  ];
}

/** quirk managed-only: in a file of anybody else it is not looked at, there as here. */
function managedOnly(root: Node | undefined, scope: Scope, problems: Problems): readonly Switch[] {
  const key = 'allowManagedHooksOnly';
  if (scope === 'managed') return switchAt(root, key, true, (hook) => (hook.source.scope === 'managed' ? hook : off(hook)), problems);
  const node = fieldOf(root, key);
  if (node) problems.report('info', 'no-effect', node.at, `\`${key}\` counts in managed settings only; here it does nothing.`);
  return [];
}

/** A header is filled from a variable only if the hook and the settings both permit it. */
function onlyVariables({ words, at }: Listed): Switch {
  return {
    key: 'httpHookAllowedEnvVars',
    at,
    apply(hook: Hook) {
      const { allowedEnvVars } = hook.handler.config;
      if (!Array.isArray(allowedEnvVars)) return hook;
      const left = allowedEnvVars.filter((name) => typeof name === 'string' && words.includes(name));
      if (left.length === allowedEnvVars.length) return hook;
      return { ...hook, handler: { ...hook.handler, config: { ...hook.handler.config, allowedEnvVars: left } } };
    },
  };
}

/** Keys that a hooks file may have in addition to its events. */
const OTHER_KEYS: ReadonlySet<string> = new Set(['$schema', 'description', 'name', 'version']);
const FACTS: Readonly<Record<string, HookFact>> = { CLAUDE_PROJECT_DIR: 'project', CLAUDE_CODE_SESSION_ID: 'session' };

export function load(document: Document, context: LoadContext): Loaded {
  const problems = problemsIn(document.file);
  const { root, file } = document;
  const isManifest = /(^|[\\/])\.claude-plugin[\\/]plugin\.json$/.test(file);
  if (isManifest && root?.kind === 'map') return loadPlugin(file, root, context, problems);
  const isFrontmatter = /\.md$/i.test(file);
  const owner = isFrontmatter ? (textIn(fieldOf(root, 'name')) ?? context.folderName) : undefined;
  const env = isFrontmatter ? { CLAUDE_PLUGIN_ROOT: context.folder } : settingsEnvironment(root);
  // quirk plugin-root-in-skills: only a skill has a folder of its own.
  const own = isFrontmatter && !isSkill(file) ? {} : env;
  const place: Place = { file, idPath: '', context, env: own, problems, ...(owner !== undefined && { owner }) };
  const switches = isFrontmatter ? [] : switchesIn(root, context.scope, problems);
  return { hooks: hooksIn(document, place), diagnostics: problems.list, switches };
}

function loadPlugin(file: string, manifest: MapNode, context: LoadContext, problems: Problems): Loaded {
  const owner = textIn(fieldOf(manifest, 'name')) ?? context.folderName;
  const env = { CLAUDE_PLUGIN_ROOT: context.folder };
  const hooks: Hook[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { document, idPath } of pluginSources(file, manifest, context, problems)) {
    const own = document.file === file ? problems : problemsIn(document.file);
    hooks.push(...hooksIn(document, { file: document.file, idPath, context, env, owner, problems: own }));
    if (own !== problems) diagnostics.push(...document.diagnostics, ...own.list);
  }
  reportUnsetVariables(manifest, hooks, problems);
  return { hooks, diagnostics: [...problems.list, ...diagnostics] };
}

/** Returns the variables that the settings add to the environment of every process. Variables that control Hookline are left out. */
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
  readonly problems: Problems;
}

function hooksIn(document: Document, place: Place): Hook[] {
  const { problems } = place;
  const hooks: Hook[] = [];
  for (const entry of eventEntries(document, { isEvent: isEventName, otherKeys: OTHER_KEYS }, problems)) {
    if (isEventName(entry.key)) hooks.push(...hooksOf(entry.key, entry, place));
    else reportUnknownEvent(problems, profile.load.unknownEvent, entry, Object.keys(profile.events));
  }
  return hooks;
}

function hooksOf(event: EventName, entry: Entry, place: Place): Hook[] {
  const { context, problems } = place;
  const groups = new Set<FoundHandler['group']>([undefined]);
  const conditions = onceFor((matcher) => conditionsFor(event, matcher, context, MATCHERS, problems));
  const hooks: Hook[] = [];
  for (const found of findHandlers(entry, problems)) {
    const { matcher, group, fields } = found;
    if (group && !groups.has(group)) warnUnknown(group, ['matcher', 'hooks', 'description'], 'a group', problems);
    groups.add(group);
    const when = conditions(matcher);
    const rule = fields ? conditionsOfRule(event, fields, context, problems) : [];
    const handler = readHandler(found, context, problems);
    if (when && rule && handler) hooks.push(hookFrom(event, found, handler, [...when, ...rule], place));
  }
  return hooks;
}

function hookFrom(event: EventName, found: FoundHandler, handler: Hook['handler'], when: readonly Condition[], place: Place): Hook {
  const { context, owner, problems } = place;
  const { fields, at, path } = found;
  const own = textIn(fieldOf(fields, 'name')) ?? found.name;
  const prefix = owner === undefined ? '' : `${owner}/`;
  const required = fields && readScalar(fields, 'required', 'boolean', problems)?.value === true;
  return {
    id: `${context.idPrefix}#${place.idPath}${path}`,
    ...nameFor(own && `${prefix}${own}`, { ...found, handler, event, described: [fields, found.group] }, prefix),
    dialect: 'claude-code',
    event,
    when,
    handler,
    ...limitsOf(fields, handler.type, { event, isShared: owner !== undefined, isFrontmatter: /\.md$/i.test(place.file) }, problems),
    priority: 0,
    enabled: true,
    source: { file: place.file, line: at.line, column: at.column, scope: context.scope },
    folder: context.folder,
    env: { ...place.env, CLAUDECODE: '1' },
    facts: FACTS,
    ...(owner !== undefined && { owner }),
    // quirk active-skills
    ...(owner !== undefined && isSkill(place.file) && { skill: owner }),
    ...(required && { required: true }),
  };
}

function isSkill(file: string): boolean {
  return /SKILL\.md$/i.test(file);
}

function textIn(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' && node.value !== '' ? node.value : undefined;
}
