/** The statements of other languages that bind names: imports, assignments, loops, functions. Everything else is read as an expression. */
import type { Cursor } from './cursor.ts';
import type { Evaluator } from './evaluator.ts';
import { paramsIn, withRest } from './functions.ts';
import { bindEach, runEach } from './loops.ts';
import { destructured } from './patterns.ts';
import { chain, joined, list, NOTHING, text, textOf, type Value } from './value.ts';

const MOST_NAMES = 64;
/** Words that are skipped, because the statement behind them counts. */
const SKIPPED =
  /^(?:const|let|var|my|our|local|export|default|public|static|final|else|do|begin|try|then|finally|async|await|global|nonlocal|end|BEGIN|END|pass|val|mut|rescue|ensure)$/;

/** Runs the statement at a token and returns the position after it. */
export function runStatement(reader: Evaluator, at: number, end: number): number {
  const { cursor } = reader;
  if (cursor.kind(at) === 'sign' && /^[;{}(),:\]]$/.test(cursor.text(at)) && !startsExpression(reader, at))
    return destructured(reader, at, end) ?? at + 1;
  if (!cursor.isName(at)) return destructured(reader, at, end) ?? expressionAndTail(reader, at, end);
  const word = cursor.text(at);
  if (SKIPPED.test(word)) return at + 1;
  const defined = definition(reader, at, word, end);
  if (defined !== undefined) return defined;
  if (word === 'import' && !cursor.isSign(at + 1, '(')) return imported(reader, at, end);
  if (word === 'from' && cursor.flavour === 'python') return importedFrom(reader, at, end);
  if (word === 'use' || word === 'using' || word === 'package' || (word === 'open' && cursor.flavour === 'other'))
    return endOfStatement(reader, at, end);
  if (word === 'for' || word === 'foreach') return loop(reader, at, end);
  if (/^(?:if|unless|elif|elsif|while|until|when|case|continue|next|break)$/.test(word)) return condition(reader, at, end);
  if (word === 'with' || word === 'using') return opened(reader, at, end);
  return assigned(reader, at, end) ?? expressionAndTail(reader, at, end);
}

/** An expression, and a condition or a loop after it as in Ruby and Perl: `unlink $_ for glob "x/*"`. */
function expressionAndTail(reader: Evaluator, at: number, end: number): number {
  const { cursor } = reader;
  if (/^(?:perl|ruby)$/.test(cursor.flavour)) {
    for (let tail = at + 1; tail < end && !cursor.isSign(tail, ';') && !cursor.isSign(tail, '{') && !cursor.startsLine(tail); tail++) {
      if (!/^(?:for|foreach)$/.test(cursor.text(tail)) || !cursor.isName(tail)) continue;
      const value = reader.expression(tail + 1, end, 0);
      reader.bind('$_', elementOf(value.value));
      break;
    }
  }
  const { value, end: after } = reader.expression(at, end, 0);
  reader.last = value;
  return after;
}

function startsExpression(reader: Evaluator, at: number): boolean {
  return reader.cursor.isSign(at, '(');
}

function definition(reader: Evaluator, at: number, word: string, end: number): number | undefined {
  const { cursor } = reader;
  if (!/^(?:def|function|sub|fn|func|defp|fun)$/.test(word) || !cursor.isName(at + 1)) return undefined;
  for (let body = at + 2; body < Math.min(end, at + 60); body++) {
    const found = cursor.functionAt(body);
    if (found === undefined) {
      if (word === 'sub' && cursor.isSign(body, '{')) {
        reader.names.set(cursor.text(at + 1), { kind: 'code', params: [], from: body + 1, end: cursor.closing(body) });
        return cursor.closing(body) + 1;
      }
      continue;
    }
    const from = cursor.isSign(body, '{') || cursor.isSign(body, ':') ? body + 1 : body;
    const takesApart = cursor.flavour === 'js' && cursor.isSign(at + 2, '(') && cursor.isSign(at + 3, '{');
    const params = takesApart ? paramsIn(cursor, at + 2, cursor.closing(at + 2)) : withRest(cursor, at + 2, found.params);
    reader.names.set(cursor.text(at + 1), { kind: 'code', params, from, end: Math.min(found.end, end) });
    return found.end;
  }
  return undefined;
}

