/** Maps native keys to canonical keys, as most payloads need it. Keys without a field are kept as metadata. */
import { type Json, type JsonObject, setOwn } from '../../core/values/json.ts';

/** Native key, canonical key, what it must be. */
export type WireField = readonly [native: string, data: string, type: 'text' | 'any'];

export function writeFields(fields: readonly WireField[], data: JsonObject): JsonObject {
  return Object.fromEntries(fields.flatMap(([native, key]): [string, Json][] => (data[key] === undefined ? [] : [[native, data[key]]])));
}

export function readFields(fields: readonly WireField[], payload: JsonObject): { data: Record<string, Json>; extra: Record<string, Json> } {
  const data: Record<string, Json> = {};
  const extra: Record<string, Json> = {};
  for (const [key, value] of Object.entries(payload)) {
    const field = fields.find(([native]) => native === key);
    if (value === undefined) continue;
    if (field && value !== null && (field[2] === 'any' || typeof value === 'string')) data[field[1]] = value;
    else setOwn(extra, key, value);
  }
  return { data, extra };
}

/** Whether the agent was sent back to work before this stop. */
export function isAgain({ continuations }: JsonObject): boolean {
  return typeof continuations === 'number' && continuations > 0;
}

/** Reads `stop_hook_active` as a count. The payload does not tell how often; it is at least once. */
export function readAgain(data: Record<string, Json>, extra: Record<string, Json>): void {
  const { stop_hook_active: again } = extra;
  if (typeof again !== 'boolean') return;
  delete extra['stop_hook_active'];
  data['continuations'] = again ? 1 : 0;
}

/** A field whose value is worked out of the canonical payload, and may be read into another. */
export interface MadeField {
  readonly native: string;
  readonly canonical: string;
  readonly type: 'text' | 'boolean' | 'any';
  readonly write: (data: JsonObject) => Json | undefined;
  readonly read?: (value: Json) => Json | undefined;
}

/** Whether the agent was sent back to work before this stop. The payload does not tell how often; it is at least once. */
export const STOP_ACTIVE: MadeField = {
  ...{ native: 'stop_hook_active', canonical: 'continuations', type: 'boolean' },
  write: isAgain,
  read: (value) => (value === true ? 1 : undefined),
};

export function writeMade(fields: readonly MadeField[], data: JsonObject): JsonObject {
  const written = fields.flatMap(({ native, write }): [string, Json][] => {
    const value = write(data);
    return value === undefined ? [] : [[native, value]];
  });
  return Object.fromEntries(written);
}

/** A null in a field is nothing; elsewhere it is kept like any other value. */
export function readMade(fields: readonly MadeField[], payload: JsonObject): { data: Record<string, Json>; extra: Record<string, Json> } {
  const byName = new Map(fields.map((field) => [field.native, field]));
  const data: Record<string, Json> = {};
  const extra: Record<string, Json> = {};
  for (const [key, value] of Object.entries(payload)) {
    const field = byName.get(key);
    if (value === undefined || (field && value === null)) continue;
    if (!field || !fits(field, value)) setOwn(extra, key, value);
    else {
      const read = field.read ? field.read(value) : value;
      if (read !== undefined) data[field.canonical] = read;
    }
  }
  return { data, extra };
}

function fits({ type }: MadeField, value: Json): boolean {
  return type === 'any' || typeof value === (type === 'text' ? 'string' : 'boolean');
}
