/** The tools of an `agent` hook: it reads, lists and searches files of the project, and can do nothing else. Every result is bounded and says so. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type JsonObject, textOf } from '../../core/values/json.ts';
import { isHidden, lookInside, type ProjectFolder, readInside } from './inside.ts';

type Look = (folder: ProjectFolder, input: JsonObject, signal: AbortSignal) => string;

interface LookingTool {
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, { readonly type: 'string' | 'integer'; readonly description: string }>>;
  readonly required: readonly string[];
  readonly look: Look;
}

const PATH = { type: 'string', description: 'A path from the root of the project.' } as const;

const TOOLS: readonly LookingTool[] = [
  {
    name: 'read_file',
    description: 'Reads a text file of the project.',
    properties: { path: PATH, from: { type: 'integer', description: 'The first line, from 1 on.' } },
    required: ['path'],
    look: readFile,
  },
  {
    name: 'list_files',
    description: 'Lists the files and folders in a folder of the project.',
    properties: { path: PATH },
    required: ['path'],
    look: listFiles,
  },
  {
    name: 'search_files',
    description: 'Finds the lines of text files that contain a text. The text is no pattern.',
    properties: { text: { type: 'string', description: 'The text to find.' }, path: PATH },
    required: ['text'],
    look: searchFiles,
  },
];

/** The tools as a model is told of them. */
export const LOOKING_TOOLS: readonly JsonObject[] = TOOLS.map(({ name, description, properties, required }) => ({
  ...{ type: 'function', name, description },
  inputSchema: { type: 'object', properties, required: [...required], additionalProperties: false },
}));

/** Returns the result of a call. A call that cannot be carried out has a result that says why. */
export function lookWith(folder: ProjectFolder | undefined, name: string, input: JsonObject | undefined, signal: AbortSignal): string {
  const tool = TOOLS.find((one) => one.name === name);
  if (!tool) return `There is no tool \`${name}\`.`;
  if (!folder) return 'The project folder does not exist.';
  if (!input || tool.required.some((key) => typeof input[key] !== 'string')) return `The tool needs ${tool.required.join(' and ')}.`;
  return tool.look(folder, input, signal);
}

const MOST_CHARACTERS = 24_000;
const MOST_FILE = 1024 * 1024;
const MOST_ENTRIES = 500;
const MOST_MATCHES = 100;
const MOST_SEARCHED = 2000;
const MOST_SEARCHED_BYTES = 32 * 1024 * 1024;
const MOST_LINE = 300;

function readFile(folder: ProjectFolder, input: JsonObject): string {
  const found = lookInside(folder, textOf(input['path']) ?? '');
  if (typeof found === 'string') return found;
  if (found.kind === 'folder') return `\`${found.shown}\` is a folder.`;
  const bytes = readInside(folder, found, MOST_FILE);
  if (typeof bytes === 'string') return bytes;
  if (bytes.includes(0)) return `\`${found.shown}\` is not text.`;
  const lines = bytes.toString('utf8').split('\n');
  const from = typeof input['from'] === 'number' && input['from'] >= 1 ? Math.floor(input['from']) : 1;
  let length = 0;
  let next = from;
  for (; next <= lines.length && length <= MOST_CHARACTERS; next++) length += (lines[next - 1] ?? '').length + 1;
  const text = lines.slice(from - 1, next - 1).join('\n');
  const isWhole = next > lines.length && text.length <= MOST_CHARACTERS && bytes.length < MOST_FILE;
  return isWhole ? text : `${text.slice(0, MOST_CHARACTERS)}\n(Cut here. Read on from line ${next}.)`;
}

function listFiles(folder: ProjectFolder, input: JsonObject): string {
  const found = lookInside(folder, textOf(input['path']) ?? '.');
  if (typeof found === 'string') return found;
  if (found.kind === 'file') return `\`${found.shown}\` is a file.`;
  const names = entriesOf(folder, found.real).map(({ name, isFolder }) => (isFolder ? `${name}/` : name));
  const more = names.length > MOST_ENTRIES ? `\n(${names.length - MOST_ENTRIES} more are not shown.)` : '';
  return `${names.slice(0, MOST_ENTRIES).join('\n')}${more}` || '(The folder is empty.)';
}

/** Returns the entries of a folder, sorted. Entries that a judge may not see are left out, and links are not followed. */
function entriesOf({ root, home }: ProjectFolder, real: string): readonly { readonly name: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(real, { withFileTypes: true })
      .filter((entry) => (entry.isFile() || entry.isDirectory()) && !isHidden(root, path.join(real, entry.name), home))
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Folders of other people's code, which would hide the project's own in the result. */
const FOREIGN = new Set(['node_modules', 'vendor', 'dist', 'build', 'target', '.venv']);

function searchFiles(folder: ProjectFolder, input: JsonObject, signal: AbortSignal): string {
  const text = textOf(input['text']) ?? '';
  if (text === '') return 'The text is empty.';
  const start = lookInside(folder, textOf(input['path']) ?? '.');
  if (typeof start === 'string') return start;
  const matches: string[] = [];
  const open = [start.real];
  let searched = 0;
  let read = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (matches.length >= MOST_MATCHES || searched >= MOST_SEARCHED || read >= MOST_SEARCHED_BYTES || signal.aborted)
      return `${matches.join('\n')}\n(The search ended early.)`;
    const found = lookInside(folder, next);
    if (typeof found === 'string') continue;
    if (found.kind === 'folder') {
      const entries = entriesOf(folder, found.real).filter(({ name, isFolder }) => !(isFolder && FOREIGN.has(name)));
      open.push(...entries.map(({ name }) => path.join(found.real, name)).reverse());
      continue;
    }
    searched++;
    const bytes = readInside(folder, found, MOST_FILE);
    read += bytes.length;
    if (typeof bytes === 'string' || bytes.includes(0) || !bytes.includes(text)) continue;
    for (const [index, line] of bytes.toString('utf8').split('\n').entries()) {
      if (line.includes(text) && matches.length < MOST_MATCHES)
        matches.push(`${found.shown}:${index + 1}: ${line.trim().slice(0, MOST_LINE)}`);
    }
  }
  return matches.length === 0 ? '(No line contains it.)' : matches.join('\n');
}
