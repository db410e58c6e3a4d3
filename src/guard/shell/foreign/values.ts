/**
 * The literal values of expressions in other languages: literals, names with a known value, and texts joined from both. Every other value
 * is undefined. Work is counted, so that no code takes long.
 */
import { atMost, leaveOut } from '../../limits.ts';
import type { Flavour } from './flavour.ts';
import { characters, interpolate, joinedText, type KnownValue, method, oneText, resultOf } from './text.ts';
import type { Token } from './tokens.ts';

const MOST_STEPS = 400_000;
const MOST_TOKENS_OF_VALUE = 20_000;
const MOST_ARGUMENTS = 1024;
const MOST_DEPTH = 100;
const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);

export class Values {
  readonly tokens: readonly Token[];
  readonly flavour: Flavour;
  readonly values = new Map<string, KnownValue>();
  #steps = 0;

  constructor(tokens: readonly Token[], flavour: Flavour) {
    this.tokens = tokens;
    this.flavour = flavour;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Whether the work limit is reached. The rest of the code is then skipped. */
  get spent(): boolean {
    return this.#steps >= MOST_STEPS;
  }

  text(at: number): string {
    return this.tokens[at]?.text ?? '';
  }

  isSign(at: number, text: string): boolean {
    const token = this.tokens[at];
    return token?.kind === 'sign' && token.text === text;
  }

  /** Returns whether a dot selects a member. In some languages it joins texts instead. */
  #isMember(at: number): boolean {
    return this.isSign(at, '.') && this.tokens[at + 1]?.kind === 'name' && this.flavour !== 'perl' && this.flavour !== 'php';
  }

  /** Returns the names in `a.b.c`, `A::B` or `a->b`. */
  chainFrom(at: number): { readonly text: string; readonly end: number } {
    if (this.tokens[at]?.kind !== 'name') return { text: '', end: at };
    const names = [this.text(at)];
    let end = at + 1;
    for (;;) {
      const step = this.#isMember(end)
        ? 1
        : (this.isSign(end, ':') && this.isSign(end + 1, ':')) || (this.isSign(end, '-') && this.isSign(end + 1, '>'))
          ? 2
          : 0;
      if (step === 0 || this.tokens[end + step]?.kind !== 'name') break;
      names.push(this.text(end + step));
      end += step + 1;
    }
    return { text: names.join('.'), end };
  }

  /** Returns the text that ends at `at`: a literal, a known name, or a call in brackets with a known first argument. */
  before(at: number, depth = 0): string | undefined {
    const token = this.tokens[at];
    if (token?.kind === 'string') return token.text;
    if (token?.kind === 'name') return oneText(this.values.get(token.text));
    if (!this.isSign(at, ')')) return undefined;
    let open = 0;
    for (let back = at; back >= 0 && at - back < MOST_TOKENS_OF_VALUE; back--) {
      this.#steps++;
      if (this.isSign(back, ')')) open++;
      else if (this.isSign(back, '(') && --open === 0) return oneText(this.#bracketed(back, depth));
    }
    return undefined;
  }

  #bracketed(open: number, depth: number): KnownValue {
    if (this.tokens[open - 1]?.kind !== 'name') return this.#grouped(open, 0).value;
    const on = depth < 4 && this.isSign(open - 2, '.') ? this.before(open - 3, depth + 1) : undefined;
    return (on === undefined ? undefined : method(this.text(open - 1), on, this.list(open, 0).values)) ?? this.#called(open, 0).value;
  }

  /** Returns arguments without brackets, up to the end of the statement. */
  row(at: number): readonly KnownValue[] {
    const values: KnownValue[] = [];
    for (let from = at; values.length <= MOST_ARGUMENTS; ) {
      const { value, end } = this.value(from, 0);
      values.push(value);
      if (!this.isSign(end, ',')) break;
      from = end + 1;
    }
    return atMost(values, MOST_ARGUMENTS, 'the arguments of a call');
  }

  /** Returns the values between brackets. */
  list(open: number, depth: number): { readonly values: readonly KnownValue[]; readonly end: number } {
    const values: KnownValue[] = [];
    let at = open + 1;
    const most = Math.min(this.tokens.length, open + MOST_TOKENS_OF_VALUE);
    while (at < most && !(this.tokens[at]?.kind === 'sign' && CLOSING.has(this.text(at)))) {
      const { value, end } = this.value(at, depth + 1);
      values.push(value);
      at = this.#skip(end);
      if (this.isSign(at, ',')) at++;
    }
    return { values, end: at + 1 };
  }

