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
  scope.rename(ALIAS + name, [[code]]);
}

/** Returns the code of an alias. */
export function aliasOf(name: string, scope: Scope): string | undefined {
  return scope.renames ? scope.get(ALIAS + name)?.at(-1)?.[0] || undefined : undefined;
}

export function setHashed(name: string, path: string, scope: Scope): void {
  scope.rename(HASHED + name, [[path]]);
  scope.set(PATHS, [[...(scope.get(PATHS)?.[0] ?? []), name]]);
}

/** Returns the path that the shell would run for `name`. */
export function hashedOf(name: string, scope: Scope): string | undefined {
  return scope.renames ? scope.get(HASHED + name)?.at(-1)?.[0] || undefined : undefined;
}

export function forgetHashed(scope: Scope): void {
  for (const name of scope.get(PATHS)?.[0] ?? []) scope.unset(HASHED + name);
}

/** One possible value: the elements of an array. A plain variable has one element. */
export type Value = readonly string[];

/** How an assignment changes values: to lower or upper case. `r`: it has no effect. */
export type Attribute = 'l' | 'u' | 'r';

const MOST_VALUES = 1024;
const MOST_REFERENCES = 8;
/** With more values than this, equal ones are kept once. */
const MANY_VALUES = 64;
const NO_NAMES: ReadonlySet<string> = new Set();
const NO_WORDS: readonly string[] = [];
const EMPTY: Readonly<Record<string, string>> = {};
/** The values of a variable that is known to be unset. */
const NOTHING: readonly Value[] = [['']];
/** Values that every shell has, and the usual values of others. The home stays symbolic. */
const PRESET: ReadonlyMap<string, readonly Value[]> = new Map([
  ['IFS', [[' \t\n']]],
  ['HOME', [['~']]],
  ['XDG_STATE_HOME', [['~/.local/state']]],
  ['XDG_CONFIG_HOME', [['~/.config']]],
  ['HOOKLINE_HOME', [['~']]],
  ['TMPDIR', [['/tmp']]],
  ['SHELL', [['/bin/sh']]],
  ['BASH', [['/bin/bash']]],
  ['PATH', [['/usr/local/bin:/usr/bin:/bin']]],
]);

/** The variables that the caller knows. `asked` collects the names that a script asks for, because its result depends on these alone. */
export interface Given {
  readonly variables: Readonly<Record<string, string>>;
  readonly asked: Set<string>;
}

/** The state that all scopes of one walk share. */
interface Shell {
  /** Whether an alias or a hashed path was ever set. Most scripts set none, so their commands need no lookup. */
  renames: boolean;
  /** The variables behind namerefs (`declare -n ref=name`). */
  references?: Map<string, string>;
}

/** Most scopes change nothing, so each table is made at its first change. */
export class Scope {
  readonly #parent: Scope | undefined;
  readonly #given: Given | undefined;
  /** Whether the environment is new. A variable that is not set here is then unset. */
  readonly #bare: boolean;
  readonly #shell: Shell;
  #variables: Map<string, readonly Value[]> | undefined;
  #functions: Map<string, FunctionNode> | undefined;
  #exported: Set<string> | undefined;
  #attributes: Map<string, Attribute> | undefined;
  /** The values that local variables of running functions hide. */
  #frames: Map<string, readonly Value[] | undefined>[] | undefined;
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
  /** The words of the next command in the pipeline, as they are written. */
  next: readonly string[] = NO_WORDS;
  /** Above zero inside a branch that may not run. An assignment then adds a value and keeps the old ones. */
  maybe = 0;

