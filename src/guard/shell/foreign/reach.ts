/**
 * Follows values in code of another language from where they come from to where they act: text from the network that is run, secrets that
 * are sent, connections that become the input of a shell. A value is followed through assignments, interpolation, callbacks, files and the
 * functions of the same code, in the order of the text. Comments and strings are not code. The work is bounded, and nothing runs.
 */

import { type Counted, counted, leaveOut, recall, STEPS_OF_FILE } from '../../limits.ts';
import type { Flavour } from './flavour.ts';
import { type Known, Origins } from './origins.ts';
import { Ranges } from './ranges.ts';
import {
  CONNECTS,
  DECODES,
  EVALUATES,
  FETCHES,
  INTERPRETER_WORD,
  LOADS,
  ORIGIN,
  SENDS,
  SENDS_ON,
  SHELL_WORD,
  startsProgram,
  WRITES_FILE,
} from './sources.ts';
import { type Token, tokensOf } from './tokens.ts';

/** A statement in which a value acts. */
export interface Reached {
  /** `run`: text runs as code. `send`: a secret leaves the machine. `shell`: a shell gets a connection as its input or output. */
  readonly what: 'run' | 'send' | 'shell';
  readonly origin: 'remote' | 'decoded' | 'secret' | 'socket';
  /** Position of the statement in the code. */
  readonly at: number;
}

const MOST_PASSES = 3;

/** The results for tokens that were followed before. */
const followed = new WeakMap<readonly Token[], Counted<readonly Reached[]>>();

export function reachedIn(code: string, flavour: Flavour): readonly Reached[] {
  const tokens = tokensOf(code, flavour);
  const known = followed.get(tokens);
  if (known) return recall(known);
  const reached = counted(STEPS_OF_FILE, () => follow(tokens, flavour, code));
  followed.set(tokens, reached);
  for (const what of reached.left) leaveOut(what);
  return reached.value;
}

function follow(tokens: readonly Token[], flavour: Flavour, code: string): readonly Reached[] {
  const known: Known = { returns: new Map(), given: new Map(), functions: new Map() };
  let found: readonly Reached[] = [];
  const ranges = new Ranges(tokens, flavour, code);
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const before = known.returns.size + known.given.size;
    const walk = new Walk(ranges, known);
    walk.run();
    found = walk.found;
    if (known.returns.size + known.given.size === before) break;
  }
  return found;
}

/**
 * Returns the origin of code that a short text probably runs: it fetches or decodes, and it evaluates something that is not a literal. The
 * flow between the two is not known.
 */
export function unfollowed(code: string, flavour: Flavour): 'remote' | 'decoded' | undefined {
  const ranges = new Ranges(tokensOf(code, flavour), flavour, code);
  const chains = ranges.tokens.flatMap((token, at) => (token.kind === 'name' ? (ranges.chainEndingAt(at)?.text ?? []) : []));
  const evaluates = EVALUATES[flavour] ?? EVALUATES['other'];
  const runs = ranges.tokens.some((token, at) => {
    const chain = token.kind === 'name' ? ranges.chainEndingAt(at)?.text : undefined;
    if (chain === undefined || !(evaluates?.test(chain) || /^(compile|__import__|instance_eval|Function)$/.test(chain))) return false;
    return ranges.argumentsAt(at).some(([from, end]) => ranges.tokens.slice(from, end).some(({ kind }) => kind === 'name'));
  });
  if (!runs) return undefined;
  if (chains.some((chain) => FETCHES.test(chain) || CONNECTS.test(chain)) || /\bcurl_exec\b|\bLWP::|open-uri/.test(code)) return 'remote';
  return chains.some((chain) => DECODES.test(chain)) ? 'decoded' : undefined;
}

interface Frame {
  readonly end: number;
  readonly name: string;
  /** The values of names that belong to the function, as they were outside. */
  readonly outer: Map<string, number | undefined>;
}

class Walk {
  readonly found: Reached[] = [];
  readonly #ranges: Ranges;
  readonly #known: Known;
  readonly #values: Origins;
  /** Open files, by the name of the handle. */
  readonly #handles = new Map<string, string>();
  readonly #frames: Frame[] = [];
  /** Origins of the parameters of functions that start at a token: callbacks of a call on a value. */
  readonly #callbacks = new Map<number, number>();