  /** Returns the position of the next comma or closing bracket on this level. */
  #skip(from: number): number {
    let open = 0;
    for (let at = from; at < this.tokens.length && at - from < MOST_TOKENS_OF_VALUE; at++) {
      this.#steps++;
      const token = this.tokens[at];
      if (token?.kind !== 'sign') continue;
      if (open === 0 && (token.text === ',' || CLOSING.has(token.text))) return at;
      if (OPENING.has(token.text)) open++;
      else if (CLOSING.has(token.text)) open--;
    }
    return from + MOST_TOKENS_OF_VALUE;
  }

  /** Evaluates an expression: terms joined by `+`, `.`, `..` or by their position next to each other. */
  value(at: number, depth: number): { readonly value: KnownValue; readonly end: number } {
    let { value, end } = this.#term(at, depth);
    while (end < this.tokens.length) {
      this.#steps++;
      const dots = this.isSign(end, '.') && this.isSign(end + 1, '.');
      const joins = this.isSign(end, '+') || this.isSign(end, '/') || (this.isSign(end, '.') && !this.#isMember(end)) || dots;
      const beside = this.tokens[end]?.kind === 'string' && typeof value === 'string';
      if (!joins && !beside) break;
      const more = this.#term(end + (beside ? 0 : dots ? 2 : 1), depth);
      const between = this.isSign(end, '/') ? '/' : '';
      value = joinedText(value, more.value, between);
      if (more.end <= end) break;
      end = more.end;
    }
    return { value, end };
  }

  #term(at: number, depth: number): { readonly value: KnownValue; readonly end: number } {
    this.#steps++;
    const token = this.tokens[at];
    if (depth > MOST_DEPTH) leaveOut(`the brackets of a program are nested deeper than ${MOST_DEPTH} levels`);
    if (token === undefined || depth > MOST_DEPTH || this.#steps > MOST_STEPS) return { value: undefined, end: at + 1 };
    let value: KnownValue;
    let end = at + 1;
    if (token.kind === 'string') value = interpolate(token, this.flavour, (name) => this.values.get(name) ?? this.values.get(`$${name}`));
    else if (this.isSign(at, '(')) ({ value, end } = this.#grouped(at, depth));
    else if (this.isSign(at, '[')) {
      const list = this.list(at, depth);
      value = list.values.every((item) => typeof item === 'string') ? list.values.map((item) => oneText(item) ?? '') : undefined;
      end = list.end;
    } else if (this.isSign(at, '{')) end = this.list(at, depth).end;
    else if (token.kind === 'name') {
      if (/^(new|await|my|our|local|const|let|var)$/.test(token.text)) return this.#term(at + 1, depth + 1);
      const chain = this.chainFrom(at);
      end = chain.end;
      if (this.isSign(end, '(')) ({ value, end } = this.#called(end, depth));
      else value = this.#named(chain.text);
    }
    return this.#methods(value, end, depth);
  }

  #grouped(at: number, depth: number): { readonly value: KnownValue; readonly end: number } {
    const { values, end } = this.list(at, depth);
    return { value: values.length === 1 ? values[0] : undefined, end };
  }

  /** Evaluates methods after a value, for example `.decode()` and `.join(x)`. */
  #methods(first: KnownValue, from: number, depth: number): { readonly value: KnownValue; readonly end: number } {
    let value = first;
    let end = from;
    while (this.#isMember(end)) {
      this.#steps++;
      const name = this.text(end + 1);
      const called = this.isSign(end + 2, '(');
      const { values, end: after } = called ? this.list(end + 2, depth) : { values: [], end: end + 2 };
      value = method(name, value, values);
      end = after;
    }
    return { value, end };
  }

  #named(chain: string): KnownValue {
    if (/\b(HOME|homedir)$/.test(chain)) return '~';
    if (/\bXDG_STATE_HOME$/.test(chain)) return '~/.local/state';
    if (/\bXDG_CONFIG_HOME$/.test(chain)) return '~/.config';
    if (chain === 'process.execPath' || chain === 'sys.executable') return chain === 'sys.executable' ? 'python3' : 'node';
    return this.values.get(chain);
  }

  /** Returns the value of the call with its bracket at `open`, and the position after it. */
  #called(open: number, depth: number): { readonly value: KnownValue; readonly end: number } {
    const name = this.text(open - 1);
    const { values, end } = this.list(open, depth);
    return { value: /^(fromCharCode|fromCodePoint|chr)$/.test(name) ? this.#characters(open) : resultOf(name, values), end };
  }

  #characters(open: number): string {
    const close = this.tokens.findIndex(({ text }, at) => at > open && text === ')');
    return characters(this.tokens.slice(open + 1, close).map(({ text }) => text));
  }
}
