/** Reads hook files and has their dialects turn them into hooks. A broken file never affects another. No document is kept. */

import type { Evidence } from '../core/contracts/agent.ts';
import { type Dialect, entriesOfForm, type Format, type LoadContext, type Loaded, type LoadFile } from '../core/contracts/dialect.ts';
import type { Hook, Scope } from '../core/contracts/hook.ts';
import type { Switch } from '../core/contracts/switch.ts';
import type { FoundServer } from '../core/contracts/tool-server.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { type Document, fieldOf } from '../core/values/document.ts';
import { HooklineError } from '../core/values/errors.ts';
import type { Claim, SourceFile } from './find/discover.ts';
import { type FolderReader, folderReader } from './find/folder-reader.ts';
import { readText } from './find/read-text.ts';
import { loadFormat, type Parse } from './formats/index.ts';
import { EMPTY_FILE, sayEmpty } from './formats/intake.ts';
import type { ServerPlaces } from './tool-servers.ts';

/** One file that was read. */
export interface Switching {
  readonly file: string;
  readonly scope: Scope;
  readonly dialect: string;
  readonly hooks: readonly Hook[];
  readonly switches: readonly Switch[];
}

export interface Switched {
  /** The hooks of each file after all switches, in the same order. */
  readonly hooks: readonly (readonly Hook[])[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Applies the switches in agents' files to the hooks that were found. A switch of the administrator reaches all hooks, one of the user the
 * user's own and those of projects. A switch in a project reaches only the hooks of its own file, so that a project cannot disable a guard.
 */
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

/** The names of the hooks that a switch has changed. */
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
  const elsewhere = scope === 'managed' || scope === 'user' ? '' : ' Hooks of other files are not affected.';
  const off = `\`${key}\` disables ${listed(stopped)}.${elsewhere}`;
  const less = `\`${key}\` permits less than is asked by ${listed(narrowed)}.`;
  return [
    ...(stopped.length === 0 ? [] : [{ severity: 'warning', code: 'hooks-disabled', ...place, message: off, hint: FIX } as const]),
    ...(narrowed.length === 0 ? [] : [{ severity: 'info', code: 'hooks-narrowed', ...place, message: less } as const]),
  ];
}

const FIX = 'Remove the setting to enable them.';
const MOST = 5;

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST).map((name) => `\`${name}\``);
  const more = names.length > MOST ? ` and ${names.length - MOST} more` : '';
  return `${names.length === 1 ? 'the hook' : `${names.length} hooks:`} ${shown.join(', ')}${more}`;
}

export interface HookSource {
  readonly hook: Hook;
  readonly trusted: boolean;
  /** The file that was found. It may have led to the file that holds the hook. */
  readonly origin: string;
}

export interface LoadedHooks {
  readonly hooks: readonly HookSource[];
  readonly diagnostics: readonly Diagnostic[];
  /** Every file that was read, or that could not be read. */
  readonly files: readonly string[];
  /** How each file with hooks was read that another dialect could read too. */
  readonly readings: readonly Diagnostic[];
}

/** `maxHooks` replaces the limit of dialects that have one. Without `places`, hooks that name an MCP server find none. */
export async function loadHooks(
  sources: readonly SourceFile[],
  checkPattern: LoadContext['checkPattern'],
  maxHooks?: number,
  places?: ServerPlaces,
): Promise<LoadedHooks> {
  const fetched: Fetched = { parsers: new Map(), loaders: new Map(), places };
  const hooks: HookSource[] = [];
  const diagnostics: Diagnostic[] = [];
  const files = new Set<string>();
  const found: SourceRead[] = [];
  const readings: Diagnostic[] = [];
  for (const given of sources) {
    const { source, evidence } = given.claim ? await settleClaim(given, given.claim, checkPattern, fetched) : { source: given };
    const read = await loadSource(source, checkPattern, fetched);
    found.push({ source, read });
    if (source.others && read.hooks.length > 0) readings.push(sayReading(source, source.others, evidence));
  }
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
  return { hooks, diagnostics, files: [...files], readings };
}

/** Each dialect that reads a shared file finds the same problems. They are reported once. */
function notSaidIn(said: readonly Diagnostic[]): (diagnostic: Diagnostic) => boolean {
  const texts = new Set(said.map((diagnostic) => JSON.stringify(diagnostic)));
  return (diagnostic) => !texts.has(JSON.stringify(diagnostic));
}

/** The code of the error about a hook that is left out although its file has no error. */
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

