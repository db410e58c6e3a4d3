/** What most payloads come down to: a native key for a canonical one, and what nobody has a field for is kept as metadata. */
import { type Json, type JsonObject, setOwn } from './json.ts';

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
