/** The steps that calls in code of other languages consist of: actions, callbacks and members. */
import type { Flavour } from '../foreign/flavour.ts';
import { REMOTE, UNKNOWN } from '../marks.ts';
import { constantOf, environmentValue, isEnvironment, isHome } from './constants.ts';
import type { Evaluator } from './evaluator.ts';
import { bindEach } from './loops.ts';
import { asText, chain, list, NOTHING, text, textOf, type Value, wordsOf } from './value.ts';

export interface Arguments {
  readonly positional: readonly Value[];
  readonly named: ReadonlyMap<string, Value>;
}

/** Modes in which a file is opened to be changed. */
export const WRITES = /^[rb]?\+?[waxc]|^>|\+/;

export function knownOf(value: Value): string | readonly string[] | undefined {
  if (value.kind === 'list') return value.items.map(asText);
  return textOf(value);
}

export function fromKnown(value: string | readonly string[]): Value {
  return typeof value === 'string' ? text(value) : list(value.map(text));
}

export function runCallback(reader: Evaluator, callback: Value, args: readonly Value[], at = 0): Value {
  if (callback.kind === 'code') {
    if (args.length > 0) bindEach(reader, callback.params, args.length === 1 ? (args[0] ?? NOTHING) : list(args));
    return reader.runFunction(callback, args);
  }
  if (args.length > 0 && (callback.kind === 'chain' || callback.kind === 'bound' || callback.kind === 'method'))
    return reader.call(callback, { positional: args, named: new Map() }, at);
  return NOTHING;
}

export function words(reader: Evaluator, given: readonly string[], at: number, stdin?: string): Value {
  // An unknown program with code is the interpreter itself: `sys.executable`, `process.execPath`.
  const own = given[0] === UNKNOWN && /^-[ce]$/.test(given[1] ?? '') ? OWN[reader.cursor.flavour] : undefined;
  const argv = own === undefined ? given : [own, ...given.slice(1)];
  reader.act({ what: 'words', argv, at, ...(stdin !== undefined && { stdin }) });
  return { kind: 'process', code: argv.map(quote).join(' ') };
}

const OWN: Readonly<Partial<Record<Flavour, string>>> = { python: 'python3', js: 'node', ruby: 'ruby', perl: 'perl', php: 'php' };

export function shell(reader: Evaluator, code: string, at: number): Value {
  reader.act({ what: 'shell', text: code, at });
  return { kind: 'process', code };
}

/** Passes a text to a started program. */
export function feed(reader: Evaluator, { code }: { readonly code: string }, given: Value | undefined, at: number): Value {
  if (given !== undefined && given.kind !== 'unknown')
    reader.act({ what: 'shell', text: `printf '%s\\n' ${quote(asText(given))} | ${code}`, at });
  return NOTHING;
}

/** Returns the open file or program that Perl prints to: `print F "text"`, `print {$f} "text"`. */
export function printedTo({ cursor, names }: Evaluator, at: number): { readonly value: Value; readonly end: number } | undefined {
  const braced = cursor.isSign(at, '{') || cursor.isSign(at, '(') ? 1 : 0;
  const value = cursor.flavour === 'perl' && cursor.isName(at + braced) ? names.get(cursor.text(at + braced)) : undefined;
  const end = at + braced + (cursor.isSign(at, '{') ? 2 : 1);
  return value !== undefined && /^(?:file|process)$/.test(value.kind) && !cursor.isSign(end, ',') ? { value, end } : undefined;
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

export function write(reader: Evaluator, path: string, content: string, at: number, appends: boolean): Value {
  const before = appends ? (reader.world.file(path) ?? '') : '';
  return words(reader, ['tee', path], at, before + content);
}

export function paths(args: Arguments): readonly string[] {
  return args.positional.flatMap((value) => (value.kind === 'dict' ? [] : wordsOf(value)));
}

/** A member of a value: of a module, of the environment, or of an object of the code. */
export function propertyOf(reader: Evaluator, value: Value, name: string, indexed = false): Value {
  if (value.kind === 'dict') return value.entries.get(name) ?? { kind: 'method', on: value, name };
  if (value.kind === 'list') {
    const at = indexed && /^-?\d{1,4}$/.test(name) ? Number(name) : undefined;
    return at === undefined ? { kind: 'method', on: value, name } : (value.items.at(at) ?? NOTHING);
  }
  if (value.kind === 'process') return name === 'stdin' ? value : { kind: 'method', on: value, name };
  if (value.kind === 'chain') {
    if (isEnvironment(value.chain) && (indexed || /^[A-Z_]+$/.test(name))) return environmentValue(name);
    // `Dir["*"]` of Ruby.
    if (indexed && value.chain === 'Dir') return list([text(name.replace(/(?:\/\*\*)+\/\*(?:\.\*)?$/, '/*'))]);
    const whole = `${value.chain}.${name}`;
    if (isHome(whole) && /^(?:pw_dir|homedir|dir)$/.test(name)) return { kind: 'chain', chain: whole };
    // The interpreter itself stays unknown, because its words mostly are.
    const known = /^(?:sys\.executable|process\.exec)/.test(whole) ? undefined : constantOf(whole, reader.cursor.flavour);
    return reader.names.get(whole) ?? known ?? chain(whole);
  }
  if (value.kind === 'text' && indexed) return NOTHING;
  // The name of an entry of a folder, and the body of a response.
  if (
    value.kind === 'text' &&
    (/^(?:name|path|parentPath|full_path|basename)$/.test(name) ||
      (/^(?:body|content|data|text|raw)$/.test(name) && value.text.includes(REMOTE)))
  )
    return value;
  return { kind: 'method', on: value, name };
}
