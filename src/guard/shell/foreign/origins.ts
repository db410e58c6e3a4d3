/** The origins of values in code of another language: what an expression, a text or a file comes from, as far as the code was read. */
import { spend } from '../../limits.ts';
import { secretIn } from '../flow/secret-path.ts';
import type { Ranges } from './ranges.ts';
import { BESIDE, CONNECTS, DECODES, FETCHES, ORIGIN, READS_ADDRESS, READS_FILE, REDUCES, SHELL_WORD, startsProgram } from './sources.ts';
import type { Token } from './tokens.ts';

/** A name is compared with the names of many functions. */
const STEPS_OF_CALL_IN_CODE = 8;
const ADDRESS = /^(https?|ftp):\/\//i;
const CURL = /^\s*(sudo\s+)?(curl|wget)(\s|$)/;

/** The knowledge about the functions of the code. It grows from pass to pass. */
export interface Known {
  readonly returns: Map<string, number>;
  /** The origins of arguments, by function and position. */
  readonly given: Map<string, number>;
  readonly functions: Map<string, readonly string[]>;
}

export class Origins {
  /** The origins of names. */
  readonly origins = new Map<string, number>();
  /** Files with text of an origin, by the name or the literal of their path. */
  readonly files = new Map<string, number>();
  readonly #ranges: Ranges;
  readonly #known: Known;

  constructor(ranges: Ranges, known: Known) {
    this.#ranges = ranges;
    this.#known = known;
  }

  /** Returns the origins of the values in an expression. `payload`: headers do not count, because a credential belongs there. */
  of(from: number, end: number, payload = false): number {
    const ranges = this.#ranges;
    let value = 0;
    for (let at = from; at < end; at++) {
      if (!ranges.spend()) break;
      const token = ranges.tokens[at];
      if (token === undefined) break;
      const inner = at > from ? ranges.functionAt(at) : undefined;
      if (inner) {
        at = inner.end - 1;
        continue;
      }
      if (token.kind === 'string' && ADDRESS.test(token.text)) value |= ORIGIN.address;
      if (token.kind === 'string' && token.open) value |= this.inText(token);
      if (token.kind === 'shell') value |= this.inText(token) | (CURL.test(token.text) ? ORIGIN.remote : 0);
      if (token.kind !== 'name' || ranges.isMember(at)) continue;
      const chain = ranges.chainFrom(at);
      const last = ranges.tokens[chain.end - 1]?.text ?? '';
      const opens = ranges.isSign(chain.end, '(') || ranges.spokenAt(chain.end - 1);
      if (/^(headers|auth|cookies|cert|verify)$/.test(token.text) && (ranges.isSign(at + 1, '=') || ranges.isSign(at + 1, ':'))) {
        at = ranges.expressionEnd(at + 2, true) - 1;
        continue;
      }
      if (opens && REDUCES.test(chain.text) && !payload) {
        at = ranges.closingOf(chain.end) ?? chain.end;
        continue;
      }
      value |= this.#ofChain(chain, opens, last);
      if (chain.end > at + 1) at = chain.end - 1;
    }
    return value;
  }

  #ofChain({ text, end }: { readonly text: string; readonly end: number }, called: boolean, last: string): number {
    // A name alone is looked up, and a call is compared with many others.
    spend(called ? STEPS_OF_CALL_IN_CODE : 1 / 4);
    const ranges = this.#ranges;
    const [first = ''] = text.split('.');
    const own = this.origins.get(first) ?? 0;
    const beside = text !== first && BESIDE.test(text.split('.')[1] ?? '');
    let value = beside ? 0 : own;
    if (!called) return value;
    value |= this.#known.returns.get(text) ?? 0;
    if (FETCHES.test(text) && !this.#known.functions.has(text)) value |= ORIGIN.remote;
    if (CONNECTS.test(text)) value |= ORIGIN.socket | ORIGIN.remote;
    if (DECODES.test(text)) value |= ORIGIN.decoded;
    const args = ranges.argumentsAt(end - 1);
    if (text === 'Buffer.from' && args[1] && /^(base64|base64url|hex)$/.test(this.text(args[1][0]))) value |= ORIGIN.decoded;
    if (READS_ADDRESS.test(text) && args[0] && this.of(...args[0]) & ORIGIN.address) value |= ORIGIN.remote;
    if (ranges.flavour === 'perl' && text === 'get' && ranges.has('LWP')) value |= ORIGIN.remote;
    if (READS_FILE.test(text)) {
      for (const [from, to] of args.slice(0, 2)) value |= this.ofFile(from, to) | (this.#namesKey(from, to) ? ORIGIN.secret : 0);
    }
    if (startsProgram(text, ranges.flavour, (word) => ranges.imports(word))) {
      const words = args.flatMap(([from, to]) => ranges.tokens.slice(from, to)).find(({ kind }) => kind === 'string')?.text ?? '';
      if (CURL.test(words)) value |= ORIGIN.remote;
      if (SHELL_WORD.test(words.trim().split(/\s+/)[0] ?? '') && /spawn|Popen|popen|exec/.test(last)) value |= ORIGIN.shell;
    }
    return value;
  }

  /** Returns whether an expression names a private key or a file of credentials. */
  #namesKey(from: number, end: number): boolean {
    const texts = this.#ranges.tokens
      .slice(from, end)
      .flatMap(({ kind, text }) => (kind === 'string' ? [text.replace(/^[$#]?\{[^}]*\}/, '~')] : []));
    const joined = texts.join('/').replace(/\/{2,}/g, '/');
    return [...texts, joined, `~/${joined.replace(/^~?\//, '')}`].some((path) => /^(key|credential|folder)$/.test(secretIn(path) ?? ''));
  }

  /** Returns the origins of the values that a text interpolates. */
  inText({ text }: Token): number {
    let value = 0;
    for (const [, braced, plain] of text.matchAll(/[$#]?\{\s*(?:await\s+)?\$?([A-Za-z_]\w*)[^}]{0,200}\}|\$([A-Za-z_]\w*)/g)) {
      const name = braced ?? plain ?? '';
      value |= (this.origins.get(name) ?? this.origins.get(`$${name}`) ?? 0) & ~ORIGIN.shell;
    }
    return value;
  }
  /** Returns the origins of the file that an expression names or reads. */
  ofFile(from: number, end: number): number {
    let value = 0;
    for (let at = from; at < end && this.#ranges.spend(); at++) {
      const token = this.#ranges.tokens[at];
      if (token?.kind !== 'sign') value |= this.files.get(token?.text ?? '') ?? 0;
    }
    return value;
  }

  set(name: string, value: number): void {
    if (value === 0) this.origins.delete(name);
    else this.origins.set(name, value);
  }

  text(at: number): string {
    const token = this.#ranges.tokens[at];
    return token?.kind === 'string' ? token.text : '';
  }
}
