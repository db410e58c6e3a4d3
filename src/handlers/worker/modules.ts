/**
 * The modules of a hook: its file and the files that it imports, without types. All of them are looked at for every event, and read anew unless the
 * file system shows that nothing has changed, so the code that a worker runs is the code of the files at that moment. JavaScript without types is kept
 * by the digest of the text that it was made from.
 */
import { readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isModule } from '../../core/contracts/agent.ts';
import { isObject } from '../../core/values/json.ts';
import type { SentModule } from './protocol.ts';

/** Keeps results for the next process. */
export interface Kept {
  read(key: string): unknown;
  write(key: string, value: unknown): void;
}

/** The modules, the hook first; or the reason why they cannot be loaded, as a clause. */
export type ModuleGraph = readonly SentModule[] | string;

const MOST_FILES = 200;
const MOST_BYTES = 1024 * 1024;

interface Known {
  readonly text: string;
  readonly made: SentModule;
  /** How the file looked before it was read; undefined if that proves nothing. */
  readonly stat: Stats | undefined;
}

/** Returns a reader that remembers the modules of texts that it has seen. */
export function moduleReader(kept: Kept | undefined): (file: string) => Promise<ModuleGraph> {
  const known = new Map<string, Known>();
  return async (entry) => {
    const graph: SentModule[] = [];
    const queue = [entry];
    for (const file of queue) {
      if (graph.length >= MOST_FILES) return `imports more than ${MOST_FILES} files`;
      const before = known.get(file);
      const source = readSource(file, entry, before);
      if ('problem' in source) return source.problem;
      const { text, stat } = source;
      const made = before?.text === text ? before.made : await moduleOf(file, text, hash(text), kept);
      if (typeof made === 'string') return made;
      if (source !== before) known.set(file, { text, made, stat });
      graph.push(made);
      for (const imported of Object.values(made.imports)) if (!queue.includes(imported)) queue.push(imported);
    }
    return graph;
  };
}

function readSource(
  file: string,
  entry: string,
  before: Known | undefined,
): Known | Pick<Known, 'text' | 'stat'> | { readonly problem: string } {
  const what = file === entry ? `its file '${file}'` : `the imported file '${file}'`;
  try {
    const stat = statSync(file);
    if (before?.stat && isSame(stat, before.stat)) return before;
    if (!stat.isFile()) return { problem: `${what} is not a file` };
    if (stat.size > MOST_BYTES) return { problem: `${what} is larger than 1 MiB` };
    const isSettled = Date.now() - Math.max(stat.mtimeMs, stat.ctimeMs) > COARSEST_STEP_MS;
    return { text: readFileSync(file, 'utf8'), stat: isSettled ? stat : undefined };
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return { problem: isMissing ? `${what} does not exist` : `${what} cannot be read: ${String(error)}` };
  }
}

/** Times of files advance in steps, of two seconds on the coarsest file system. A second change within a step does not show. */
const COARSEST_STEP_MS = 2_500;

/** Every change of a file sets `ctime`, which no process can set back. A file that is put in its place has another number. */
function isSame(now: Stats, before: Stats): boolean {
  return (
    now.ctimeMs === before.ctimeMs &&
    now.mtimeMs === before.mtimeMs &&
    now.ino === before.ino &&
    now.dev === before.dev &&
    now.size === before.size
  );
}

async function moduleOf(file: string, text: string, digest: string, kept: Kept | undefined): Promise<SentModule | string> {
  const key = `erased ${file.endsWith('ts')} ${digest}`;
  const before = keptModule(kept?.read(key));
  const plain = before ?? (await erased(file, text));
  if (typeof plain === 'string') return plain;
  if (!before) kept?.write(key, { ...plain, codeDigest: hash(plain.code) });
  const imports = Object.fromEntries(plain.files.map((name) => [name, resolve(dirname(file), name)]));
  return { file, digest, code: plain.code, imports };
}

interface Plain {
  readonly code: string;
  readonly files: readonly string[];
}

/** Returns what was kept if it is whole. */
function keptModule(found: unknown): Plain | undefined {
  if (!isObject(found)) return undefined;
  const { code, codeDigest, files } = found;
  const isWhole =
    typeof code === 'string' && hash(code) === codeDigest && Array.isArray(files) && files.every((one) => typeof one === 'string');
  return isWhole ? { code, files: files as readonly string[] } : undefined;
}

/** The parser is loaded for a text that was never seen before, because it takes longer to load than most hooks take to answer. */
async function erased(file: string, text: string): Promise<Plain | string> {
  const [{ parseModule }, { eraseTypes }, { importsOf }] = await Promise.all([
    import('../../syntax/module.ts'),
    import('../../syntax/erase-types.ts'),
    import('../../syntax/imports.ts'),
  ]);
  if (!isModule(file)) return `the imported file '${file}' is no .ts, .mts, .js or .mjs file`;
  const parsed = parseModule(file, text);
  if ('hint' in parsed) return atPlace(file, parsed);
  const code = eraseTypes(parsed);
  if (typeof code !== 'string') return atPlace(file, code[0] as (typeof code)[number]);
  const { files, problems } = importsOf(parsed);
  return problems[0] ? atPlace(file, problems[0]) : { code, files };
}

function atPlace(
  file: string,
  { at, message }: { readonly at: { readonly line: number; readonly column: number }; readonly message: string },
): string {
  return `cannot be loaded: ${file}:${at.line}:${at.column}: ${message.replace(/\.$/, '')}`;
}

/** Loads the module when something is hashed, because most starts of the command never hash. */
function hash(text: string): string {
  return process.getBuiltinModule('node:crypto').hash('sha256', text);
}
