/** The tokens of code in another language, with the questions that a reader of expressions asks about them. */
import { spend } from '../../limits.ts';
import type { Flavour } from '../foreign/flavour.ts';
import type { FunctionRange } from '../foreign/functions.ts';
import { Ranges } from '../foreign/ranges.ts';
import { type Token, tokensOf } from '../foreign/tokens.ts';

const PAIRS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

export class Cursor {
  readonly tokens: readonly Token[];
  readonly flavour: Flavour;
  readonly code: string;
  readonly #closings: ReadonlyMap<number, number>;
  readonly #ranges: Ranges;

  constructor(written: string, flavour: Flavour) {
    // The mark of PHP is no part of the code.
    const code = flavour === 'php' ? written.replace(/<\?(?:php\b|=)?|\?>/g, (mark) => ' '.repeat(mark.length)) : written;
    this.code = code;
    this.flavour = flavour;
    this.tokens = tokensOf(code, flavour);
    spend(this.tokens.length / 4);
    this.#closings = closingsOf(this.tokens);
    this.#ranges = new Ranges(this.tokens, flavour, code);
  }

  get length(): number {
    return this.tokens.length;
  }

  text(at: number): string {
    return this.tokens[at]?.text ?? '';
  }

  kind(at: number): Token['kind'] | undefined {
    return this.tokens[at]?.kind;
  }

  isSign(at: number, text: string): boolean {
    const token = this.tokens[at];
    return token !== undefined && token.kind === 'sign' && token.text === text;
  }

  /** Returns whether signs follow each other without a gap. */
  areSigns(at: number, signs: string): boolean {
    for (let i = 0; i < signs.length; i++) {
      if (!this.isSign(at + i, signs[i] ?? '') || (i > 0 && this.tokens[at + i - 1]?.end !== this.tokens[at + i]?.at)) return false;
    }
    return true;
  }

  isName(at: number, text?: string): boolean {
    const token = this.tokens[at];
    return token?.kind === 'name' && (text === undefined || token.text === text);
  }

  /** Returns whether a line ends before the token. */
  startsLine(at: number): boolean {
    const [before, token] = [this.tokens[at - 1], this.tokens[at]];
    return before === undefined || token === undefined || this.code.slice(before.end, token.at).includes('\n');
  }

  touches(at: number): boolean {
    return this.tokens[at - 1]?.end === this.tokens[at]?.at;
  }

  /** Returns the bracket that closes the one at `open`, or the end of the code. */
  closing(open: number): number {
    return this.#closings.get(open) ?? this.tokens.length;
  }

  functionAt(at: number): FunctionRange | undefined {
    return this.#ranges.functionAt(at);
  }

  /** Returns the end of an expression. */
  expressionEnd(at: number): number {
    return this.#ranges.expressionEnd(at, true);
  }

  /** Returns the `end` of a block of Ruby that starts at `from`. */
  endOfBlock(from: number, most: number): number {
    let depth = 1;
    for (let at = from; at < most; at++) {
      if (this.kind(at) !== 'name') continue;
      const word = this.text(at);
      if (word === 'end' && --depth === 0) return at;
      if (/^(?:do|def|begin|case|class|module)$/.test(word) || (/^(?:if|unless|while|until)$/.test(word) && this.startsLine(at))) depth++;
    }
    return most;
  }
}

function closingsOf(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closings = new Map<number, number>();
  const open: number[] = [];
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind !== 'sign') continue;
    if (Object.hasOwn(PAIRS, text)) open.push(at);
    else if (text === ')' || text === ']' || text === '}') {
      for (let begin = open.pop(); begin !== undefined; begin = open.pop()) {
        if (PAIRS[tokens[begin]?.text ?? ''] === text) {
          closings.set(begin, at);
          break;
        }
      }
    }
  }
  return closings;
}
