/** Hooks that want a handler of a type nobody has registered. */

import { type Dialect, entriesOfForm, type Format, type LoadContext, type Loaded, type LoadFile } from '../core/contracts/dialect.ts';
import type { Hook, Scope } from '../core/contracts/hook.ts';
import type { Switch } from '../core/contracts/switch.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { Document } from '../core/values/document.ts';
import { suggest } from '../core/values/suggest.ts';
import type { SourceFile } from './find/discover.ts';
import { type FolderReader, folderReader } from './find/folder-reader.ts';
import { readText } from './find/read-text.ts';
import { loadFormat, type Parse } from './formats/index.ts';

/** A type nobody handles is no error of the file, but its hook can't be asked: that is said at once, not at the first event. */
export function unknownHandlers(hooks: readonly Hook[], known: readonly string[]): Diagnostic[] {
  return hooks
    .filter(({ handler }) => !known.includes(handler.type))
    .map(({ name, handler, source }) => {
      const near = suggest(handler.type, known);
      return {
        severity: 'warning',
        code: 'unknown-handler',
        file: source.file,
        ...(source.line !== undefined && { line: source.line }),
        ...(source.column !== undefined && { column: source.column }),
        message: `Hook \`${name}\` wants a handler of type \`${handler.type}\`, and there is none: it is never asked.`,
        hint: near ? `Did you mean \`${near}\`?` : 'Give createHookline a handler of this type in `handlers`.',
      };
    });
}

/**
 * What the switches in agents' files do to the hooks that were found. Whoever manages the machine switches off anybody's, a user his own and
 * those of projects; what stands in a project reaches the hooks of its own file alone, so that nothing it brings silences another guard.
 */

/** One file that was read. */
export interface Switching {
  readonly file: string;
  readonly scope: Scope;
  readonly dialect: string;
  readonly hooks: readonly Hook[];
  readonly switches: readonly Switch[];
}

export interface Switched {
  /** For each file what became of its hooks, in the same order. */
  readonly hooks: readonly (readonly Hook[])[];
  readonly diagnostics: readonly Diagnostic[];
}

export function throwSwitches(files: readonly Switching[]): Switched {
  if (files.every(({ switches }) => switches.length === 0)) return { hooks: files.map(({ hooks }) => hooks), diagnostics: [] };
  const touched = new Map<Switch, Touched>(files.flatMap(({ switches }) => switches.map((one) => [one, { stopped: [], narrowed: [] }])));
  const hooks = files.map((target) => {
    const reaching = files.flatMap((from) => (reaches(from, target) ? from.switches.map((one) => ({ one, from })) : []));
    return target.hooks.map((hook) => reaching.reduce((left, { one, from }) => thrown(one, from, left, touched.get(one)), hook));
  });
  const diagnostics = files.flatMap((from) => from.switches.flatMap((one) => sayWhat(one, from, touched.get(one))));
  return { hooks, diagnostics };
}

/** The names of the hooks that a switch has done something to. */
interface Touched {
  readonly stopped: string[];
  readonly narrowed: string[];
}

function reaches(from: Switching, target: Switching): boolean {
  if (from === target) return true;
  if (from.dialect !== target.dialect) return false;
  return from.scope === 'managed' || (from.scope === 'user' && target.scope !== 'managed');
}

function thrown(one: Switch, { file }: Switching, hook: Hook, touched: Touched | undefined): Hook {
  if (!hook.enabled) return hook;
  const left = one.apply(hook);
  if (left === hook) return hook;
  (left.enabled ? touched?.narrowed : touched?.stopped)?.push(hook.name);
  return left.enabled ? left : { ...left, offBy: `\`${one.key}\` in ${file}:${one.at.line}` };
}

function sayWhat({ key, at }: Switch, { file, scope }: Switching, touched: Touched | undefined): Diagnostic[] {
  const place = { file, line: at.line, column: at.column };
  const { stopped = [], narrowed = [] } = touched ?? {};
  const elsewhere = scope === 'managed' || scope === 'user' ? '' : ' Those of other files stay in force here.';
  const off = `\`${key}\` switches off ${listed(stopped)}.${elsewhere}`;
  const less = `\`${key}\` permits less than is wanted by ${listed(narrowed)}.`;
  return [
    ...(stopped.length === 0 ? [] : [{ severity: 'warning', code: 'hooks-disabled', ...place, message: off, hint: MEND } as const]),
    ...(narrowed.length === 0 ? [] : [{ severity: 'info', code: 'hooks-narrowed', ...place, message: less } as const]),
  ];
}

