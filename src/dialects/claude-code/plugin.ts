/** Finds a plugin's hooks: in the manifest itself, in the files it names, or in `hooks/hooks.json`. Never outside the plugin. */
import type { LoadContext } from '../../core/dialect.ts';
import { type Document, fieldOf, kindName, type MapNode, type Node } from '../../core/document.ts';
import type { Hook } from '../../core/hook.ts';
import type { Complaints } from '../../core/loading.ts';

const DEFAULT_FILE = 'hooks/hooks.json';

export interface PluginSource {
  readonly document: Document;
  /** Goes before the path of every id, so that two files of one plugin do not share ids. */
  readonly idPath: string;
}

export function pluginSources(file: string, manifest: MapNode, context: LoadContext, complaints: Complaints): readonly PluginSource[] {
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
    const path = pathIn(item, complaints);
    if (path === undefined || path === DEFAULT_FILE) continue;
    if (found.has(path)) {
      complaints.say('warning', 'duplicate-file', item.at, `\`${path}\` is named twice; it is read once.`);
      continue;
    }
    const document = context.read(path, 'json');
    if (document) found.set(path, { document, idPath: `${path}/` });
    else complaints.say('error', 'missing-file', item.at, `There is no file \`${path}\` in the plugin.`, 'Mend the path, or add the file.');
  }
  return [...found.values()];
}

/** What Claude Code keeps about a plugin, such as the answers of its user, only Claude Code knows: here these variables have no value. */
export function sayUnset(manifest: MapNode, hooks: readonly Hook[], complaints: Complaints): void {
  const used = new Set(hooks.flatMap(({ handler: { config } }) => JSON.stringify(config).match(KEPT_THERE) ?? []));
  if (used.size === 0) return;
  const names = [...used].map((name) => `\`${name}\``).join(', ');
  const what = `${names} ${used.size === 1 ? 'is' : 'are'} set by Claude Code alone, from what it keeps about the plugin; here there is no value.`;
  complaints.say('warning', 'no-effect', manifest.at, what, 'Let the hook do without it, or set the variable yourself.');
}

const KEPT_THERE = /CLAUDE_PLUGIN_DATA|CLAUDE_PLUGIN_OPTION_\w+/g;

function pathIn(item: Node, complaints: Complaints): string | undefined {
  if (item.kind !== 'scalar' || typeof item.value !== 'string' || item.value === '') {
    const what = `\`hooks\` of a plugin must be a path, a list of paths or a map of events, found ${kindName(item)}.`;
    complaints.say('error', 'wrong-type', item.at, what, 'Name the file as seen from the plugin: "./hooks/hooks.json".');
    return undefined;
  }
  const path = item.value.replace(/^\$\{CLAUDE_PLUGIN_ROOT\}[\\/]/, '').replace(/^(\.[\\/])+/, '');
  if (!/^([\\/]|[A-Za-z]:)/.test(path) && !path.split(/[\\/]/).includes('..')) return path;
  complaints.say(
    'error',
    'outside-folder',
    item.at,
    `\`${item.value}\` leads out of the plugin and is not read.`,
    'Keep the file below the plugin.',
  );
  return undefined;
}