  constructor(ranges: Ranges, known: Known) {
    this.#ranges = ranges;
    this.#known = known;
    this.#values = new Origins(ranges, known);
  }

  run(): void {
    const { tokens } = this.#ranges;
    for (let at = 0; at < tokens.length && this.#ranges.spend(); at++) {
      this.#leave(at);
      this.#enter(at);
      const token = tokens[at];
      if (token?.kind === 'shell') this.#shellText(at);
      if (token?.kind === 'sign') {
        this.#assign(at);
        const value = this.#ranges.isSign(at, '|') ? this.#blockValue(at) : 0;
        if (value !== 0) for (const name of this.#ranges.blockAt(at)) this.#values.set(name, value);
      }
      if (token?.kind !== 'name') continue;
      this.#assign(at);
      if (token.text === 'return') this.#return(at);
      this.#call(at);
    }
  }

  #leave(at: number): void {
    for (let frame = this.#frames.at(-1); frame && frame.end <= at; frame = this.#frames.at(-1)) {
      this.#frames.pop();
      for (const [name, value] of frame.outer) this.#values.set(name, value ?? 0);
    }
  }

  #enter(at: number): void {
    const entered = this.#ranges.functionAt(at);
    if (entered === undefined) return;
    const { name, params, end, expression } = entered;
    const outer = new Map(params.map((param) => [param, this.#values.origins.get(param)]));
    this.#frames.push({ end, name, outer });
    if (name !== '') this.#known.functions.set(name, params);
    const passed = this.#callbacks.get(at) ?? 0;
    for (const [i, param] of params.entries()) this.#values.set(param, passed | (this.#known.given.get(`${name} ${i}`) ?? 0));
    // `x => value` returns its value.
    if (expression !== undefined && name !== '') this.#note(this.#known.returns, name, this.#values.of(expression, end));
  }

  #assign(at: number): void {
    const ranges = this.#ranges;
    const assigned = ranges.assignmentAt(at);
    if (assigned === undefined) return;
    const { names, from, end, adds, declares } = assigned;
    const value = this.#values.of(from, end);
    const frame = this.#frames.at(-1);
    for (const name of names) {
      if (frame && (declares || ranges.flavour === 'python') && !frame.outer.has(name))
        frame.outer.set(name, this.#values.origins.get(name));
      this.#values.set(name, adds ? value | (this.#values.origins.get(name) ?? 0) : value);
      const path = this.#openedFor(from, end);
      if (path === undefined) this.#handles.delete(name);
      else this.#handles.set(name, path);
    }
  }

  #blockValue(at: number): number {
    return this.#ranges.blockAt(at).length === 0 ? 0 : this.#values.of(this.#ranges.statementStart(at - 1), at - 1);
  }

  #note(map: Map<string, number>, key: string, value: number): void {
    if (value !== 0) map.set(key, (map.get(key) ?? 0) | value);
  }

