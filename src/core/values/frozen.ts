/**
 * Copies of JSON that no hook can change. An event and every value that a hook returns is copied once, so that neither the program that owns the
 * original nor a hook can change what another hook judges. A frozen copy is shared by all who read it.
 */
import { type Json, setOwn } from './json.ts';

type Container = Json[] | Record<string, Json>;

/**
 * Returns a frozen copy at every depth, as JSON would hold it: own values alone, and what `toJSON` returns.
 * @throws TypeError if the value contains itself
 */
export function frozenCopy<T>(value: T): T {
  if (!isContainer(value)) return plain(value) as T;
  try {
    return copyFrozen(value) as T;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    // Nested too deep for the stack, or without end.
    return freezeOwn(copyDeep(value)) as T;
  }
}

/** Returns a copy that its reader may change. */
export function looseCopy(value: Json): Json {
  return isContainer(value) ? (copyDeep(value) as Json) : value;
}

/** Every event is copied here, so it is written for speed: no closure, no iterator, no spread. */
function copyFrozen(source: object): unknown {
  if (typeof (source as Shaped).toJSON === 'function') return frozenCopy((source as Shaped).toJSON?.());
  if (Array.isArray(source)) {
    const list: unknown[] = [];
    for (let i = 0; i < source.length; i++) list.push(isContainer(source[i]) ? copyFrozen(source[i]) : plain(source[i]));
    return Object.freeze(list);
  }
  const copy: Record<string, unknown> = {};
  for (const key in source) {
    if (!isOwn.call(source, key)) continue;
    const item = (source as Record<string, unknown>)[key];
    const own = isContainer(item) ? copyFrozen(item) : plain(item);
    if (key === '__proto__') setOwn(copy as Record<string, Json>, key, own as Json);
    else copy[key] = own;
  }
  return Object.freeze(copy);
}

interface Shaped {
  readonly toJSON?: () => unknown;
}

/** Twice as fast as `Object.hasOwn` in Node 20. */
const isOwn = Object.prototype.hasOwnProperty;

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** A function can be changed and is no JSON. */
function plain(value: unknown): unknown {
  return typeof value === 'function' ? undefined : value;
}

/** The same without recursion. */
function copyDeep(root: object): unknown {
  const top: Json[] = [];
  /** The containers around the one that is copied now. */
  const around = new Set<object>();
  const work: ({ readonly put: (copy: Json) => void; readonly source: object } | { readonly leave: object })[] = [
    { put: (copy) => top.push(copy), source: root },
  ];
  for (let next = work.pop(); next; next = work.pop()) {
    if ('leave' in next) {
      around.delete(next.leave);
      continue;
    }
    const { put, source } = next;
    if (around.has(source)) throw new TypeError('it contains itself');
    const { toJSON } = source as Shaped;
    const form = typeof toJSON === 'function' ? toJSON.call(source) : source;
    if (!isContainer(form)) {
      put(plain(form) as Json);
      continue;
    }
    around.add(source);
    work.push({ leave: source });
    const copy: Container = Array.isArray(form) ? [] : {};
    put(copy);
    for (const [key, item] of Object.entries(form)) {
      const keep = (own: Json): void => setOwn(copy as Record<string, Json>, key, own);
      keep((isContainer(item) ? null : plain(item)) as Json);
      if (isContainer(item)) work.push({ put: keep, source: item });
    }
  }
  return top[0];
}

/** Freezes a value that belongs to no one else, at every depth. A part that is frozen is frozen at every depth already. */
export function freezeOwn<T>(value: T): T {
  const work: unknown[] = [value];
  while (work.length > 0) {
    const next = work.pop();
    if (!isContainer(next) || Object.isFrozen(next)) continue;
    Object.freeze(next);
    for (const item of Object.values(next)) if (isContainer(item)) work.push(item);
  }
  return value;
}
