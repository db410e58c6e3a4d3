/**
 * Reads the expressions of code in another language and works out their values, as far as they are literal. A call whose function is known
 * does what the tables say. Names, imports, lists, members, calls through variables and functions of the code are followed. Every other
 * value is unknown. The work is bounded, and nothing runs.
 */
import { leaveOut, spend } from '../../limits.ts';
import { REMOTE, UNKNOWN } from '../marks.ts';
import { callNamed, callOn } from './calls.ts';
import { comprehended } from './comprehensions.ts';
import { constantOf, isHome } from './constants.ts';
import { Cursor } from './cursor.ts';
import { type Arguments, printedTo, propertyOf } from './doing.ts';
import { blockAt, functionAt } from './functions.ts';
import { interpolated } from './interpolated.ts';
import { combine, operatorAt } from './operators.ts';
import { bindMembers } from './patterns.ts';
import { runStatement } from './statements.ts';
import { fileGlobAt, isSpoken, keyAt, memberAt, nextElement, SPOKEN, sliceAt, sliced } from './syntax.ts';
import { type Action, asText, chain, list, NOTHING, spread, text, textOf, type Value } from './value.ts';

const MOST_STEPS = 60_000;
const [MOST_DEPTH, MOST_CALLS, MOST_LEVELS] = [40, 24, 2];
/** Words that stand before a value and do not change it. */
const PREFIX =
  /^(?:new|await|async|not|typeof|void|yield|return|delete|throw|my|our|local|const|let|var|raise|else|then|begin|try|ensure)$/;
/** Those that are no function even if a bracket follows. */
const BEFORE_BRACKETS = /^(?:await|async|return|yield|throw)$/;
/** Words of some languages that print the value behind them. */
const PRINTS = /^(?:print|printf|println|echo|puts|say|p|pp|die)$/;

/** The surroundings of the code, and its actions so far. */
export interface World {
  readonly actions: Action[];
  /** Returns the content of a file that the analysed text has written. */
  readonly file: (path: string) => string | undefined;
  readonly stdin: string;
  steps: number;
  depth: number;
}

export interface Result {
  readonly value: Value;
  readonly end: number;
}

export class Evaluator {
  readonly cursor: Cursor;
  readonly world: World;
  readonly names: Map<string, Value>;
  /** Names that a loop binds to each file of a folder. */
  readonly looped: Map<string, Value>;
  /** The value of the last statement. */
  last: Value = NOTHING;
  /** Bodies that were run, because functions without a call are run at the end. */
  readonly ran = new Set<number>();

  /** The arguments with which each body is being run. */
  readonly #running = new Map<number, readonly (readonly Value[])[]>();
  /** Bodies that were run with unknown arguments. */
  readonly #widened = new Set<number>();

  constructor(cursor: Cursor, world: World, names = new Map<string, Value>(), looped = new Map<string, Value>()) {
    this.cursor = cursor;
    this.world = world;
    this.names = names;
    this.looped = looped;
  }

  /** Counts a step. When the limit is reached, the rest of the code is not read. */
  step(): boolean {
    spend(1 / 4);
    if (++this.world.steps < MOST_STEPS) return true;
    leaveOut(`a program takes more than ${MOST_STEPS} steps to follow`);
    return false;
  }

  run(from: number, end: number): void {
    for (let at = from; at < end && this.step(); ) {
      const next = runStatement(this, at, end);
      at = next > at ? next : at + 1;
    }
  }

  /** Runs code of the same language that the code evaluates. */
  evaluateCode(code: string): void {
    this.deeper(() => {
      const inner = new Evaluator(new Cursor(code, this.cursor.flavour), this.world, this.names);
      inner.run(0, inner.cursor.length);
    });
  }

  deeper<T>(body: () => T): T | undefined {
    if (this.world.depth >= MOST_CALLS) {
      leaveOut(`functions of a program call each other more than ${MOST_CALLS} levels deep`);
      return undefined;
    }
    this.world.depth++;
    try {
      return body();
    } finally {
      this.world.depth--;
    }
  }