/** `import a.b as c, d`, `import x, { y as z } from 'm'`, `import * as m from 'm'`. */
function imported(reader: Evaluator, at: number, end: number): number {
  const { cursor } = reader;
  if (cursor.flavour === 'python') {
    let next = at + 1;
    while (next < end && cursor.isName(next)) {
      const { name, end: after } = dotted(reader, next);
      const renamed = cursor.isName(after, 'as') ? cursor.text(after + 1) : undefined;
      // `import a.b` binds `a`.
      if (renamed !== undefined) reader.bind(renamed, chain(name));
      else reader.bind(name.split('.')[0] ?? name, chain(name.split('.')[0] ?? name));
      next = renamed === undefined ? after : after + 2;
      if (!cursor.isSign(next, ',')) break;
      next++;
    }
    return Math.max(next, at + 1);
  }
  let from = at + 1;
  while (from < Math.min(end, at + MOST_NAMES) && cursor.kind(from) !== 'string') from++;
  const module = moduleName(cursor.text(from));
  // A module at an address is fetched and run.
  if (/^https?:/i.test(cursor.text(from)))
    reader.act({ what: 'words', argv: ['deno', 'run', cursor.text(from)], at: cursor.tokens[at]?.at ?? 0 });
  for (let name = at + 1; name < from; name++) {
    if (!cursor.isName(name) || /^(?:as|from|type)$/.test(cursor.text(name))) continue;
    const whole = cursor.isSign(name - 1, '*') || name === at + 1 || cursor.isName(name - 1, 'as');
    if (cursor.isName(name - 1, 'as')) continue;
    const renamed = cursor.isName(name + 1, 'as') ? cursor.text(name + 2) : undefined;
    reader.bind(renamed ?? cursor.text(name), chain(whole ? module : `${module}.${cursor.text(name)}`));
  }
  // `* as m`.
  for (let star = at + 1; star < from; star++)
    if (cursor.isSign(star, '*') && cursor.isName(star + 1, 'as')) reader.bind(cursor.text(star + 2), chain(module));
  return from + 1;
}

/** `from m import a as b, c`. */
function importedFrom(reader: Evaluator, at: number, end: number): number {
  const { cursor } = reader;
  const { name: module, end: after } = dotted(reader, at + 1);
  if (!cursor.isName(after, 'import')) return at + 1;
  let next = after + 1;
  while (next < end) {
    if (cursor.isSign(next, '(') || cursor.isSign(next, ',') || cursor.isSign(next, ')')) next++;
    else if (cursor.isName(next) && (!cursor.startsLine(next) || cursor.isSign(next - 1, ',') || cursor.isSign(next - 1, '('))) {
      const name = cursor.text(next);
      const renamed = cursor.isName(next + 1, 'as') ? cursor.text(next + 2) : undefined;
      reader.bind(renamed ?? name, chain(`${module}.${name}`));
      next += renamed === undefined ? 1 : 3;
    } else break;
  }
  return next;
}

function dotted(reader: Evaluator, at: number): { readonly name: string; readonly end: number } {
  let name = reader.cursor.text(at);
  let end = at + 1;
  while (reader.cursor.isSign(end, '.') && reader.cursor.isName(end + 1)) {
    name += `.${reader.cursor.text(end + 1)}`;
    end += 2;
  }
  return { name, end };
}

/** Returns the name of a module of Node without its prefix and its variant. */
export function moduleName(written: string): string {
  return written
    .replace(/^(?:node|npm|jsr):/, '')
    .replace(/^fs\/promises$|^graceful-fs$/, 'fs')
    .replace(/^(@?[^@]+)@[^/]*$/, '$1');
}