  #return(at: number): void {
    const frame = this.#frames.findLast(({ name }) => name !== '');
    if (frame) this.#note(this.#known.returns, frame.name, this.#values.of(at + 1, this.#ranges.expressionEnd(at + 1)));
  }

  /** Returns the path that an expression opens for writing. */
  #openedFor(from: number, end: number): string | undefined {
    const { tokens } = this.#ranges;
    for (let at = from; at < end && this.#ranges.spend(); at++) {
      if (tokens[at]?.kind !== 'name' || !/^(open|openSync|fopen|createWriteStream)$/.test(tokens[at]?.text ?? '')) continue;
      const args = this.#ranges.argumentsAt(at);
      const writes =
        /^create/.test(tokens[at]?.text ?? '') || args.slice(1).some(([first]) => /^[wax][bt+]*$/.test(this.#values.text(first)));
      if (writes && args[0]) return this.#key(args[0][0]);
    }
    return undefined;
  }

  /** Returns what stands for a path: its literal text, or the name that holds it. */
  #key(at: number): string {
    return this.#ranges.tokens[at]?.text ?? '';
  }

  #shellText(at: number): void {
    const token = this.#ranges.tokens[at];
    if (token === undefined) return;
    const inner = this.#values.inText(token);
    const only = token.text.trim().replace(/^[$#]?\{?\$?\w+\}?$/, '') === '' || /^\s*\S*sh\s+-c\s/.test(token.text);
    if (inner !== 0 && only) this.#reach('run', inner, at);
    else this.#runsFile(token.text.trim().split(/\s+/), at);
  }

  #call(at: number): void {
    const ranges = this.#ranges;
    const chain = ranges.chainEndingAt(at);
    if (chain === undefined) return;
    const args = ranges.argumentsAt(at);
    const start = chain.start;
    const { text } = chain;
    const name = text.slice(text.lastIndexOf('.') + 1);
    if (args.length === 0 && !ranges.isPiped(at)) return;
    const flavour = ranges.flavour;
    this.#passCallbacks(at, start, args);
    const own = this.#known.functions.get(text);
    if (own) for (const [i, [from, end]] of args.entries()) this.#note(this.#known.given, `${text} ${i}`, this.#values.of(from, end));
    if ((EVALUATES[flavour] ?? EVALUATES['other'])?.test(text)) this.#evaluates(start, at, args);
    else if (startsProgram(text, flavour, (word) => ranges.imports(word))) this.#starts(start, args);
    if (LOADS.test(text)) for (const [from, end] of args) this.#loads(from, end, start);
    // A dynamic import of an address or of a data address runs its argument itself.
    if (text === 'import' && flavour === 'js') {
      const value = args.reduce((all, [from, end]) => all | this.#values.of(from, end), 0);
      this.#reach('run', value & ORIGIN.address ? ORIGIN.remote : value, start);
    }
    this.#writes(text, name, start, args);
    this.#sends(text, name, start, args);
    if (/^(dup2|reopen)$/.test(name) && args.some(([from, end]) => this.#values.of(from, end) & ORIGIN.socket) && ranges.startsShell())
      this.#reach('shell', ORIGIN.socket, start);
    if (name === 'pipe' && ranges.startsShell()) {
      const values = this.#values.of(start, at) | args.reduce((all, [from, end]) => all | this.#values.of(from, end), 0);
      if (values & ORIGIN.socket && values & ORIGIN.shell) this.#reach('shell', ORIGIN.socket, start);
    }
  }

  /** The parameters of functions in the arguments of a call on a value receive this value: `fetch(x).then((text) => …)`. */
  #passCallbacks(at: number, start: number, args: readonly (readonly [number, number])[]): void {
    const value = this.#values.of(this.#ranges.statementStart(start), at + 1) & ~ORIGIN.shell;
    if (value === 0) return;
    for (const [from, end] of args) {
      for (let inner = from; inner < end && this.#ranges.spend(); inner++)
        if (this.#ranges.functionAt(inner)) this.#callbacks.set(inner, value);
    }
  }

  #evaluates(start: number, at: number, args: readonly (readonly [number, number])[]): void {
    let value = args.reduce((all, [from, end]) => all | this.#values.of(from, end) | this.#values.ofFile(from, end), 0);
    // In PowerShell the text also arrives by a pipe.
    if (this.#ranges.isPiped(at)) value |= this.#values.of(this.#ranges.statementStart(start), at);
    this.#reach('run', value, start);
  }

  #starts(start: number, args: readonly (readonly [number, number])[]): void {
    const { tokens } = this.#ranges;
    const [first] = args;
    if (first === undefined) return;
    const whole: readonly [number, number] = [first[0], args.at(-1)?.[1] ?? first[1]];
    const words = tokens.slice(...whole).flatMap(({ kind, text }) => (kind === 'string' ? text.trim().split(/\s+/) : []));
    const all = this.#values.of(...whole);
    const alone = this.#ranges.isPlain(first[0], first[1]) ? this.#values.of(...first) : 0;
    if (alone !== 0) this.#reach('run', alone & ~ORIGIN.socket, start);
    const [program = ''] = words;
    const isInterpreted = INTERPRETER_WORD.test(program);
    const input = tokens.slice(...whole).some(({ kind, text }) => kind === 'name' && /^(input|stdin_data)$/.test(text));
    if (isInterpreted) this.#reach('run', this.#codeArgument(...whole) & ~ORIGIN.socket, start);
    if (SHELL_WORD.test(program) && input) this.#reach('run', all & ~ORIGIN.socket, start);
    const wired = args.slice(1).reduce((sum, [from, end]) => sum | this.#values.of(from, end), 0);
    if (wired & ORIGIN.socket && SHELL_WORD.test(program)) this.#reach('shell', ORIGIN.socket, start);
    const named = tokens
      .slice(...whole)
      .flatMap(({ kind, text, open }) =>
        kind === 'string' && !open ? text.trim().split(/\s+/) : kind === 'string' ? this.#holes(text) : kind === 'name' ? [text] : [],
      );
    this.#runsFile(named, start);
  }

  /** Returns the origins of the word after `-c` or `-e`, or of the text around it. */
  #codeArgument(from: number, end: number): number {
    const { tokens } = this.#ranges;
    for (let at = from; at < end; at++) {
      const token = tokens[at];
      if (token?.kind !== 'string') continue;
      if (/^(-\w*[ce]|\/c)$/i.test(token.text.trim())) return this.#values.of(at + 2, this.#ranges.expressionEnd(at + 2, true));
      if (/\s-\w*[ce]\s*(["']|$)/.test(token.text)) return this.#values.of(from, end);
    }
    return 0;
  }

  /** A started program runs a file if the file is the program, or the first operand of an interpreter. */
  #runsFile(words: readonly string[], at: number): void {
    const names = words.filter((word) => !/^(sys|executable|process|execPath|str|String)$/.test(word));
    const interpreted = INTERPRETER_WORD.test(names[0] ?? '') || /^(sudo|exec|nohup|env)$/.test(names[0] ?? '');
    const file = interpreted ? names.slice(1).find((word) => !word.startsWith('-')) : names[0];
    const value = file === undefined ? 0 : (this.#values.files.get(file) ?? 0);
    if (value !== 0) this.#reach('run', value, at);
  }

  #holes(text: string): readonly string[] {
    return text
      .trim()
      .replace(/[$#]?\{\s*([$\w]+)[^}]*\}/g, ' $1 ')
      .split(/\s+/)
      .filter(Boolean);
  }

  #loads(from: number, end: number, start: number): void {
    const value = this.#values.ofFile(from, end);
    if (value !== 0) this.#reach('run', value, start);
  }

  #writes(chain: string, name: string, start: number, args: readonly (readonly [number, number])[]): void {
    const [first, second] = args;
    if (first && second && WRITES_FILE.test(chain)) this.#note(this.#values.files, this.#key(first[0]), this.#values.of(...second));
    if (first && second && /(^|\.)(urlretrieve|getstore)$/.test(chain)) this.#note(this.#values.files, this.#key(second[0]), ORIGIN.remote);
    const object = this.#ranges.tokens[start]?.text ?? '';
    const handle = this.#handles.get(object);
    if (first && handle !== undefined && /^(write|writelines|puts|print|end|fwrite)$/.test(name))
      this.#note(this.#values.files, handle, this.#values.of(...first));
    // `Path(p).write_text(text)` and `open(p, 'w').write(text)`.
    if (first && /^(write|write_text|write_bytes)$/.test(name)) {
      const opened = this.#ranges.openedBefore(start);
      if (opened !== undefined) this.#note(this.#values.files, this.#key(opened), this.#values.of(...first));
      else if (chain.includes('.')) this.#note(this.#values.files, object, this.#values.of(...first));
    }
  }

  #sends(chain: string, name: string, start: number, args: readonly (readonly [number, number])[]): void {
    const onClient =
      SENDS_ON.test(name) &&
      chain.includes('.') &&
      ((this.#values.origins.get(chain.split('.')[0] ?? '') ?? 0) & (ORIGIN.socket | ORIGIN.remote)) !== 0;
    if (!onClient && !SENDS.test(chain)) return;
    if (args.some(([from, end]) => this.#values.of(from, end, true) & ORIGIN.secret)) this.#reach('send', ORIGIN.secret, start);
  }

  #reach(what: Reached['what'], value: number, token: number): void {
    const at = this.#ranges.tokens[token]?.at ?? 0;
    const origin =
      what === 'shell'
        ? 'socket'
        : what === 'send'
          ? 'secret'
          : value & (ORIGIN.remote | ORIGIN.socket)
            ? 'remote'
            : value & ORIGIN.decoded
              ? 'decoded'
              : undefined;
    if (origin !== undefined && !this.found.some((one) => one.at === at && one.what === what)) this.found.push({ what, origin, at });
  }
}
