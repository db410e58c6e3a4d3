/**
 * Reads one tool call: the commands and programs it runs, the files it uses, and the parts that cannot be understood. A known tool is read by its
 * kind. Any other tool is read by its content, because a list of names is never complete.
 */
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';
import { atMost, leaveOut } from '../limits.ts';
import { addressesIn, type NamedPath, pathsIn, pathsInPatch, pathsOfUnknown } from './tool-inputs.ts';
import { type FoundText, MOST_NODES, textsIn } from './tool-texts.ts';
import { CALLED_INPUT_KEYS, CALLED_KEYS, normalizeName, type ToolKind, toolKind } from './tools.ts';

export interface ToolReading {
  readonly texts: readonly FoundText[];
  readonly paths: readonly NamedPath[];
  /** The addresses that it fetches. */
  readonly addresses: readonly string[];
  /** Why the effect of the call is unknown. */
  readonly unclear?: string;
  /** Parts that are not understood. */
  readonly notes: readonly string[];
}

const NOTHING: ToolReading = { texts: [], paths: [], addresses: [], notes: [] };
const DEEPEST_CALL = 8;
const MOST_CALLS = 100;
const CALLS = 'the calls of other tools in its input';

export function readTool(tool: unknown, given: unknown, depth = 0): ToolReading {
  if (typeof tool !== 'string' || tool === '') return { ...NOTHING, unclear: 'the call does not name its tool' };
  const input = parseInput(given);
  const kind = toolKind(tool);
  const { texts, unclear, notes } = textsIn(tool, kind, input);
  const files = filesOf(tool, kind, input);
  const unknown =
    kind.does === 'other' && texts.some(({ language }) => language !== 'sql')
      ? [`the guard does not know the tool, which has a command in its input`]
      : [];
  const isOpen = kind.does === 'other' || kind.does === 'call';
  const addresses = isOpen || kind.does === 'look' ? addressesIn(input) : [];
  const local = addresses.filter((address) => /^file:/i.test(address) && !files.paths.some(({ path }) => path === address));
  const own: ToolReading = {
    texts,
    paths: [...files.paths, ...local.map((path): NamedPath => ({ path, use: 'read' }))],
    addresses,
    notes: [...unknown, ...notes, ...files.notes],
    ...((unclear ?? files.unclear) !== undefined && { unclear: unclear ?? files.unclear }),
  };
  return isOpen ? callsIn(input, depth).reduce((sum, [name, value]) => both(sum, readTool(name, value, depth + 1)), own) : own;
}

function filesOf(tool: string, kind: ToolKind, input: Json): Omit<ToolReading, 'texts' | 'addresses'> {
  if (kind.does === 'file' || kind.does === 'patch') {
    const paths = kind.does === 'patch' ? pathsInPatch(input) : pathsIn(input, kind);
    return paths ? { paths, notes: [] } : { paths: [], notes: [], unclear: 'the call does not name the file it changes' };
  }
  if (kind.does !== 'other') return NOTHING;
  const paths = pathsOfUnknown(tool, input);
  return paths ? { paths, notes: [] } : { paths: [], notes: [], unclear: 'the input has too many files to read all of them' };
}

function both(first: ToolReading, second: ToolReading): ToolReading {
  return {
    ...second,
    ...first,
    texts: [...first.texts, ...second.texts],
    paths: [...first.paths, ...second.paths],
    addresses: [...first.addresses, ...second.addresses],
    notes: [...first.notes, ...second.notes],
  };
}

/** Returns the calls of other tools in the input: maps with the name of a tool and its input. */
function callsIn(input: Json, depth: number): readonly (readonly [tool: string, input: Json])[] {
  const found: (readonly [string, Json])[] = [];
  let level: readonly Json[] = [input];
  while (level.length > 0) {
    const next: Json[] = [];
    for (const value of level) {
      if (Array.isArray(value)) for (const item of value) next.push(item);
      else if (isObject(value)) {
        const call = callIn(value);
        if (call && depth >= DEEPEST_CALL) leaveOut(`the calls of other tools in its input are nested deeper than ${DEEPEST_CALL} levels`);
        else if (call) found.push(call);
        else next.push(...Object.values(value).filter((item): item is Json => item !== undefined));
      }
    }
    level = atMost(next, MOST_NODES, 'the values in its input');
  }
  return atMost(found, MOST_CALLS, CALLS);
}

function callIn(value: JsonObject): readonly [string, Json] | undefined {
  const entries = Object.entries(value);
  const [, tool] = entries.find(([key, name]) => CALLED_KEYS.has(normalizeName(key)) && typeof name === 'string' && name !== '') ?? [];
  const [, given] = entries.find(([key, input]) => CALLED_INPUT_KEYS.has(normalizeName(key)) && isObject(parseInput(input))) ?? [];
  return typeof tool === 'string' && given !== undefined ? [tool, parseInput(given)] : undefined;
}

/** Returns the input as data, because some agents pass it as JSON text. */
function parseInput(input: unknown): Json {
  if (typeof input !== 'string' || !/^\s*\{/.test(input)) return (input ?? null) as Json;
  try {
    return JSON.parse(input) as Json;
  } catch {
    return input;
  }
}