function loop(reader: Evaluator, at: number, end: number): number {
  const { cursor } = reader;
  const names: string[] = [];
  let next = at + 1;
  let source: Value | undefined;
  for (; next < Math.min(end, at + 40); next++) {
    const word = cursor.text(next);
    if (cursor.isName(next) && /^(?:in|of)$/.test(word)) {
      ({ value: source, end: next } = reader.expression(next + 1, end, 0));
      break;
    }
    if (cursor.isName(next) && word === 'as') {
      for (next++; next < end && !cursor.isSign(next, ')'); next++) if (cursor.isName(next)) names.push(cursor.text(next));
      break;
    }
    if (cursor.isName(next) && !/^(?:const|let|var|my|our|await)$/.test(word)) names.push(word);
    // `foreach (list as $x)` and `for my $x (list)`.
    if (cursor.isSign(next, '(') && (cursor.flavour === 'perl' || cursor.flavour === 'php')) {
      const result = reader.expression(next + (cursor.flavour === 'php' ? 1 : 0), end, 0);
      source = result.value;
      if (cursor.flavour === 'perl') {
        next = result.end;
        break;
      }
      names.length = 0;
      next = result.end - 1;
    }
    if (cursor.isSign(next, ';') || cursor.isSign(next, '{')) break;
  }
  const bound = names.length === 0 && cursor.flavour === 'perl' ? ['$_'] : names;
  const after = runEach(reader, bound, source, at, next, end);
  if (after !== undefined) return Math.max(after, at + 1);
  bindEach(reader, bound, elementOf(source ?? NOTHING));
  return Math.max(next, at + 1);
}

/** Returns what a loop over a value binds. Several elements that are all files are one pattern. */
export function elementOf(value: Value): Value {
  if (value.kind === 'file') return NOTHING;
  if (value.kind !== 'list') return value.kind === 'text' ? value : NOTHING;
  const [first, ...rest] = value.items;
  if (first === undefined) return NOTHING;
  // Of several texts, one that can be a path of the system or a command counts.
  const texts = value.items.filter((item) => textOf(item) !== undefined);
  return rest.length === 0 ? first : (texts.find((item) => /^(?:~|\/(?!tmp\/))|^\S+\s+\S/.test(textOf(item) ?? '')) ?? texts[0] ?? first);
}

/** Words of a condition that asks whether something is a file or a folder. */
const KIND =
  /^(?:is_?(?:file|dir|directory|dot|symlink|link|junction|blockdevice|fifo|socket)\w*|l?exists?(?:Sync)?|file|directory|symlink)\??$/i;
/** Words that can stand next to them. */
const AROUND =
  /^(?:and|or|not|if|unless|os|path|fs|File|FileTest|Dir|pathlib|Path|join|l?stat(?:Sync)?|follow_symlinks|False|True|false|true)$/;

