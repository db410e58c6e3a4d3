/**
 * Entries in a JSON file: items of lists, at paths that the host names. Everything around them keeps its bytes, its order and its
 * comments. Removing them restores the text from before.
 */
import { getNodeValue } from 'jsonc-parser';
import { type OwnLine, readLine } from '../../core/contracts/entry-line.ts';
import { canonicalJson } from '../../core/values/digest.ts';
import {
  addItem,
  addKey,
  endOf,
  type JsonNode,
  nodeAt,
  propertyOf,
  readWritten,
  replaceNode,
  restoreEmpty,
  takeOut,
  type Unfit,
} from './json-edit.ts';
import { type Edited, type EntryState, type Head, isUnfit, type Shape, type Wanted } from './shape.ts';

export const jsonShape: Shape = {
  own: (text, host) => ownIn(text, host).map(({ line }) => line),
  install,
  uninstall,
};

/** An item of a list that contains Hookline's entry and nothing else. */
interface Own {
  readonly node: JsonNode;
  readonly line: OwnLine;
  /** The keys down to the outermost list that contains it. */
  readonly path: readonly string[];
  /** Whether it is itself an item of that list. */
  readonly direct: boolean;
}

function install(text: string, host: string, wanted: readonly Wanted[], head: Head = {}): Edited | Unfit {
  const plan = planOf(ownIn(text, host), wanted);
  let current = text;
  const entries: { event: string; state: EntryState }[] = [];
  // From the end on, so that the offsets before stay valid.
  for (let i = plan.length - 1; i >= 0; i--) {
    const { state, value, event } = plan[i] as Planned;
    const own = ownIn(current, host)[i] as Own;
    if (state === 'updated') current = replaceNode(current, own.node, value);
    if (state === 'removed') current = prune(takeOut(current, own.node), own.path, undefined);
    entries.unshift({ event, state });
  }
  const begun = withHead(current, head);
  if (isUnfit(begun)) return begun;
  current = begun;
  for (const one of wanted) {
    if (plan.some(({ event, state }) => event === one.event && state !== 'removed')) continue;
    const next = addItem(current, one.path, one.value);
    if (isUnfit(next)) return next;
    current = next;
    entries.push({ event: one.event, state: 'added' });
  }
  return { text: current, entries };
}

interface Planned {
  readonly event: string;
  readonly state: EntryState;
  readonly value?: unknown;
}

/** Decides about each existing entry: the first at a wanted place stays or is updated; the others are removed. */
function planOf(own: readonly Own[], wanted: readonly Wanted[]): Planned[] {
  const served = new Set<string>();
  const exact = own.map(({ node, path, direct }) =>
    wanted.find((one) => direct && isSame(path, one.path) && isSame(getNodeValue(node), one.value)),
  );
  const state = (index: number): Planned => {
    const { line, path, direct } = own[index] as Own;
    const same = exact[index];
    if (same && !served.has(same.event)) {
      served.add(same.event);
      return { event: same.event, state: 'kept' };
    }
    const older = wanted.find(
      (one) =>
        direct &&
        isSame(path, one.path) &&
        !served.has(one.event) &&
        !exact.includes(one) &&
        (line.event === undefined || line.event === one.event),
    );
    if (!older || same) return { event: line.event ?? path.at(-1) ?? '', state: 'removed' };
    served.add(older.event);
    return { event: older.event, state: 'updated', value: older.value };
  };
  return own.map((_, index) => state(index));
}

function uninstall(text: string, host: string, before: string | undefined, head: Head = {}): Edited {
  const own = ownIn(text, host);
  const entries = own.map(({ line, path }) => ({ event: line.event ?? path.at(-1) ?? '', state: 'removed' as const }));
  if (own.length === 0) return { text, entries };
  // If nothing else has changed since, the text from before is known to the byte.
  for (const known of before === undefined ? [undefined] : [before, undefined]) {
    if (replayed(known ?? '', own, head) === text) return { text: known, entries };
  }
  const origin = before === undefined ? undefined : readWritten(before);
  let current = text;
  for (let i = own.length - 1; i >= 0; i--) {
    const { node, path } = ownIn(current, host)[i] as Own;
    current = prune(takeOut(current, node), path, origin);
  }
  return { text: origin ? withoutHead(current, head, origin.root) : current, entries };
}