const MEND = 'Take it out to have them asked.';
const MOST = 5;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST).map((name) => `\`${name}\``);
  const more = names.length > MOST ? ` and ${names.length - MOST} more` : '';
  return `${names.length === 1 ? 'the hook' : `${names.length} hooks:`} ${shown.join(', ')}${more}`;
}

/** Reads the found files and has their dialects turn them into hooks. One bad file never takes another down; no document is kept. */

export interface HookSource {
  readonly hook: Hook;
  readonly trusted: boolean;
  /** The file that was found, which may have led to the one the hook stands in. */
  readonly origin: string;
}

export interface LoadedHooks {
  readonly hooks: readonly HookSource[];
  readonly diagnostics: readonly Diagnostic[];
  /** Every file that was read, or would have been if it could be. */
  readonly files: readonly string[];
}

/** `maxHooks` takes the place of the limit of dialects that have one. */
export async function loadHooks(
  sources: readonly SourceFile[],
  checkPattern: LoadContext['checkPattern'],
  maxHooks?: number,
): Promise<LoadedHooks> {
  const fetched: Fetched = { parsers: new Map(), loaders: new Map() };
  const hooks: HookSource[] = [];
  const diagnostics: Diagnostic[] = [];
  const files = new Set<string>();
  const found: SourceRead[] = [];
  for (const source of sources) found.push({ source, read: await loadSource(source, checkPattern, fetched) });
  const switched = throwSwitches(
    found.map(({ source: { file, scope, dialect }, read }) => ({ file, scope, dialect: dialect.id, ...read })),
  );
  const reads = found.map(({ source, read }, index) => ({ source, read: { ...read, hooks: switched.hooks[index] ?? [] } }));
  const within = withinLimit(reads, maxHooks);
  for (const { source, read } of reads) {
    for (const file of read.files) files.add(file);
    diagnostics.push(...(source.entries ? read.diagnostics.filter(notSaidIn(diagnostics)) : read.diagnostics));
    for (const hook of read.hooks) {
      if (within.has(hook)) hooks.push({ hook, trusted: source.trusted, origin: source.file });
      else diagnostics.push(tooMany(hook, source, limitOf(source, maxHooks)));
    }
  }
  diagnostics.push(...switched.diagnostics, ...sameNames(hooks));
  return { hooks, diagnostics, files: [...files] };
}

/** What is wrong with a file that is shared is found by each that reads it, and said once. */
function notSaidIn(said: readonly Diagnostic[]): (diagnostic: Diagnostic) => boolean {
  const texts = new Set(said.map((diagnostic) => JSON.stringify(diagnostic)));
  return (diagnostic) => !texts.has(JSON.stringify(diagnostic));
}

/** The code of the error about a hook that was left out although nothing is wrong with it. */
export const TOO_MANY = 'too-many-hooks';

interface ReadSource extends Loaded {
  readonly files: readonly string[];
  readonly switches: readonly Switch[];
}

interface SourceRead {
  readonly source: SourceFile;
  readonly read: ReadSource;
}

function limitOf({ dialect }: SourceFile, maxHooks: number | undefined): number {
  const own = dialect.profile.load.maxHooks;
  return own === null ? Number.POSITIVE_INFINITY : (maxHooks ?? own);
}

/** The trusted ones come first: however many hooks a project brings, it does not crowd out the user's. */
function withinLimit(reads: readonly SourceRead[], maxHooks: number | undefined): ReadonlySet<Hook> {
  const counts = new Map<string, number>();
  const within = new Set<Hook>();
  for (const { source, read } of [...reads.filter(({ source }) => source.trusted), ...reads.filter(({ source }) => !source.trusted)]) {
    for (const hook of read.hooks) {
      const count = (counts.get(source.dialect.id) ?? 0) + 1;
      counts.set(source.dialect.id, count);
      if (count <= limitOf(source, maxHooks)) within.add(hook);
    }
  }
  return within;
}

