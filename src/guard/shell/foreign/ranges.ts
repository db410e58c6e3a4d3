/**
 * The structure of code in another language, as far as it can be read from its tokens: brackets, calls with their arguments, assignments,
 * functions with their parameters, and the ends of expressions. It is a reading and not a grammar: unusual code is read as less than it is.
 */
import { leaveOut, spend } from '../../limits.ts';
import type { Flavour } from './flavour.ts';
import { type FunctionRange, functionsIn } from './functions.ts';
import { SHELL_WORD } from './sources.ts';
import type { Token } from './tokens.ts';

export type Range = readonly [from: number, end: number];

interface Assignment {
  readonly names: readonly string[];
  readonly from: number;
  readonly end: number;
  /** Whether the old value stays a part of the new one. */
  readonly adds: boolean;
  readonly declares: boolean;
}

const MOST_STEPS = 2_000_000;
const OPEN = '([{';
const CLOSE = ')]}';
const CONTINUES = /^[.?:+\-*/%|&,)\]}=<>]$/;
const DECLARES = /^(const|let|var|my|our|local|auto)$/;
const SPOKEN: ReadonlySet<Flavour> = new Set(['ruby', 'perl', 'php', 'powershell', 'lua', 'other']);
const SPOKEN_CALLS =
  /^(eval|system|exec|spawn|load|require|require_relative|require_once|include|include_once|do|open|print|puts|instance_eval|iex|invoke-expression|iwr|irm|invoke-webrequest|invoke-restmethod|return)$/i;

export class Ranges {
  readonly tokens: readonly Token[];
  readonly flavour: Flavour;
  readonly #matching = new Map<number, number>();
  readonly #functions: ReadonlyMap<number, FunctionRange>;
  readonly #opens = new Map<number, number>();
  readonly #lineOf: readonly number[];
  /** The column of the first token in the line of each token. */
  readonly #columnOf: readonly number[];
  readonly #imported: ReadonlySet<string>;
  #startsShell: boolean | undefined;
  #steps = 0;

  constructor(tokens: readonly Token[], flavour: Flavour, code: string) {
    this.tokens = tokens;
    this.flavour = flavour;
    const lines: number[] = [];
    const columns: number[] = [];
    let [line, start, from] = [1, 0, 0];
    for (const { at } of tokens) {
      for (let next = code.indexOf('\n', from); next !== -1 && next < at; next = code.indexOf('\n', from)) {
        line++;
        start = from = next + 1;
      }
      columns.push(lines.at(-1) === line ? (columns.at(-1) ?? 0) : at - start);
      lines.push(line);
    }
    this.#lineOf = lines;
    this.#columnOf = columns;
    this.#match();
    this.#imported = this.#importedNames();
    this.#functions = functionsIn(this);
  }