function replayed(before: string, own: readonly Own[], head: Head): string | undefined {
  const begun = withHead(before, head);
  if (isUnfit(begun)) return undefined;
  let current = begun;
  for (const { node, path, direct } of own) {
    const next = direct ? addItem(current, path, getNodeValue(node)) : undefined;
    if (next === undefined || isUnfit(next)) return undefined;
    current = next;
  }
  return current;
}

function withHead(text: string, head: Head): string | Unfit {
  let current: string | Unfit = text;
  for (const [key, value] of Object.entries(head)) if (!isUnfit(current)) current = addKey(current, key, value);
  return current;
}

/** Removes the fields that the installation added at the top, unless they were there before. */
function withoutHead(text: string, head: Head, origin: JsonNode | undefined): string {
  return Object.keys(head).reduce((current, key) => {
    const { root } = readWritten(current);
    const ours = root && propertyOf(root, key);
    return ours && !(origin && propertyOf(origin, key)) ? takeOut(current, ours) : current;
  }, text);
}

/** Also removes containers that are empty now, up to the first that was there before. */
function prune(text: string, path: readonly string[], origin: ReturnType<typeof readWritten> | undefined): string {
  if (path.length === 0) return text;
  const node = nodeAt(readWritten(text).root, path);
  if (!node || (node.type !== 'array' && node.type !== 'object') || (node.children?.length ?? 0) > 0) return text;
  const old = nodeAt(origin?.root, path);
  if (origin && old) {
    const isEmpty = old.type === node.type && (old.children?.length ?? 0) === 0;
    return isEmpty ? restoreEmpty(text, path, origin.text.slice(old.offset, endOf(old))) : text;
  }
  return prune(takeOut(text, node.parent as JsonNode), path.slice(0, -1), origin);
}

/** In the order they are written. */
function ownIn(text: string, host: string): Own[] {
  const found: Own[] = [];
  const look = (node: JsonNode, path: readonly string[], inList: boolean): void => {
    if (node.type === 'array') {
      for (const item of node.children ?? []) {
        const line = ownLine(item, host);
        if (line) found.push({ node: item, line, path, direct: !inList });
        else look(item, path, true);
      }
    } else if (node.type === 'object') {
      for (const { children: [key, value] = [] } of node.children ?? []) {
        if (key && value) look(value, inList ? path : [...path, String(key.value)], inList);
      }
    }
  };
  const { root } = readWritten(text);
  if (root) look(root, [], false);
  return found;
}

/** Whether this is Hookline's handler, or a group that contains only such handlers. */
function ownLine(node: JsonNode, host: string): OwnLine | undefined {
  if (node.type === 'string') return lineOf(node, host);
  if (node.type !== 'object') return undefined;
  const values = (node.children ?? []).flatMap(({ children: [, value] = [] }) => value ?? []);
  const direct = values.flatMap((value) => (value.type === 'string' ? (lineOf(value, host) ?? []) : []));
  if (direct[0]) return direct[0];
  const lists = values.filter(({ type, children = [] }) => type === 'array' && children.length > 0);
  const lines = lists.flatMap(({ children = [] }) => children.map((child) => ownLine(child, host)));
  return lines.length > 0 && lines.every((line) => line !== undefined) ? lines[0] : undefined;
}

function lineOf({ value }: JsonNode, host: string): OwnLine | undefined {
  const line = typeof value === 'string' ? readLine(value) : undefined;
  return line?.host === host ? line : undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
