/** Which files hold a plugin's hooks: what the manifest names, else the documented default. Nothing outside the plugin is read. */
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { LoadContext } from '../../core/dialect.ts';
import { type Document, entryOf, fieldOf, kindName, type MapNode, type Node } from '../../core/document.ts';
import { type Complaints, complaintsAbout } from '../../core/loading.ts';
import { ROOT_VARIABLE } from './expand-root.ts';

/** The map of events, the file it stands in, and what to put before a hook's path so that no two files share an id. */
export interface EventMap {
  readonly events: MapNode;
  readonly file: string;
  readonly prefix: string;
}

const DEFAULT_FILE = 'hooks/hooks.json';

export function findEventMaps(manifest: Document, root: Node, context: LoadContext, complaints: Complaints): [EventMap[], Diagnostic[]] {
  const hooks = fieldOf(root, 'hooks');
  if (!hooks || (hooks.kind === 'scalar' && hooks.value === null)) {
    const document = context.read(DEFAULT_FILE, 'json');
    return document ? openFile(document, DEFAULT_FILE) : [[], []];
  }
  if (hooks.kind === 'map') {
    // Written into the manifest itself, with or without the wrapper the file has.
    const wrapped = fieldOf(hooks, 'hooks');
    return [[{ events: wrapped?.kind === 'map' ? wrapped : hooks, file: manifest.file, prefix: '' }], []];
  }
  const maps: EventMap[] = [];
  const diagnostics: Diagnostic[] = [];
  const seen = new Set<string>();
  for (const node of hooks.kind === 'list' ? hooks.items : [hooks]) {
    const path = readPath(node, complaints);
    if (path === undefined) continue;
    if (seen.has(path)) {
      complaints.say('warning', 'duplicate-file', node.at, `\`${path}\` is named twice; it is read once.`, 'Remove one of them.');
      continue;
    }
    seen.add(path);
    const document = context.read(path, 'json');
    if (!document) {
      const what = `There is no hooks file \`${path}\` in the plugin.`;
      complaints.say('error', 'missing-file', node.at, what, 'Mend the path, which is seen from the plugin folder, or add the file.');
      continue;
    }
    const [found, said] = openFile(document, path);
    maps.push(...found);
    diagnostics.push(...said);
  }
  return [maps, diagnostics];
}

function readPath(node: Node, complaints: Complaints): string | undefined {
  if (node.kind !== 'scalar' || typeof node.value !== 'string' || node.value.trim() === '') {
    const what = `\`hooks\` must be a path or a list of paths, found ${kindName(node)}.`;
    complaints.say('error', 'wrong-type', node.at, what, `Write it like \`"./${DEFAULT_FILE}"\`.`);
    return undefined;
  }
  const path = node.value.startsWith(`${ROOT_VARIABLE}/`) ? node.value.slice(ROOT_VARIABLE.length + 1) : node.value;
  const segments = path.split(/[/\\]/);
  if (path.startsWith('/') || segments.includes('..')) {
    const what = `The hooks file \`${node.value}\` is not below the plugin folder.`;
    complaints.say('error', 'bad-path', node.at, what, 'Move it into the plugin and name it from there.');
    return undefined;
  }
  return segments.filter((segment) => segment !== '' && segment !== '.').join('/');
}

function openFile(document: Document, path: string): [EventMap[], Diagnostic[]] {
  const { file, root, diagnostics } = document;
  const events = fieldOf(root, 'hooks');
  if (events?.kind === 'map') return [[{ events, file, prefix: path === DEFAULT_FILE ? '' : `${path}:` }], [...diagnostics]];
  const complaints = complaintsAbout(file);
  // A file that could not be parsed has said so already.
  if (!diagnostics.some(({ severity }) => severity === 'error')) {
    const at = entryOf(root, 'hooks')?.value.at ?? root?.at ?? { line: 1, column: 1 };
    const found = events ? `\`hooks\` as ${kindName(events)}` : root ? `${kindName(root)} without \`hooks\`` : 'an empty file';
    const what = `A hooks file must be \`{"hooks": {event: […]}}\`, found ${found}.`;
    complaints.say('error', 'wrong-type', at, what, 'Put the events into an object under `hooks`.');
  }
  return [[], [...diagnostics, ...complaints.list]];
}