/** Counts trusted hooks first, so that a project with many hooks does not crowd out the user's. */
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

/** The parsers and loaders that were loaded so far. */
interface Fetched {
  readonly parsers: Map<Format, Parse>;
  readonly loaders: Map<Dialect, LoadFile>;
  readonly places: ServerPlaces | undefined;
}

async function loadSource(
  source: SourceFile,
  checkPattern: LoadContext['checkPattern'],
  { parsers, loaders, places }: Fetched,
): Promise<ReadSource> {
  const { file, format, dialect, kind } = source;
  const opening = openDocument(source, parsers);
  const opened = opening instanceof Promise ? await opening : opening;
  if (opened === undefined) return { hooks: [], diagnostics: [], files: [], switches: [] };
  const { text } = opened;
  const whole = text === undefined ? opened.document : sayEmpty(opened.document, text, format);
  // A text for a model that names no hook has nothing to protect, so its form is not reported.
  if (
    text !== undefined &&
    isProse(kind) &&
    !fieldOf(whole.root, 'hooks') &&
    !(await import('./formats/frontmatter.ts')).mentionsHooks(text, Object.keys(dialect.profile.events))
  )
    return { hooks: [], diagnostics: whole.diagnostics.filter(({ code }) => code === EMPTY_FILE), files: [file], switches: [] };
  const document = source.entries ? entriesOfForm(whole, source.entries) : whole;
  if (!document) return { hooks: [], diagnostics: whole.diagnostics, files: [file], switches: [] };
  const load = loaders.get(dialect) ?? (await dialect.loader());
  loaders.set(dialect, load);
  const reader = folderReader(source.folder, parsers);
  const loaded = await loadDocument((context) => guarded(load, document, context), source, reader, checkPattern, places);
  // A loader may return the diagnostics of its documents again. Each is reported once.
  const said = new Set([...document.diagnostics, ...reader.diagnostics(), ...loaded.diagnostics.map(atExisting(source))]);
  // A problem that the loader has named is the one to fix.
  const isFine = ![...said].some(({ severity }) => severity === 'error');
  if (isFine && loaded.hooks.length === 0 && document.root?.kind === 'map' && !fieldOf(document.root, 'hooks'))
    for (const one of (await import('./misspelt-hooks.ts')).misspeltHooks(document.root, source)) said.add(one);
  return {
    hooks: toldApart(loaded.hooks),
    diagnostics: withoutEmpty([...said]),
    files: [file, ...reader.files()],
    switches: loaded.switches ?? [],
  };
}

/**
 * Gives hooks of one file different names: the first keeps the name that was made for it, others get their event, and then a number. Names that
 * their author wrote stay.
 */
function toldApart(hooks: readonly Hook[]): readonly Hook[] {
  const taken = new Set(hooks.flatMap(({ name, formerName }) => (formerName === undefined ? [name] : [])));
  return hooks.map((hook) => {
    if (hook.formerName === undefined) return hook;
    let name = hook.name;
    const longer = hook.name.includes(hook.event) ? hook.name : `${hook.name}-${hook.event}`;
    if (taken.has(name)) name = longer;
    for (let count = 2; taken.has(name); count++) name = `${longer}-${count}`;
    taken.add(name);
    return name === hook.name ? hook : { ...hook, name };
  });
}

function isProse(kind: SourceFile['kind']): boolean {
  return kind === 'skill' || kind === 'subagent';
}

/** A loader that misses something in an empty file says more than that the file is empty. */
function withoutEmpty(said: readonly Diagnostic[]): readonly Diagnostic[] {
  return said.filter(({ code, file }) => code !== EMPTY_FILE || !said.some((other) => other.code !== EMPTY_FILE && other.file === file));
}

/** A file as it was read. `text` is absent if it could not be. */
interface Opened {
  readonly document: Document;
  readonly text?: string;
}

/** A thousand plain files are read without a turn of the event loop, because only promises are awaited. */
function openDocument(
  { file, format, missing }: SourceFile,
  parsers: Fetched['parsers'],
): Opened | undefined | Promise<Opened | undefined> {
  const start = { line: 1, column: 1 };
  if (missing !== undefined) return { document: { file: missing, root: { kind: 'map', at: start, entries: [] }, diagnostics: [] } };
  const read = readText(file);
  if (read === undefined) return undefined;
  if ('problem' in read) return { document: { file, diagnostics: [read.problem] } };
  const { text } = read;
  const parse = parsers.get(format);
  const parsed = parse
    ? parse(file, text)
    : loadFormat(format).then((loaded) => {
        parsers.set(format, loaded);
        return loaded(file, text);
      });
  return parsed instanceof Promise ? parsed.then((document) => ({ document, text })) : { document: parsed, text };
}

