/** Names that the script gives to commands, other than by functions: `alias x=…` and `hash -p path x`. Kept among its variables. */
import type { Function as FunctionNode } from 'unbash';
import { SELF, UNKNOWN } from './marks.ts';

const ALIAS = 'alias ';
const HASHED = 'hash ';
const PATHS = 'hash';

export function setAlias(name: string, code: string, scope: Scope): void {
  scope.set(ALIAS + name, [[code]]);
}

/** The code that `name` stands for. */
export function aliasOf(name: string, scope: Scope): string | undefined {
  return scope.get(ALIAS + name)?.at(-1)?.[0] || undefined;
}

export function setHashed(name: string, path: string, scope: Scope): void {
  scope.set(HASHED + name, [[path]]);
  scope.set(PATHS, [[...(scope.get(PATHS)?.[0] ?? []), name]]);
}

/** The path that the shell would run for `name`. */
export function hashedOf(name: string, scope: Scope): string | undefined {
  return scope.get(HASHED + name)?.at(-1)?.[0] || undefined;
}

export function forget(scope: Scope): void {
  for (const name of scope.get(PATHS)?.[0] ?? []) scope.unset(HASHED + name);
}

/**
 * What a shell knows at one point of a script: variables (each with the values it may have), functions, arguments, open descriptors,
 * the working directory. A child scope is a subshell: it sees its parent's, and what it sets stays with it.
 */

/** One possible value: an array's elements; a plain variable has one. */
export type Value = readonly string[];

/** How values change when they are assigned: to lower or upper case; `r`: not at all. */
export type Attribute = 'l' | 'u' | 'r';

const MOST_VALUES = 64;
const EMPTY: Readonly<Record<string, string>> = {};
/** What a variable holds that is known not to be set. */
const NOTHING: readonly Value[] = [['']];
/** Values that every shell has; home stays symbolic. */
const PRESET: Readonly<Record<string, string>> = {
  IFS: ' \t\n',
  HOME: '~',
  TMPDIR: '/tmp',
  SHELL: '/bin/sh',
  BASH: '/bin/bash',
  PATH: '/usr/local/bin:/usr/bin:/bin',
};

export class Scope {
  readonly #parent: Scope | undefined;
  /** A new environment: what is not set here is not set at all. */
  readonly #bare: boolean;
  readonly #variables = new Map<string, readonly Value[]>();
  readonly #functions = new Map<string, FunctionNode>();
  readonly #exported = new Set<string>();
  readonly #attributes = new Map<string, Attribute>();
  /** What local variables of running functions hide. */
  readonly #frames: Map<string, readonly Value[] | undefined>[] = [];
  /** What each descriptor leads to: a path, or a pipe's end. */
  fds: ReadonlyMap<number, string>;
  /** Empty: where the script was started. */
  cwd: string;
  /** Positional parameters; undefined if not known. */
  args: readonly string[] | undefined;
  /** The text on standard input. */
  stdin: string;
  /** The command before this one in the pipeline. */
  feeder: string;
  /** Above zero: inside a branch that may not run, so an assignment adds a value and does not take the old one's place. */
  maybe = 0;

  constructor(parent?: Scope, bare = false) {
    this.#parent = bare ? undefined : parent;
    this.#bare = bare;
    this.fds = parent?.fds ?? new Map();
    this.cwd = parent?.cwd ?? '';
    this.args = parent?.args;
    this.stdin = parent?.stdin ?? UNKNOWN;
    this.feeder = parent?.feeder ?? '';
  }

  child(): Scope {
    return new Scope(this);
  }

  /** A process that is given an empty environment. */
  bare(): Scope {
    return new Scope(this, true);
  }

  /** Undefined if nothing is known: not set here, and the environment may have it. */
  get(name: string): readonly Value[] | undefined {
    return this.#lookup(name) ?? this.#special(name);
  }