  constructor(parent?: Scope, bare = false, given?: Given) {
    this.#parent = bare ? undefined : parent;
    this.#given = given;
    this.#bare = bare;
    this.#shell = parent === undefined ? { renames: false } : parent.#shell;
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
  get(written: string): readonly Value[] | undefined {
    const name = this.#behind(written);
    return this.#lookup(name) ?? this.#special(name);
  }

  isSet(name: string): boolean {
    const values = this.#lookup(name);
    return (values !== undefined && values !== NOTHING) || isPositional(name);
  }

  /** Returns whether the variable is known to be unset. */
  isUnset(name: string): boolean {
    return this.#lookup(name) === NOTHING;
  }

  set(written: string, values: readonly Value[]): void {
    const name = this.#behind(written);
    const attribute = this.#attribute(name);
    if (attribute === 'r') return;
    const changed = attribute === undefined ? values : values.map((value) => value.map((text) => changeCase(text, attribute)));
    const kept = this.maybe > 0 ? [...(this.get(name) ?? []), ...changed] : changed;
    spend(kept.length / 16);
    this.#keep(name, atMost(kept.length > MANY_VALUES ? distinct(kept) : kept, MOST_VALUES, 'the possible values of a variable'));
  }

  /** Whether a command can have another name here. */
  get renames(): boolean {
    return this.#shell.renames;
  }

  /** Sets the variable of an alias or of a hashed path. */
  rename(name: string, values: readonly Value[]): void {
    this.#shell.renames = true;
    this.set(name, values);
  }

  unset(name: string): void {
    if (this.maybe === 0) this.#keep(name, NOTHING);
  }

  /** Makes a name stand for another variable. */
  refer(name: string, to: string): void {
    this.#shell.references ??= new Map();
    this.#shell.references.set(name, to);
  }

  #behind(name: string): string {
    const { references } = this.#shell;
    if (references === undefined) return name;
    let [found, left] = [name, MOST_REFERENCES];
    for (let to = references.get(found); to !== undefined && left > 0; to = references.get(found)) {
      found = to.replace(/\[.*$/s, '');
      left--;
    }
    return found;
  }

  mark(name: string, attribute: Attribute): void {
    this.#attributes ??= new Map();
    this.#attributes.set(name, attribute);
  }

  /** Starts a function body. `leave` ends it together with its local variables. */
  enter(): void {
    this.#frames ??= [];
    this.#frames.push(new Map());
  }

  leave(): void {
    for (const [name, values] of this.#frames?.pop() ?? []) {
      if (values === undefined) this.#variables?.delete(name);
      else this.#keep(name, values);
    }
  }

  /** Makes `name` local to the running function, if there is one. */
  localise(name: string): void {
    const frame = this.#frames?.at(-1);
    if (frame !== undefined && !frame.has(name)) frame.set(name, this.#variables?.get(name));
  }

  export(name: string): void {
    this.#exported ??= new Set();
    this.#exported.add(name);
  }

  /** Returns the variables that the script exports. A variable with several possible values has one line for each. */
  environment(): Readonly<Record<string, string>> {
    const names = this.#exportedNames();
    spend(names.size);
    return names.size === 0 ? EMPTY : Object.fromEntries(Array.from(names, (name) => [name, joinValues(this.get(name))]));
  }

  #exportedNames(): ReadonlySet<string> {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.#parent) {
      if (scope.#exported === undefined) continue;
      const above = scope.#parent === undefined ? NO_NAMES : scope.#parent.#exportedNames();
      return above.size === 0 ? scope.#exported : new Set([...above, ...scope.#exported]);
    }
    return NO_NAMES;
  }

  /** Replaces the map, because recorded commands keep the map they had. */
  connect(ends: Iterable<readonly [fd: number, to: string]>): void {
    const fds = new Map(this.fds);
    for (const [fd, to] of ends) fds.set(fd, to);
    this.fds = fds;
  }

  define(name: string, node: FunctionNode): void {
    this.#functions ??= new Map();
    this.#functions.set(name, node);
  }

  functionNamed(name: string): FunctionNode | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.#parent) {
      const own = scope.#functions?.get(name);
      if (own !== undefined) return own;
    }
    return undefined;
  }

  #keep(name: string, values: readonly Value[]): void {
    this.#variables ??= new Map();
    this.#variables.set(name, values);
  }

  #lookup(name: string): readonly Value[] | undefined {
    let scope: Scope = this;
    for (;;) {
      const own = scope.#variables?.get(name);
      if (own !== undefined) return own;
      if (scope.#parent === undefined) break;
      scope = scope.#parent;
    }
    if (scope.#given !== undefined) return valueGiven(name, scope.#given);
    return scope.#bare && /^[A-Za-z_]/.test(name) && !PRESET.has(name) && name !== 'PWD' ? NOTHING : undefined;
  }

  #attribute(name: string): Attribute | undefined {
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.#parent) {
      const own = scope.#attributes?.get(name);
      if (own !== undefined) return own;
    }
    return undefined;
  }

  #special(name: string): readonly Value[] | undefined {
    if (name === '@' || name === '*') return this.args && [this.args];
    if (isPositional(name) && /^\d+$/.test(name)) return this.args && [[this.args[Number(name) - 1] ?? '']];
    if (name === '0' || name === 'BASH_SOURCE') return this.#lookup('0') ?? [[SELF]];
    return name === 'PWD' ? [[this.cwd === '' ? '.' : this.cwd]] : PRESET.get(name);
  }
}

/** Returns whether a name starts like the number of an argument. */
function isPositional(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 0x31 && first <= 0x39;
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