/** What was fetched to read the files so far. */
interface Fetched {
  readonly parsers: Map<Format, Parse>;
  readonly loaders: Map<Dialect, LoadFile>;
}

async function loadSource(
  source: SourceFile,
  checkPattern: LoadContext['checkPattern'],
  { parsers, loaders }: Fetched,
): Promise<ReadSource> {
  const { file, format, dialect } = source;
  const read = readText(file);
  if (read === undefined) return { hooks: [], diagnostics: [], files: [], switches: [] };
  if ('problem' in read) return { hooks: [], diagnostics: [read.problem], files: [file], switches: [] };
  // Awaiting only what is a promise keeps a thousand plain files in one go.
  const parse = parsers.get(format) ?? (await loadFormat(format));
  parsers.set(format, parse);
  const parsed = parse(file, read.text);
  const whole = parsed instanceof Promise ? await parsed : parsed;
  const document = source.entries ? entriesOfForm(whole, source.entries) : whole;
  if (!document) return { hooks: [], diagnostics: whole.diagnostics, files: [file], switches: [] };
  const load = loaders.get(dialect) ?? (await dialect.loader());
  loaders.set(dialect, load);
  const reader = folderReader(source.folder, parsers);
  const loaded = await loadDocument(load, document, source, reader, checkPattern);
  // A loader may hand on what the documents said; nothing is said twice.
  const said = new Set([...document.diagnostics, ...reader.diagnostics(), ...loaded.diagnostics]);
  return { hooks: loaded.hooks, diagnostics: [...said], files: [file, ...reader.files()], switches: loaded.switches ?? [] };
}

/** Loaders are pure: one that asked for a file whose parser was not there yet is simply asked again. */
async function loadDocument(
  load: LoadFile,
  document: Document,
  source: SourceFile,
  reader: FolderReader,
  checkPattern: LoadContext['checkPattern'],
): Promise<Loaded> {
  const { scope, folder, folderName, idPrefix } = source;
  const context: LoadContext = { scope, folder, folderName, idPrefix, checkPattern, read: reader.read, stat: reader.stat };
  for (;;) {
    const loaded = guarded(load, document, context);
    if (!reader.isWaiting()) return loaded;
    await reader.settle();
  }
}

function guarded(load: LoadFile, document: Document, context: LoadContext): Loaded {
  try {
    return load(document, context);
  } catch (error) {
    const message = `Hookline failed on this file: ${error instanceof Error ? error.message : String(error)}`;
    const hint = 'This is a bug in Hookline, please report it with the file.';
    return { hooks: [], diagnostics: [{ severity: 'error', code: 'internal', file: document.file, message, hint }] };
  }
}

function tooMany(hook: Hook, { dialect }: SourceFile, limit: number): Diagnostic {
  const { file, line, column } = hook.source;
  return {
    severity: 'error',
    code: TOO_MANY,
    file,
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    message: `\`${hook.name}\` is not loaded: ${dialect.title} allows ${limit} hooks, and there are more.`,
    hint: 'Remove hooks, or raise `maxHooks`.',
  };
}

/** Both are kept, so that nobody switches off a hook by reusing its name; who wonders why two run is told. */
function sameNames(hooks: readonly HookSource[]): Diagnostic[] {
  const first = new Map<string, Hook>();
  const told = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const { hook } of hooks) {
    const key = `${hook.dialect}\0${hook.name}`;
    const other = first.get(key);
    if (!other) first.set(key, hook);
    if (!other || told.has(key) || other.source.scope === hook.source.scope || other.source.file === hook.source.file) continue;
    told.add(key);
    const { file, line, column, scope } = hook.source;
    const position = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
    const message = `\`${hook.name}\` (${scope}) has the same name as a ${other.source.scope} hook in ${other.source.file}; both run.`;
    diagnostics.push({ severity: 'info', code: 'same-name', file, ...position, message, hint: 'Rename one of them to tell them apart.' });
  }
  return diagnostics;
}