  isSet(name: string): boolean {
    const values = this.#lookup(name);
    return (values !== undefined && values !== NOTHING) || /^[1-9]/.test(name);
  }

  /** Known not to be set. */
  isUnset(name: string): boolean {
    return this.#lookup(name) === NOTHING;
  }

  set(name: string, values: readonly Value[]): void {
    const attribute = this.#attribute(name);
    if (attribute === 'r') return;
    const changed = attribute === undefined ? values : values.map((value) => value.map((text) => recased(text, attribute)));
    const kept = this.maybe > 0 ? [...(this.get(name) ?? []), ...changed] : changed;
    this.#variables.set(name, kept.slice(-MOST_VALUES));
  }

  unset(name: string): void {
    if (this.maybe === 0) this.#variables.set(name, NOTHING);
  }

  mark(name: string, attribute: Attribute): void {
    this.#attributes.set(name, attribute);
  }

  /** Around a function's body: its local variables end with it. */
  enter(): void {
    this.#frames.push(new Map());
  }

  leave(): void {
    for (const [name, values] of this.#frames.pop() ?? []) {
      if (values === undefined) this.#variables.delete(name);
      else this.#variables.set(name, values);
    }
  }

  /** Makes `name` a variable of the running function, if there is one. */
  localise(name: string): void {
    const frame = this.#frames.at(-1);
    if (frame !== undefined && !frame.has(name)) frame.set(name, this.#variables.get(name));
  }

  export(name: string): void {
    this.#exported.add(name);
  }

  /** What the script itself puts into the environment of its commands. A variable that may have several values has one per line. */
  environment(): Readonly<Record<string, string>> {
    const names = this.#exportedNames();
    return names.length === 0 ? EMPTY : Object.fromEntries(names.map((name) => [name, alternatives(this.get(name))]));
  }

  #exportedNames(): readonly string[] {
    const above = this.#parent === undefined ? [] : this.#parent.#exportedNames();
    return this.#exported.size === 0 ? above : [...above, ...this.#exported];
  }

  /** The map is never changed in place: commands that were noted keep the one they had. */
  connect(ends: Iterable<readonly [fd: number, to: string]>): void {
    this.fds = new Map([...this.fds, ...ends]);
  }

  define(name: string, node: FunctionNode): void {
    this.#functions.set(name, node);
  }

  functionNamed(name: string): FunctionNode | undefined {
    return this.#functions.get(name) ?? this.#parent?.functionNamed(name);
  }

  #lookup(name: string): readonly Value[] | undefined {
    const own = this.#variables.get(name);
    if (own !== undefined) return own;
    if (this.#parent !== undefined) return this.#parent.#lookup(name);
    return this.#bare && /^[A-Za-z_]/.test(name) && !Object.hasOwn(PRESET, name) && name !== 'PWD' ? NOTHING : undefined;
  }

  #attribute(name: string): Attribute | undefined {
    const own = this.#attributes.get(name);
    return own ?? (this.#parent === undefined ? undefined : this.#parent.#attribute(name));
  }

  #special(name: string): readonly Value[] | undefined {
    if (name === '@' || name === '*') return this.args && [this.args];
    if (/^[1-9]\d*$/.test(name)) return this.args && [[this.args[Number(name) - 1] ?? '']];
    if (name === '0' || name === 'BASH_SOURCE') return this.#lookup('0') ?? [[SELF]];
    if (name === 'PWD') return [[this.cwd === '' ? '.' : this.cwd]];
    const preset = Object.hasOwn(PRESET, name) ? PRESET[name] : undefined;
    return preset === undefined ? undefined : [[preset]];
  }
}

function recased(text: string, attribute: Attribute): string {
  return attribute === 'l' ? text.toLowerCase() : text.toUpperCase();
}

function alternatives(values: readonly Value[] | undefined): string {
  if (values === undefined || values.length < 2) return values?.[0]?.[0] ?? '';
  return [...new Set(values.map(([text = '']) => text))].join('\n');
}