  /** Counts work. When the limit is reached, nothing more is read. */
  spend(steps = 1): boolean {
    spend(steps / 8);
    this.#steps += steps;
    if (this.#steps < MOST_STEPS) return true;
    leaveOut(`the flow of values in a program takes more than ${MOST_STEPS} steps`);
    return false;
  }

  isSign(at: number, text: string): boolean {
    const token = this.tokens[at];
    return token?.kind === 'sign' && token.text === text;
  }

  closingOf(open: number): number | undefined {
    return this.#matching.get(open);
  }

  openingOf(close: number): number | undefined {
    return this.#opens.get(close);
  }

  lineAt(at: number): number | undefined {
    return this.#lineOf[at];
  }

  /** Returns the column of the first token in the line of a token. */
  indentAt(at: number): number {
    return this.#columnOf[at] ?? 0;
  }

  functionAt(at: number): FunctionRange | undefined {
    return this.#functions.get(at);
  }

  /** Whether the code imports a function of this name from the module that starts programs. */
  imports(name: string): boolean {
    return this.#imported.has(name);
  }

  /** Whether a name is a member of the value before it. */
  isMember(at: number): boolean {
    if (this.isSign(at - 1, '.')) return this.flavour !== 'perl' && this.flavour !== 'php';
    return (this.isSign(at - 1, ':') && this.isSign(at - 2, ':')) || (this.isSign(at - 1, '>') && this.isSign(at - 2, '-'));
  }

  /** Returns the names in `a.b.c`, `A::B`, `a->b` or `a?.b`. */
  chainFrom(at: number): { readonly text: string; readonly end: number } {
    const names = [this.nameAt(at)];
    let end = at + 1;
    for (;;) {
      const step = this.#step(end);
      if (step === 0) break;
      names.push(this.nameAt(end + step));
      end += step + 1;
    }
    return { text: names.filter((name) => name !== 'new' || names.length > 1).join('.'), end };
  }

  /** Returns the chain whose last name is at `at`, if it can be a call. */
  chainEndingAt(at: number): { readonly text: string; readonly start: number } | undefined {
    if (this.#step(at + 1) !== 0) return undefined;
    let start = at;
    while (this.isMember(start)) {
      const back = this.isSign(start - 1, '.') ? (this.isSign(start - 2, '?') ? 3 : 2) : 3;
      const before = this.tokens[start - back];
      if (before?.kind !== 'name') {
        // A member of a call or of a literal: `require('child_process').exec`, `/x/.exec`.
        const inner = this.#calledBefore(start - back + 1);
        return { text: `${inner}.${this.nameAt(at)}`, start };
      }
      start -= back;
    }
    return { text: this.chainFrom(start).text, start };
  }

  /** Returns the arguments of the call with its last name at `at`. */
  argumentsAt(at: number): readonly Range[] {
    const open = this.isSign(at + 1, '?') && this.isSign(at + 2, '.') ? at + 3 : at + 1;
    if (this.isSign(open, '(')) {
      const close = this.#matching.get(open);
      return close === undefined ? [] : this.split(open + 1, close);
    }
    return this.spokenAt(at) ? this.split(at + 1, this.expressionEnd(at + 1, false)) : [];
  }

  /** Whether the name at `at` is a call without brackets. */
  spokenAt(at: number): boolean {
    if (!SPOKEN.has(this.flavour) || !SPOKEN_CALLS.test(this.nameAt(at))) return false;
    const next = this.tokens[at + 1];
    if (next === undefined || this.#lineOf[at + 1] !== this.#lineOf[at]) return false;
    return (
      next.kind !== 'sign' ||
      (/^[([\\@$]$/.test(next.text) && this.flavour !== 'other') ||
      (next.text === '-' && this.flavour === 'powershell')
    );
  }

  /** Whether a call gets the values before it by a pipe. */
  isPiped(at: number): boolean {
    return this.flavour === 'powershell' && this.isSign(at - 1, '|');
  }

  /** Returns whether an expression is a value alone, without a literal text around it. */
  isPlain(from: number, end: number): boolean {
    for (let at = from; at < end && this.spend(); at++) {
      const token = this.tokens[at];
      if (token?.kind === 'string') return end === from + 1 && /^[$#]?\{[^{}]*\}$/.test(token.text.trim());
      if (token?.kind !== 'sign' || !OPEN.includes(token.text)) continue;
      // A list of words is a command with its own program.
      if (at === from && token.text !== '(') return false;
      at = this.#matching.get(at) ?? at;
    }
    return true;
  }

  /** Returns the token after an expression: at a separator, a closing bracket or the end of its line. */
  expressionEnd(from: number, atComma = false): number {
    for (let at = from; at < this.tokens.length && this.spend(); at++) {
      const token = this.tokens[at];
      if (token === undefined) break;
      if (at > from && this.#lineOf[at] !== this.#lineOf[at - 1] && !this.#continues(at)) return at;
      if (token.kind !== 'sign') continue;
      if (token.text === ';' || (atComma && token.text === ',') || CLOSE.includes(token.text)) return at;
      if (OPEN.includes(token.text)) at = this.#matching.get(at) ?? at;
    }
    return this.tokens.length;
  }

  /** Returns the first token of the expression that `at` is a part of. */
  statementStart(at: number): number {
    for (let start = at; start > 0 && this.spend(); start--) {
      const token = this.tokens[start - 1];
      if (token?.kind === 'sign') {
        if (';{([,=>'.includes(token.text) && !(token.text === '>' && this.isSign(start - 2, '-'))) return start;
        if (CLOSE.includes(token.text)) {
          const open = this.#opens.get(start - 1);
          if (open === undefined || token.text === '}') return start;
          start = open + 1;
        }
      }
      if (this.#lineOf[start] !== this.#lineOf[start - 1] && !this.#continues(start)) return start;
    }
    return 0;
  }

  assignmentAt(at: number): Assignment | undefined {
    if (this.tokens[at]?.kind === 'sign') return this.#takenApart(at);
    if (this.isMember(at)) return undefined;
    // `with open(p) as f` and `except X as e`.
    if (this.flavour === 'python' && this.nameAt(at) === 'as' && this.tokens[at + 1]?.kind === 'name') {
      const start = this.#withStart(at);
      return start === undefined ? undefined : { names: [this.nameAt(at + 1)], from: start, end: at, adds: false, declares: true };
    }
    let sign = at + 1;
    // The type of a variable: `const text: string = …`.
    if (this.isSign(sign, ':') && !this.isSign(sign + 1, ':') && this.flavour !== 'php') {
      let typed = sign + 1;
      if (this.isSign(typed, '{')) typed = (this.#matching.get(typed) ?? typed) + 1;
      while (typed < sign + 40 && /^[\w.<>[\]|]+$/.test(this.tokens[typed]?.text ?? ' ')) typed++;
      if (this.isSign(typed, '=')) sign = typed;
    }
    const adds = /^[+.|&?*/-]$/.test(this.tokens[sign]?.text ?? '') && this.isSign(sign + 1, '=') && !this.isSign(sign + 2, '=');
    const doubled = this.isSign(sign, '|') && this.isSign(sign + 1, '|') && this.isSign(sign + 2, '=');
    const equals = doubled ? sign + 2 : adds ? sign + 1 : sign;
    if (!this.isSign(equals, '=') || /^[=>~]$/.test(this.tokens[equals + 1]?.text ?? '')) return undefined;
    if (/^[=!<>]$/.test(this.tokens[at + 1]?.text ?? '') && !this.isSign(at + 1, '=')) return undefined;
    const names = [this.nameAt(at), ...this.#namesBefore(at)];
    const from = equals + 1;
    return { names, from, end: this.expressionEnd(from, this.#isArgument(at)), adds: adds || doubled, declares: this.#declares(at) };
  }

  /** `const { data } = …`, `[a, b] = …`, `my ($a) = …`. */
  #takenApart(close: number): Assignment | undefined {
    const open = this.#opens.get(close);
    if (open === undefined || !this.isSign(close + 1, '=') || /^[=>~]$/.test(this.tokens[close + 2]?.text ?? '')) return undefined;
    const isList = this.#declares(open) || this.tokens[open - 1]?.kind !== 'name';
    if (!isList || close - open > 60) return undefined;
    const names = this.tokens.slice(open + 1, close).flatMap(({ kind, text }) => (kind === 'name' ? [text] : []));
    return { names, from: close + 2, end: this.expressionEnd(close + 2), adds: false, declares: this.#declares(open) };
  }

  /** Returns the parameters of a block of Ruby whose first `|` is at `at`. */
  blockAt(at: number): readonly string[] {
    if (this.flavour !== 'ruby' || !this.isSign(at, '|') || !(this.isSign(at - 1, '{') || this.nameAt(at - 1) === 'do')) return [];
    const names: string[] = [];
    for (let next = at + 1; next < at + 12 && !this.isSign(next, '|'); next++) if (this.nameAt(next) !== '') names.push(this.nameAt(next));
    return names;
  }

  has(name: string): boolean {
    return this.tokens.some(({ kind, text }) => kind === 'name' && text === name);
  }

  /** Returns the path in `open(p, 'w')` or `Path(p)` directly before a member. */
  openedBefore(start: number): number | undefined {
    if (!this.isSign(start - 1, '.') || !this.isSign(start - 2, ')')) return undefined;
    const open = this.#opens.get(start - 2);
    return open !== undefined && /^(open|Path|File)$/.test(this.nameAt(open - 1)) ? open + 1 : undefined;
  }

  /** Whether a shell is named as a program anywhere in the code. */
  startsShell(): boolean {
    this.#startsShell ??= this.tokens.some(
      ({ kind, text }) => kind !== 'sign' && kind !== 'name' && SHELL_WORD.test(text.trim().split(/\s+/)[0] ?? ''),
    );
    return this.#startsShell;
  }

  nameAt(at: number): string {
    const token = this.tokens[at];
    return token?.kind === 'name' ? (this.flavour === 'powershell' ? token.text.toLowerCase() : token.text) : '';
  }

  #step(end: number): number {
    const dot = this.isSign(end, '.') && this.flavour !== 'perl' && this.flavour !== 'php';
    const optional = this.isSign(end, '?') && this.isSign(end + 1, '.');
    const double = (this.isSign(end, ':') && this.isSign(end + 1, ':')) || (this.isSign(end, '-') && this.isSign(end + 1, '>'));
    const step = dot ? 1 : optional || double ? 2 : 0;
    return step > 0 && this.tokens[end + step]?.kind === 'name' ? step : 0;
  }

  /** Returns what a call before a member was: `require('child_process')` is `child_process`. */
  #calledBefore(close: number): string {
    const open = this.isSign(close, ')') ? this.#opens.get(close) : undefined;
    if (open === undefined) return '?';
    const name = this.nameAt(open - 1);
    const [first] = this.tokens.slice(open + 1, open + 2);
    if (/^(require|import)$/.test(name) && first?.kind === 'string') return first.text.replace(/^node:/, '');
    return name === '' ? '?' : `${name}()`;
  }

  #match(): void {
    const stack: number[] = [];
    for (const [at, { kind, text }] of this.tokens.entries()) {
      if (kind !== 'sign') continue;
      if (OPEN.includes(text)) stack.push(at);
      else if (CLOSE.includes(text)) {
        const open = stack.at(-1);
        if (open === undefined || OPEN.indexOf(this.tokens[open]?.text ?? '') !== CLOSE.indexOf(text)) continue;
        stack.pop();
        this.#matching.set(open, at);
        this.#opens.set(at, open);
      }
    }
  }

  /** Returns the ranges between commas. */
  split(from: number, end: number): readonly Range[] {
    const ranges: Range[] = [];
    let start = from;
    for (let at = from; at < end && this.spend(); at++) {
      const token = this.tokens[at];
      if (token?.kind !== 'sign') continue;
      if (OPEN.includes(token.text)) at = Math.min(end, this.#matching.get(at) ?? at);
      else if (token.text === ',') {
        ranges.push([start, at]);
        start = at + 1;
      }
    }
    if (start < end) ranges.push([start, end]);
    return ranges;
  }

  #continues(at: number): boolean {
    const token = this.tokens[at];
    if (token?.kind === 'sign' && CONTINUES.test(token.text)) return true;
    const before = this.tokens[at - 1];
    return before?.kind === 'sign' && /^[=+\-*/%|&,.?:\\([{<]$/.test(before.text) && !(before.text === ':' && this.flavour === 'python');
  }

  #declares(at: number): boolean {
    for (let back = at - 1; back >= 0 && at - back < 24; back--) {
      const token = this.tokens[back];
      if (token?.kind === 'name' && DECLARES.test(token.text)) return true;
      if (token?.kind === 'sign' && /^[;)}]$/.test(token.text)) return false;
      if (this.#lineOf[back] !== this.#lineOf[at]) return false;
    }
    return false;
  }

  /** Whether an assignment is a named argument: `run(input=text)`. */
  #isArgument(at: number): boolean {
    return this.isSign(at - 1, '(') || this.isSign(at - 1, ',');
  }

  /** Returns the other names of `a, b = …`. */
  #namesBefore(at: number): readonly string[] {
    const names: string[] = [];
    for (let back = at; this.isSign(back - 1, ',') && this.tokens[back - 2]?.kind === 'name' && names.length < 8; back -= 2) {
      if (this.#lineOf[back - 2] !== this.#lineOf[at]) break;
      names.push(this.nameAt(back - 2));
    }
    return this.#isArgument(at) && this.isSign(at - 1, '(') ? [] : names;
  }

  #withStart(at: number): number | undefined {
    for (let back = at - 1; back >= 0 && at - back < 80; back--) {
      back = this.#opens.get(back) ?? back;
      const name = this.nameAt(back);
      if (name === 'with' || (this.isSign(back, ',') && this.#lineOf[back] === this.#lineOf[at])) return back + 1;
      if (name === 'import' || name === 'except') return undefined;
    }
    return undefined;
  }

  /** Returns the names that the code imports from the module that starts programs. */
  #importedNames(): ReadonlySet<string> {
    const names = new Set<string>();
    for (const [at, token] of this.tokens.entries()) {
      const isModule = /^(node:)?child_process$|^subprocess$|^os$|^asyncio$/.test(token.text) && token.kind !== 'sign';
      if (!isModule) continue;
      const line = this.#lineOf[at];
      // `from subprocess import run` names them after the module, `const { exec } = require('child_process')` before it.
      for (let near = Math.max(0, at - 40); near < at + 40; near++) {
        if (this.nameAt(near) !== '' && (near < at || this.#lineOf[near] === line)) names.add(this.nameAt(near));
      }
    }
    return names;
  }
}