/** A condition on a file that a loop has found selects some of the files. The name of such a file is unknown from there on. */
function condition(reader: Evaluator, at: number, end: number): number {
  const { cursor } = reader;
  const { end: after } = reader.expression(at + 1, end, 0);
  const last = Math.max(after, at + 1);
  let asked = last;
  // Words such as `and` of Perl continue the condition.
  if (/^(?:and|or|xor|eq|ne)$/.test(cursor.text(last))) while (asked < end && !/^[:{;]$/.test(cursor.text(asked))) asked++;
  if (asksKind(reader, at + 1, asked)) return last;
  for (let name = at + 1; name < Math.min(end, last + 40) && (name < last || !/^[:{;]$/.test(cursor.text(name))); name++) {
    if (!cursor.isName(name) || !reader.looped.has(cursor.text(name))) continue;
    const value = textOf(reader.looped.get(cursor.text(name))) ?? '';
    reader.bind(cursor.text(name), text(value.replace(/\*$/, '\uE000')));
  }
  return last;
}

/** Returns whether a condition asks for nothing but the kind of a file, so that every file of a folder can still be meant. */
export function asksKind({ cursor, names }: Evaluator, from: number, end: number): boolean {
  let asks = false;
  for (let at = from; at < end; at++) {
    const word = cursor.text(at);
    if (
      cursor.kind(at) === 'string'
        ? !/^[$#]/.test(word)
        : cursor.kind(at) !== 'name' && (cursor.kind(at) !== 'sign' || (/^[<>=~]$/.test(word) && !joins(cursor, at)))
    )
      return false;
    if (cursor.kind(at) !== 'name') continue;
    // `-f` of Perl.
    const isKind = KIND.test(word) || (cursor.flavour === 'perl' && /^[edfl]$/.test(word) && cursor.isSign(at - 1, '-'));
    if (!isKind && !AROUND.test(word) && !names.has(word)) return false;
    asks ||= isKind;
  }
  return asks;
}

/** Returns whether a sign is part of `->`, or gives the option of a question: `is_dir(follow_symlinks=False)`. */
function joins(cursor: Cursor, at: number): boolean {
  return cursor.areSigns(at - 1, '->') || cursor.isName(at - 1, 'follow_symlinks');
}

/** `with open(path) as f:`. */
function opened(reader: Evaluator, at: number, end: number): number {
  const { value, end: after } = reader.expression(at + 1, end, 0);
  if (reader.cursor.isName(after, 'as')) {
    reader.bind(reader.cursor.text(after + 1), value);
    return after + 2;
  }
  return Math.max(after, at + 1);
}

/** `a = b = value`, `a.b += value`, `a, b = values`. */
function assigned(reader: Evaluator, at: number, end: number): number | undefined {
  const { cursor } = reader;
  const names = [cursor.text(at)];
  let next = at + 1;
  while (cursor.isSign(next, ',') && cursor.isName(next + 1) && /^(?:python|ruby|lua|other)$/.test(cursor.flavour)) {
    names.push(cursor.text(next + 1));
    next += 2;
  }
  // A type: `const a: string = …`.
  if (cursor.isSign(next, ':') && cursor.isName(next + 1) && cursor.isSign(next + 2, '=') && /^(?:js|python)$/.test(cursor.flavour))
    next += 2;
  const sign = ['||=', '<<', '+=', '.=', ':=', '='].find((one) => cursor.areSigns(next, one));
  if (sign === undefined || (sign === '=' && (cursor.areSigns(next, '==') || cursor.areSigns(next, '=>') || cursor.areSigns(next, '=~'))))
    return undefined;
  const { value, end: after } = reader.expression(next + sign.length, end, 0);
  const tuple = trailing(reader, value, after, end, names.length);
  for (const [i, name] of names.entries()) {
    const own = names.length === 1 ? value : (tuple[i] ?? NOTHING);
    const adds = sign === '+=' || sign === '.=' || sign === '<<';
    reader.bind(name, adds ? joined(reader.valueOf(name), own) : own);
    // A path that is made of the name of a file in a loop.
    if (reader.looped.size > 0 && /\*$/.test(textOf(own) ?? '')) reader.looped.set(name, own);
  }
  return Math.max(after, next + 1);
}

function trailing(reader: Evaluator, value: Value, from: number, end: number, wanted: number): readonly Value[] {
  if (value.kind === 'list' && wanted > 1) return value.items;
  const values = [value];
  for (let at = from; values.length < wanted && reader.cursor.isSign(at, ','); ) {
    const result = reader.expression(at + 1, end, 0);
    values.push(result.value);
    at = result.end;
  }
  return values;
}

function endOfStatement(reader: Evaluator, at: number, end: number): number {
  let next = at + 1;
  while (next < end && !reader.cursor.isSign(next, ';') && !reader.cursor.startsLine(next)) next++;
  return next;
}

/** Returns the elements that a function is called with for each element of a value. */
export function elementsOf(value: Value): readonly Value[] {
  if (value.kind === 'list') return value.items.slice(0, 32);
  return value.kind === 'unknown' ? [NOTHING] : [value];
}

export function pathsBelow(folder: string): Value {
  return list([text(`${folder.replace(/\/+$/, '') || (folder.startsWith('/') ? '' : '.')}/*`)]);
}
