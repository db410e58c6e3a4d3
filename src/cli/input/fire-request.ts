/** Reads the event to fire from the command line: its canonical or native name, its payload, and its session. */
import path from 'node:path';
import { DIALECTS } from '../../builtins.ts';
import type { Dialect } from '../../core/contracts/dialect.ts';
import type { EventKind } from '../../core/event/event.ts';
import type { EventRule } from '../../core/meaning/profile.ts';
import type { JsonObject } from '../../core/values/json.ts';
import { dialectNamed, type FireContext, kindNamed, type NativeEvent, nativeNamed } from '../../engine/receive/events.ts';
import { type Arguments, optionValue, usageError } from '../arguments.ts';
import { parseObject, readPayload } from './payload.ts';

/** The event as it is named; a native name may mean several kinds until its payload is known. */
export interface NamedEvent {
  readonly name: string;
  readonly kinds: readonly EventKind[];
  readonly dialect?: Dialect;
}

export interface Request {
  readonly kind: EventKind;
  /** The canonical payload. */
  readonly data: JsonObject;
  readonly native?: NativeEvent;
  readonly context: FireContext;
}

export function readEvent(args: Arguments): NamedEvent {
  const name = args.positionals[0] as string;
  const as = optionValue(args, 'as');
  if (as === undefined) return { name, kinds: [kindNamed(name, DIALECTS)] };
  const dialect = dialectNamed(as, DIALECTS);
  const own = nativeNamed(name, dialect);
  return { name: own, kinds: (dialect.profile.events[own] as EventRule).kinds, dialect };
}

export async function readRequest(args: Arguments, event: NamedEvent): Promise<Request> {
  const context = readContext(args);
  const { name, dialect } = event;
  const tool = await readToolPayload(args, event);
  const given = optionValue(args, 'payload');
  const payload = given === undefined ? {} : await readPayload(given);
  if (!dialect) return { kind: event.kinds[0] as EventKind, data: tool ?? payload, context };
  const native = { dialect: dialect.id, event: name, payload: tool ? inNativeWords(tool, event, dialect, context) : payload };
  const { kind, data } = dialect.wire.decodeEvent(name, native.payload);
  return { kind, data, native, context };
}

function readContext(args: Arguments): FireContext {
  const session = optionValue(args, 'session');
  const cwd = optionValue(args, 'cwd');
  return { ...(session !== undefined && { session }), ...(cwd !== undefined && { cwd: path.resolve(cwd) }) };
}

/** `--tool NAME --input JSON`, as the canonical payload of a tool event. */
async function readToolPayload(args: Arguments, { name, kinds }: NamedEvent): Promise<JsonObject | undefined> {
  const tool = optionValue(args, 'tool');
  const input = optionValue(args, 'input');
  if (tool === undefined) {
    if (input === undefined) return undefined;
    throw usageError('`--input` needs `--tool`.', 'Name the tool the input is for.');
  }
  if (optionValue(args, 'payload') !== undefined) throw usageError('`--tool` and `--payload` exclude each other.', 'Give one of them.');
  if (!kinds.some(isToolKind))
    throw usageError(`\`--tool\` is for tool events, and \`${name}\` is none.`, 'Give its payload with `--payload`.');
  return { tool, input: input === undefined ? {} : await parseObject(input, 'The input') };
}

function isToolKind(kind: EventKind): boolean {
  return kind.startsWith('tool.') || kind === 'permission.request';
}

function inNativeWords(data: JsonObject, { name, kinds }: NamedEvent, dialect: Dialect, context: FireContext): JsonObject {
  const session = { id: context.session ?? 'default', cwd: context.cwd ?? process.cwd() };
  const kind = kinds.find(isToolKind) as EventKind;
  return dialect.wire.encodeEvent({ id: '', kind, at: new Date().toISOString(), session, data }, name);
}
