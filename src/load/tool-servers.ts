/**
 * Finds the MCP server that a hook names, in the files of the hook's agent. A hook that is trusted by its place uses servers of the user alone,
 * because a project must not choose the program that such a hook starts.
 */
import { join } from 'node:path';
import type { FoundServer, ServerFile } from '../core/contracts/tool-server.ts';
import { PROJECT_KEY } from '../core/contracts/tool-server.ts';
import { digestOf } from '../core/values/digest.ts';
import { toJson } from '../core/values/document.ts';
import { isObject, type Json } from '../core/values/json.ts';
import { readBytes } from './find/read-text.ts';
import { loadFormat, type Parse } from './formats/index.ts';

/** The folders of the project and of the user. */
export interface ServerPlaces {
  readonly root: string;
  readonly home: string;
}

/** The content of a file, or why there is none. Undefined: there is no such file. */
type Content = { readonly value: Json } | { readonly problem: string } | undefined;

/** Agents keep much more than servers in some of these files. */
const MAX_BYTES = 32 * 1024 * 1024;

/** @param ofUser whether the hook is trusted by its place */
export async function findServer(name: string, files: readonly ServerFile[], places: ServerPlaces, ofUser: boolean): Promise<FoundServer> {
  let ofProject = false;
  for (const { base, path, format, at } of files) {
    const file = join(places[base], path);
    const content = await readContent(file, format);
    if (content === undefined) continue;
    // Without this file it is not known which definition counts.
    if ('problem' in content && !(ofUser && base === 'root')) return { missing: `${file} ${content.problem}` };
    const entry = 'value' in content ? serverIn(content.value, at, name, places.root) : undefined;
    if (entry === undefined) continue;
    if (ofUser && base === 'root') ofProject = true;
    else return { from: base === 'root' ? 'project' : 'user', file, entry, digest: digestOf(entry, hash) };
  }
  if (ofProject) return { missing: 'only the project defines it, and a hook of yours starts no server of a project' };
  const searched = [...new Set(files.filter(({ base }) => !ofUser || base === 'home').map(({ base, path }) => join(places[base], path)))];
  return { missing: `no file defines it (searched: ${searched.join(', ')})` };
}

function serverIn(value: Json, at: readonly string[], name: string, root: string): Json | undefined {
  let here: Json | undefined = value;
  for (const key of [...at.map((one) => (one === PROJECT_KEY ? root : one)), name]) {
    if (!isObject(here) || !Object.hasOwn(here, key)) return undefined;
    here = here[key];
  }
  return here;
}

async function readContent(file: string, format: ServerFile['format']): Promise<Content> {
  const bytes = readBytes(file, MAX_BYTES);
  if (bytes === undefined) return undefined;
  if (!(bytes instanceof Uint8Array)) return { problem: `cannot be used: ${bytes.message.replace(/\.$/, '')}` };
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (format === 'json') {
    try {
      return { value: JSON.parse(text) as Json };
    } catch {
      return { problem: 'is no valid JSON' };
    }
  }
  const parse: Parse = await loadFormat(format);
  const { root, diagnostics } = await parse(file, text);
  if (!root || diagnostics.some(({ severity }) => severity === 'error')) return { problem: `is no valid ${format.toUpperCase()}` };
  return { value: toJson(root) };
}

function hash(text: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', text);
}
