/**
 * What a shell knows at one point of a script: variables (each with the values it may have), functions, arguments, open descriptors,
 * the working directory. A child scope is a subshell: it sees its parent's, and what it sets stays with it.
 */
import type { Function as FunctionNode } from 'unbash';
import { SELF, UNKNOWN } from './marks.ts';

/** One possible value: an array's elements; a plain variable has one. */
export type Value = readonly string[];

const MOST_VALUES = 64;
/** Values that every shell has; home stays symbolic. */
const PRESET: Readonly<Record<string, string>> = {
  IFS: ' ',
  HOME: '~',
  TMPDIR: '/tmp',
  SHELL: '/bin/sh',
  BASH: '/bin/bash',
  PATH: '/usr/local/bin:/usr/bin:/bin',
};

export class Scope {
  readonly #parent: Scope | undefined;
  readonly #variables = new Map<string, readonly Value[]>();
  readonly #functions = new Map<string, FunctionNode>();
  /** What each descriptor leads to: a path, or a pipe's end. */
  fds: ReadonlyMap<number, string>;
  /** Empty: where the script was started. */
  cwd: string;
  /** Positional parameters; undefined if not known. */
  args: readonly string[] | undefined;
  /** The text on standard input. */
  stdin: string;
  /** Above zero: inside a branch that may not run, so an assignment adds a value and does not take the old one's place. */
  maybe = 0;

  constructor(parent?: Scope) {
    this.#parent = parent;
    this.fds = parent?.fds ?? new Map();
    this.cwd = parent?.cwd ?? '';
    this.args = parent?.args;
    this.stdin = parent?.stdin ?? UNKNOWN;
  }

  child(): Scope {
    return new Scope(this);
  }

  /** Undefined if nothing is known: not set here, and the environment may have it. */
  get(name: string): readonly Value[] | undefined {
    return this.#lookup(name) ?? this.#special(name);
  }

  isSet(name: string): boolean {
    return this.#lookup(name) !== undefined || /^[1-9]/.test(name);
  }

  set(name: string, values: readonly Value[]): void {
    const kept = this.maybe > 0 ? [...(this.get(name) ?? []), ...values] : values;
    this.#variables.set(name, kept.slice(-MOST_VALUES));
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
    return own ?? (this.#parent === undefined ? undefined : this.#parent.#lookup(name));
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