/** A diagnostic about a file that is missing is about the file that stands for it. */
function atExisting({ file, missing }: SourceFile): (diagnostic: Diagnostic) => Diagnostic {
  return (diagnostic) => (missing !== undefined && diagnostic.file === missing ? { ...diagnostic, file } : diagnostic);
}

/** Returns the source as the dialect reads it for which there is evidence in the file, else as it was given. */
async function settleClaim(
  given: SourceFile,
  { evidence, ...claimant }: Claim,
  checkPattern: LoadContext['checkPattern'],
  { parsers }: Fetched,
): Promise<{ readonly source: SourceFile; readonly evidence?: Evidence }> {
  const claimed: SourceFile = { ...given, ...claimant, others: [given.dialect.id, ...without(given.others, claimant.dialect.id)] };
  const { document } = (await openDocument(claimed, parsers)) ?? {};
  if (!document) return { source: given };
  const find = await evidence();
  const found = await loadDocument(
    (context) => find(document, context, given.dialect),
    claimed,
    folderReader(given.folder, parsers),
    checkPattern,
  );
  return found ? { source: claimed, evidence: found } : { source: given };
}

function without(ids: readonly string[] = [], id: string): readonly string[] {
  return ids.filter((one) => one !== id);
}

/** The code of the note on how a file was read. */
export const READ_AS = 'read-as';

/** Tells how a file was read that several dialects can read, and why. */
function sayReading(
  { file, dialect, entries, because }: SourceFile,
  others: readonly string[],
  evidence: Evidence | undefined,
): Diagnostic {
  const what =
    entries === undefined
      ? 'Read'
      : entries === 'groups'
        ? 'Groups under PascalCase names are read'
        : 'Entries other than groups under PascalCase names are read';
  const why = evidence?.what ?? (because === undefined ? 'its place belongs to that format' : `${because} says so`);
  const place = evidence ? { file: evidence.file, line: evidence.at.line, column: evidence.at.column } : { file };
  const could = others.map((id) => `\`${id}\``).join(', ');
  return {
    severity: 'info',
    code: READ_AS,
    ...place,
    message: `${what} as \`${dialect.id}\`, because ${why}. It could be read as ${could} too.`,
    hint: 'To choose, name the place in `readAs` of your settings, or give `--as`.',
  };
}

/** Calls the loader again if it asked for a file or a server that was not read yet. This is safe because loaders are pure. */
async function loadDocument<T>(
  load: (context: LoadContext) => T,
  source: SourceFile,
  reader: FolderReader,
  checkPattern: LoadContext['checkPattern'],
  places?: ServerPlaces,
): Promise<T> {
  const { scope, folder, folderName, idPrefix, dialect, trusted } = source;
  const { servers } = dialect.profile.load;
  const found = new Map<string, FoundServer | undefined>();
  const toolServer = (name: string) => (found.has(name) ? found : found.set(name, undefined)).get(name);
  const own = { scope, folder, folderName, idPrefix, checkPattern, read: reader.read, stat: reader.stat };
  const context: LoadContext = servers && places ? { ...own, toolServer } : own;
  for (;;) {
    const loaded = load(context);
    const wanted = [...found].flatMap(([name, server]) => (server ? [] : [name]));
    if (!reader.isWaiting() && wanted.length === 0) return loaded;
    await reader.settle();
    if (servers && places)
      for (const name of wanted) found.set(name, await (await import('./tool-servers.ts')).findServer(name, servers, places, trusted));
  }
}

function guarded(load: LoadFile, document: Document, context: LoadContext): Loaded {
  try {
    return load(document, context);
  } catch (error) {
    // A part of Hookline is missing, so no file can be read. It is not a problem of this one.
    if (error instanceof HooklineError) throw error;
    const message = `Hookline failed on this file: ${error instanceof Error ? error.message : String(error)}`;
    const hint = 'This is a bug in Hookline. Report it together with the file.';
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
    message: `Hook \`${hook.name}\` is not loaded, because ${dialect.title} allows ${limit} hooks and there are more.`,
    hint: 'Remove hooks, or raise `maxHooks`.',
  };
}

/** Reports hooks with the same name. Both are kept, because otherwise a hook could be disabled by reusing its name. */
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