  /** Runs a function of the code with these arguments. */
  runFunction(code: Value & { kind: 'code' }, written: readonly Value[]): Value {
    this.ran.add(code.from);
    const outer = this.#running.get(code.from) ?? [];
    const level = outer.length;
    // A function that calls itself runs twice with its values, and once with unknown ones, which stand for all that follow.
    if (level > MOST_LEVELS || (level === MOST_LEVELS && this.#widened.has(code.from))) return NOTHING;
    if (level === MOST_LEVELS) this.#widened.add(code.from);
    const args = level === MOST_LEVELS ? written.map((arg, i) => widened(arg, outer.at(-1)?.[i])) : written;
    this.#running.set(code.from, [...outer, args]);
    const before = code.params.map((param) => [param, this.names.get(param)] as const);
    for (const [i, param] of code.params.entries()) this.bind(param, param.startsWith('.') ? list(args.slice(i)) : (args[i] ?? NOTHING));
    if (args[0] !== undefined) for (const implicit of ['$_', 'it', '_1']) this.names.set(implicit, args[0]);
    if (code.params.length === 0 && args.length > 0) this.names.set('@_', list(args));
    this.last = NOTHING;
    this.deeper(() => this.run(code.from, code.end));
    const result = this.last;
    this.#running.set(code.from, outer);
    for (const [param, value] of before) if (value !== undefined) this.names.set(param, value);
    return result;
  }

  bind(name: string, value: Value): void {
    if (/^[{.]/.test(name)) bindMembers(this, name, value);
    else this.names.set(name, value);
    this.looped.delete(name);
  }

  /** Evaluates an expression that ends before `end`. */
  expression(at: number, end: number, depth: number): Result {
    let { value, end: next } = this.#unary(at, end, depth);
    while (next < end && this.step()) {
      const operator = operatorAt(this.cursor, next);
      if (operator === undefined) break;
      const right = this.#unary(next + operator.length, end, depth);
      value = combine(value, operator.sign, right.value);
      next = Math.max(right.end, next + operator.length);
    }
    return { value, end: next };
  }

  #unary(at: number, end: number, depth: number): Result {
    const { cursor } = this;
    if (at >= end || depth > MOST_DEPTH || !this.step()) {
      if (depth > MOST_DEPTH) leaveOut(`the brackets of a program are nested deeper than ${MOST_DEPTH} levels`);
      return { value: NOTHING, end: at };
    }
    const printed =
      PRINTS.test(cursor.text(at)) && /^(?:ruby|perl|php|awk|other)$/.test(cursor.flavour) && !this.names.has(cursor.text(at));
    const handle = printed ? printedTo(this, at + 1) : undefined;
    if (handle !== undefined) {
      const { values, end: after } = this.#spoken(handle.end, end, depth);
      return { value: callOn(this, handle.value, 'print', values, cursor.tokens[at]?.at ?? 0), end: after };
    }
    const prefix = cursor.isName(at) && (printed || PREFIX.test(cursor.text(at))) && !cursor.isSign(at + 1, '=');
    if (prefix && (BEFORE_BRACKETS.test(cursor.text(at)) || !cursor.isSign(at + 1, '('))) return this.#unary(at + 1, end, depth);
    // A row of signs is one step, however long: comments have such rows.
    let value = at;
    while (value < end && isPrefixSign(cursor, value) && this.step()) value++;
    if (value > at) return this.#unary(value, end, depth + 1);
    if (cursor.kind(at) === 'sign' && /^[)\]};,]$/.test(cursor.text(at))) return { value: NOTHING, end: at };
    const first = this.#primary(at, end, depth);
    return this.#postfix(first.value, first.end, end, depth);
  }

  #primary(at: number, end: number, depth: number): Result {
    const { cursor } = this;
    const token = cursor.tokens[at];
    const made = functionAt(this.cursor, at, end);
    if (made !== undefined) return made;
    if (token?.kind === 'string') return { value: this.#string(at), end: at + 1 };
    if (token?.kind === 'pattern') return { value: chain('/'), end: at + 1 };
    if (token?.kind === 'shell') {
      this.act({ what: 'shell', text: this.interpolated(token.text), at: token.at });
      return { value: text(UNKNOWN), end: at + 1 };
    }
    if (cursor.isSign(at, '(')) return this.#group(at, depth);
    if (cursor.isSign(at, '[')) {
      const { values, end: after } = this.values(at, depth);
      return { value: list(values.positional), end: after };
    }
    if (cursor.isSign(at, '{')) return this.#dictionary(at, depth);
    if (cursor.isSign(at, '$') && cursor.code[cursor.tokens[at + 1]?.at ?? -1] === '`') {
      this.act({ what: 'shell', text: this.interpolated(cursor.text(at + 1)), at: token?.at ?? 0 });
      return { value: text(UNKNOWN), end: at + 2 };
    }
    const globbed = fileGlobAt(cursor, at, end);
    if (globbed !== undefined) return { value: list([text(this.interpolated(globbed.pattern))]), end: globbed.end };
    // A symbol of Ruby.
    if (cursor.isSign(at, ':') && cursor.isName(at + 1) && cursor.touches(at + 1)) return { value: text(cursor.text(at + 1)), end: at + 2 };
    if (token?.kind !== 'name') return { value: NOTHING, end: at + 1 };
    if (/^\d/.test(token.text)) return { value: text(token.text), end: at + 1 };
    return { value: this.valueOf(token.text), end: at + 1 };
  }

  valueOf(name: string): Value {
    return this.names.get(name) ?? this.names.get(name.replace(/^[$@%]/, '')) ?? constantOf(name, this.cursor.flavour) ?? chain(name);
  }

  #string(at: number): Value {
    const { cursor } = this;
    const token = cursor.tokens[at];
    const written = cursor.code.slice(token?.at ?? 0, (token?.at ?? 0) + 2);
    const body = token?.open ? this.interpolated(token.text) : (token?.text ?? '');
    return /^(?:qw|%w|%W)/.test(written) ? list(body.trim().split(/\s+/).map(text)) : text(body);
  }

  /** Inserts the values of the expressions in a text. */
  interpolated(body: string): string {
    return interpolated(body, this.cursor.flavour, (code) => this.#inserted(code));
  }

  #inserted(code: string): string {
    const source = this.cursor.flavour === 'python' ? code.replace(/(?:![rsa])?(?::[^:'"]*)?$/, '') : code;
    const done = this.deeper(() => {
      const inner = new Evaluator(new Cursor(source, this.cursor.flavour), this.world, this.names, this.looped);
      return inner.expression(0, inner.cursor.length, 0).value;
    });
    const written = this.names.get(source.trim()) ?? this.names.get(`$${source.trim()}`) ?? done;
    return asText(written);
  }

  #group(open: number, depth: number): Result {
    const { values, end } = this.values(open, depth);
    const { positional, named } = values;
    if (positional.length === 0 && named.size > 0) {
      // `(a => b)` of Perl. Elsewhere it is an assignment: `(name := value)`.
      for (const [name, value] of named) this.bind(name, value);
      return { value: this.cursor.flavour === 'perl' ? { kind: 'dict', entries: named } : ([...named.values()].at(-1) ?? NOTHING), end };
    }
    const last = positional.at(-1);
    const isList = this.cursor.flavour === 'perl' || this.cursor.flavour === 'python';
    return { value: positional.length === 1 || (!isList && last !== undefined) ? (last ?? NOTHING) : list(positional), end };
  }

  /** Reads the values between brackets: positional ones and those with a name. */
  values(open: number, depth: number): { readonly values: Arguments; readonly end: number } {
    const { cursor } = this;
    const close = cursor.closing(open);
    const positional: Value[] = [];
    const named = new Map<string, Value>();
    const each = comprehended(this, open, close, depth);
    if (each !== undefined) return { values: { positional: [each], named }, end: close + 1 };
    for (let at = open + 1; at < close && this.step(); ) {
      const start = at;
      const isOptions = cursor.flavour === 'python' && cursor.areSigns(at, '**');
      const key = keyAt(cursor, at);
      if (key !== undefined) at = key.end;
      while (cursor.areSigns(at, '...') || cursor.areSigns(at, '**')) at += cursor.isSign(at + 2, '.') ? 3 : 2;
      const result = this.expression(at, close, depth + 1);
      if (key !== undefined) named.set(key.name, result.value);
      else if (isOptions && result.value.kind === 'dict') for (const [name, value] of result.value.entries) named.set(name, value);
      else if (result.end > at)
        positional.push(
          ...(cursor.isSign(start, '*') || cursor.areSigns(start, '...') || cursor.text(at).startsWith('@')
            ? spread(result.value)
            : [result.value]),
        );
      at = nextElement(this, Math.max(result.end, start + 1), close);
    }
    return { values: { positional, named }, end: close + 1 };
  }

  #dictionary(open: number, depth: number): Result {
    const { values, end } = this.values(open, depth);
    const entries = new Map(values.named);
    // `{ rmSync }` is a name with its value.
    for (let at = open + 1; at < end - 1; at++) {
      const alone = this.cursor.isName(at) && /^[{,]$/.test(this.cursor.text(at - 1)) && /^[,}]$/.test(this.cursor.text(at + 1));
      if (alone) entries.set(this.cursor.text(at), this.valueOf(this.cursor.text(at)));
    }
    return { value: { kind: 'dict', entries }, end };
  }

  #postfix(first: Value, from: number, end: number, depth: number): Result {
    const { cursor } = this;
    let value = first;
    let at = from;
    while (at < end && this.step()) {
      const member = memberAt(cursor, at);
      if (member !== undefined) {
        value = propertyOf(this, this.#calledBetween(value, cursor.tokens[at]?.at ?? 0), cursor.text(member));
        at = member + 1;
      } else if (
        cursor.isSign(at, '(') &&
        (cursor.touches(at) || cursor.flavour !== 'python') &&
        callable(value) &&
        !cursor.startsLine(at)
      ) {
        const { values, end: after } = this.values(at, depth);
        const block = blockAt(cursor, after, end);
        const given = block === undefined ? values : { ...values, positional: [...values.positional, block.value] };
        value = this.call(value, given, cursor.tokens[from - 1]?.at ?? 0);
        at = block?.end ?? after;
      } else if (cursor.isSign(at, '.') && cursor.isSign(at + 1, '(') && cursor.flavour === 'ruby') {
        const { values, end: after } = this.values(at + 1, depth);
        value = this.call(value, values, cursor.tokens[from - 1]?.at ?? 0);
        at = after;
      } else if (cursor.isSign(at, '[') && sliceAt(cursor, at) !== undefined) {
        [value, at] = [sliced(value, sliceAt(cursor, at) ?? ''), cursor.closing(at) + 1];
      } else if (cursor.isSign(at, '[') && !cursor.startsLine(at)) {
        const { values, end: after } = this.values(at, depth);
        if (value.kind !== 'list' || values.positional.length > 0) value = propertyOf(this, value, asText(values.positional[0]), true);
        at = after;
      } else if (cursor.isSign(at, '{') && cursor.flavour === 'perl' && cursor.touches(at)) {
        [value, at] = [propertyOf(this, value, cursor.text(at + 1), true), cursor.closing(at) + 1];
      } else {
        const block = callable(value) && value.kind !== 'text' ? blockAt(cursor, at, end) : undefined;
        if (block !== undefined) {
          value = this.call(value, { positional: [block.value], named: new Map() }, cursor.tokens[from - 1]?.at ?? 0);
          at = block.end;
        } else if (isSpoken(cursor, value, at, end)) {
          const { values, end: after } = this.#spoken(at, end, depth);
          value = this.call(value, values, cursor.tokens[from - 1]?.at ?? 0);
          at = after;
        } else break;
      }
    }
    return { value: this.#calledBare(value, cursor.tokens[from - 1]?.at ?? 0), end: at };
  }

  /** A method of Ruby without brackets, on whose result another one is called. */
  #calledBetween(value: Value, at: number): Value {
    if (value.kind !== 'method' || this.cursor.flavour !== 'ruby') return value;
    return this.call(value, { positional: [], named: new Map() }, at);
  }

  /** Ruby, Perl and others call a function without brackets and without arguments. */
  #calledBare(value: Value, at: number): Value {
    const { flavour } = this.cursor;
    const none = { positional: [], named: new Map<string, Value>() };
    if (value.kind === 'method' && (flavour === 'ruby' || flavour === 'other')) return this.call(value, none, at);
    if (value.kind !== 'chain' || !SPOKEN.has(flavour)) return value;
    if (isHome(value.chain)) return text('~');
    return flavour === 'perl' && /^(?:unlink|rmdir)$/.test(value.chain) ? this.call(value, none, at) : value;
  }

  #spoken(from: number, end: number, depth: number): { readonly values: Arguments; readonly end: number } {
    const { cursor } = this;
    const positional: Value[] = [];
    const named = new Map<string, Value>();
    // `system { $program } @list` of Perl.
    let at = cursor.flavour === 'perl' && cursor.isSign(from, '{') ? cursor.closing(from) + 1 : from;
    while (at < end && this.step()) {
      const key = keyAt(cursor, at);
      if (key !== undefined && !key.assigns) at = key.end;
      const result = this.expression(at, end, depth + 1);
      if (result.end <= at) break;
      if (key === undefined) positional.push(result.value);
      else named.set(key.name, result.value);
      at = result.end;
      if (!cursor.isSign(at, ',')) break;
      at++;
    }
    return { values: { positional, named }, end: at };
  }

  call(value: Value, args: Arguments, at: number): Value {
    if (value.kind === 'chain') return callNamed(this, value.chain, args, at);
    if (value.kind === 'method') return callOn(this, value.on, value.name, args, at);
    if (value.kind === 'bound') return this.call(value.to, { ...args, positional: [...value.args, ...args.positional] }, at);
    if (value.kind === 'code') return this.runFunction(value, args.positional);
    // PHP and Perl call a function by a text with its name.
    if (value.kind === 'text' && /^(?:php|perl)$/.test(this.cursor.flavour)) return callNamed(this, value.text, args, at);
    for (const argument of args.positional) if (argument.kind === 'code') this.runFunction(argument, []);
    // `response.text` is the body, and so is `response.text()`.
    return value.kind === 'text' && value.text.includes(REMOTE) ? value : NOTHING;
  }

  act(action: Action): void {
    this.world.actions.push(action);
  }
}

/** Returns whether a sign stands before a value and is neither a bracket nor the start of a name or a function. */
function isPrefixSign(cursor: Cursor, at: number): boolean {
  if (cursor.kind(at) !== 'sign' || (cursor.flavour === 'ruby' && cursor.areSigns(at, '->'))) return false;
  return !/^[)\]};,([{$@%<:]$/.test(cursor.text(at));
}

/** A path below that of the call before stays. Every other value can be any. */
function widened(value: Value, before: Value | undefined): Value {
  const path = textOf(before);
  const below = textOf(value) ?? '';
  return path !== undefined && /^\S*\/\S*$/.test(below) && below.startsWith(path) ? value : NOTHING;
}

function callable({ kind }: Value): boolean {
  return kind !== 'list' && kind !== 'dict';
}
