/** Finds a plugin's hooks: in the manifest itself, in the files it names, or in `hooks/hooks.json`. Never outside the plugin. */
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { LoadContext } from '../../core/dialect.ts';
import { fieldOf, kindName, type MapNode, type Node } from '../../core/document.ts';
import type { Complaints } from '../../core/loading.ts';

const DEFAULT_FILE = 'hooks/hooks.json';

export interface PluginSource {
  /** Absent: the manifest itself. */
  readonly file?: string;
  readonly node: Node | undefined;
  readonly idPath: string;
  readonly diagnostics: readonly Diagnostic[];
}

export function pluginSources(manifest: MapNode, context: LoadContext, complaints: Complaints): readonly PluginSource[] {
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
      const source = readNamed(item, seen, context, complaints);
      if (source) sources.push(source);
    }
  }
  return sources;
}

function readNamed(item: Node, seen: Set<string>, context: LoadContext, complaints: Complaints): PluginSource | undefined {
  if (item.kind !== 'scalar' || typeof item.value !== 'string' || item.value === '') {
    const hint = 'Name the file as seen from the plugin: "./hooks/hooks.json".';
    complaints.say(
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
    complaints.say(
      'error',
      'outside-folder',
      item.at,
      `\`${item.value}\` leads out of the plugin and is not read.`,
      'Keep the file below the plugin.',
    );
    return undefined;
  }
  if (seen.has(path)) {
    complaints.say('warning', 'duplicate-file', item.at, `\`${item.value}\` is named twice; it is read once.`);
    return undefined;
  }
  seen.add(path);
  const document = context.read(path, 'json');
  if (!document) {
    complaints.say(
      'error',
      'missing-file',
      item.at,
      `There is no file \`${item.value}\` in the plugin.`,
      'Mend the path, or add the file.',
    );
    return undefined;
  }
  return { file: document.file, node: document.root, idPath: `${path}/`, diagnostics: document.diagnostics };
}
