/**
 * Remembers values by a path of names, within bounds: names come from events, so whoever sends those decides how many there are.
 * When it is full it forgets everything, which costs less than keeping track of what was used last.
 */

type Path = readonly (string | undefined)[];

export interface PathCache<Value extends object> {
  get(path: Path): Value | undefined;
  /** `weight`: how much of the cache the value takes, in entries of a list. */
  set(path: Path, value: Value, weight: number): void;
}

interface Bounds {
  readonly entries: number;
  readonly weight: number;
  /** A path with a longer name is not remembered. */
  readonly nameLength: number;
}

/** All paths of one cache have the same length. */
export function pathCache<Value extends object>(bounds: Bounds): PathCache<Value> {
  const root: Level<Value> = new Map();
  let entries = 0;
  let total = 0;
  return {
    get(path) {
      let at: Level<Value> | Value | undefined = root;
      for (let i = 0; i < path.length && at !== undefined; i++) at = (at as Level<Value>).get(path[i]);
      // A path is walked to its end, where only values are.
      return at as Value | undefined;
    },
    set(path, value, weight) {
      if (weight > bounds.weight || path.some((name) => name !== undefined && name.length > bounds.nameLength)) return;
      if (entries >= bounds.entries || total + weight > bounds.weight) {
        root.clear();
        entries = 0;
        total = 0;
      }
      let level = root;
      for (const name of path.slice(0, -1)) {
        const next = (level.get(name) as Level<Value> | undefined) ?? new Map();
        level.set(name, next);
        level = next;
      }
      level.set(path.at(-1), value);
      entries++;
      total += weight;
    },
  };
}

/** Levels down to the last name of a path, which leads to a value. */
type Level<Value> = Map<string | undefined, Level<Value> | Value>;
