/**
 * The state of a shell at one point of a script: variables (each with its possible values), functions, aliases, arguments, open descriptors
 * and the working directory. A child scope is a subshell: it sees the state of its parent, and its own changes stay in it.
 */
import type { Function as FunctionNode } from 'unbash';
import { atMost, spend } from '../limits.ts';
import { SELF, UNKNOWN } from './marks.ts';

/** Prefixes of the variables that hold aliases (`alias x=…`) and hashed paths (`hash -p path x`). */
const ALIAS = 'alias ';
const HASHED = 'hash ';
const PATHS = 'hash';

export function setAlias(name: string, code: string, scope: Scope): void {
  scope.set(ALIAS + name, [[code]]);
}

/** Returns the code of an alias. */
export function aliasOf(name: string, scope: Scope): string | undefined {
  return scope.get(ALIAS + name)?.at(-1)?.[0] || undefined;
}

export function setHashed(name: string, path: string, scope: Scope): void {
  scope.set(HASHED + name, [[path]]);
  scope.set(PATHS, [[...(scope.get(PATHS)?.[0] ?? []), name]]);
}

/** Returns the path that the shell would run for `name`. */
export function hashedOf(name: string, scope: Scope): string | undefined {
  return scope.get(HASHED + name)?.at(-1)?.[0] || undefined;
}

export function forgetHashed(scope: Scope): void {
  for (const name of scope.get(PATHS)?.[0] ?? []) scope.unset(HASHED + name);
}

/** One possible value: the elements of an array. A plain variable has one element. */
export type Value = readonly string[];

/** How an assignment changes values: to lower or upper case. `r`: it has no effect. */
export type Attribute = 'l' | 'u' | 'r';

const MOST_VALUES = 1024;
/** With more values than this, equal ones are kept once. */
const MANY_VALUES = 64;
const NO_NAMES: ReadonlySet<string> = new Set();
const EMPTY: Readonly<Record<string, string>> = {};
/** The values of a variable that is known to be unset. */
const NOTHING: readonly Value[] = [['']];
/** Values that every shell has, and the usual values of others. The home stays symbolic. */
const PRESET: Readonly<Record<string, string>> = {
  IFS: ' \t\n',
  HOME: '~',
  XDG_STATE_HOME: '~/.local/state',
  XDG_CONFIG_HOME: '~/.config',
  HOOKLINE_HOME: '~',
  TMPDIR: '/tmp',
  SHELL: '/bin/sh',
  BASH: '/bin/bash',
  PATH: '/usr/local/bin:/usr/bin:/bin',
};

/** The variables that the caller knows. `asked` collects the names that a script asks for, because its result depends on these alone. */
export interface Given {
  readonly variables: Readonly<Record<string, string>>;
  readonly asked: Set<string>;
}

export class Scope {
  readonly #parent: Scope | undefined;
  readonly #given: Given | undefined;
  /** Whether the environment is new. A variable that is not set here is then unset. */
  readonly #bare: boolean;
  readonly #variables = new Map<string, readonly Value[]>();
  readonly #functions = new Map<string, FunctionNode>();
  readonly #exported = new Set<string>();
  readonly #attributes = new Map<string, Attribute>();
  /** The values that local variables of running functions hide. */
  readonly #frames: Map<string, readonly Value[] | undefined>[] = [];
  /** The target of each descriptor: a path, or the end of a pipe. */
  fds: ReadonlyMap<number, string>;
  /** Empty: the folder in which the script was started. */
  cwd: string;
  /** Positional parameters. Undefined: unknown. */
  args: readonly string[] | undefined;
  /** The text on standard input. */
  stdin: string;
  /** The previous command in the pipeline. */
  feeder: string;
  /** Above zero inside a branch that may not run. An assignment then adds a value and keeps the old ones. */
  maybe = 0;

  constructor(parent?: Scope, bare = false, given?: Given) {
    this.#parent = bare ? undefined : parent;
    this.#given = given;
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

  /** Returns the scope of a process with an empty environment. */
  bare(): Scope {
    return new Scope(this, true);
  }

  /** Returns the possible values. Undefined: the script does not set the variable, but the environment may. */
  get(name: string): readonly Value[] | undefined {
    return this.#lookup(name) ?? this.#special(name);
  }

  isSet(name: string): boolean {
    const values = this.#lookup(name);
    return (values !== undefined && values !== NOTHING) || /^[1-9]/.test(name);
  }

  /** Returns whether the variable is known to be unset. */
  isUnset(name: string): boolean {
    return this.#lookup(name) === NOTHING;
  }

  set(name: string, values: readonly Value[]): void {
    const attribute = this.#attribute(name);
    if (attribute === 'r') return;
    const changed = attribute === undefined ? values : values.map((value) => value.map((text) => changeCase(text, attribute)));
    const kept = this.maybe > 0 ? [...(this.get(name) ?? []), ...changed] : changed;
    spend(kept.length / 16);
    this.#variables.set(name, atMost(kept.length > MANY_VALUES ? distinct(kept) : kept, MOST_VALUES, 'the possible values of a variable'));
  }

  unset(name: string): void {
    if (this.maybe === 0) this.#variables.set(name, NOTHING);
  }

  mark(name: string, attribute: Attribute): void {
    this.#attributes.set(name, attribute);
  }

  /** Starts a function body. `leave` ends it together with its local variables. */
  enter(): void {
    this.#frames.push(new Map());
  }

  leave(): void {
    for (const [name, values] of this.#frames.pop() ?? []) {
      if (values === undefined) this.#variables.delete(name);
      else this.#variables.set(name, values);
    }
  }

  /** Makes `name` local to the running function, if there is one. */
  localise(name: string): void {
    const frame = this.#frames.at(-1);
    if (frame !== undefined && !frame.has(name)) frame.set(name, this.#variables.get(name));
  }

  export(name: string): void {
    this.#exported.add(name);
  }

  /** Returns the variables that the script exports. A variable with several possible values has one line for each. */
  environment(): Readonly<Record<string, string>> {
    const names = this.#exportedNames();
    spend(names.size);
    return names.size === 0 ? EMPTY : Object.fromEntries(Array.from(names, (name) => [name, joinValues(this.get(name))]));
  }

  #exportedNames(): ReadonlySet<string> {
    const above = this.#parent === undefined ? NO_NAMES : this.#parent.#exportedNames();
    if (this.#exported.size === 0) return above;
    return above.size === 0 ? this.#exported : new Set([...above, ...this.#exported]);
  }

  /** Replaces the map, because recorded commands keep the map they had. */
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
    if (this.#given !== undefined) return valueGiven(name, this.#given);
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

function valueGiven(name: string, { variables, asked }: Given): readonly Value[] | undefined {
  asked.add(name);
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  return value === undefined ? undefined : [[value]];
}

/** Returns each value once. */
function distinct(values: readonly Value[]): readonly Value[] {
  const seen = new Map<string, Value>();
  for (const value of values) seen.set(value.length === 1 ? (value[0] ?? '') : value.join('\0'), value);
  return [...seen.values()];
}

function changeCase(text: string, attribute: Attribute): string {
  return attribute === 'l' ? text.toLowerCase() : text.toUpperCase();
}

function joinValues(values: readonly Value[] | undefined): string {
  if (values === undefined || values.length < 2) return values?.[0]?.[0] ?? '';
  return [...new Set(values.map(([text = '']) => text))].join('\n');
}
