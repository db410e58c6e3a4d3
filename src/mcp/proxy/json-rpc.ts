/** Messages of JSON-RPC as lines of text, as MCP sends them over stdin and stdout. */
import type { Readable } from 'node:stream';
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';

export type Id = string | number;

export interface Request {
  readonly id: Id;
  readonly method: string;
  readonly params?: Json;
}

/** A message by its kind. One that is none of these is never passed on, because the other side may read it differently. */
export type Message =
  | { readonly kind: 'request'; readonly request: Request; readonly whole: JsonObject }
  | { readonly kind: 'notification'; readonly method: string; readonly params: JsonObject; readonly whole: JsonObject }
  | { readonly kind: 'response'; readonly id: Id; readonly whole: JsonObject }
  | { readonly kind: 'invalid'; readonly why: string; readonly id: Id | null };

export function readMessage(line: string): Message {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { kind: 'invalid', why: 'it is not JSON', id: null };
  }
  if (Array.isArray(value)) return { kind: 'invalid', why: 'it is a batch, and batches are not supported', id: null };
  if (!isObject(value)) return { kind: 'invalid', why: 'it is not an object', id: null };
  const { id, method, params } = value;
  const known = isId(id) ? id : null;
  if (id !== undefined && known === null && id !== null) return { kind: 'invalid', why: 'its id is neither text nor a number', id: null };
  if (typeof method === 'string') {
    if (id === undefined) return { kind: 'notification', method, params: isObject(params) ? params : {}, whole: value };
    if (known === null) return { kind: 'invalid', why: 'its id is null', id: null };
    return { kind: 'request', request: { id: known, method, ...(params !== undefined && { params }) }, whole: value };
  }
  if (method !== undefined) return { kind: 'invalid', why: 'its method is not text', id: known };
  if (known !== null && ('result' in value || 'error' in value)) return { kind: 'response', id: known, whole: value };
  return { kind: 'invalid', why: 'it is neither a request nor a response', id: known };
}

function isId(id: unknown): id is Id {
  return typeof id === 'string' || typeof id === 'number';
}

/** Tells `1` from `"1"`. */
export function keyOf(id: Id): string {
  return `${typeof id}:${id}`;
}

export function resultMessage(id: Id, result: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, result };
}

export function errorMessage(id: Id | null, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: errorOf(code, message) };
}

export function errorOf(code: number, message: string): JsonObject {
  return { code, message };
}

export const INVALID_REQUEST = -32_600;
export const INVALID_PARAMS = -32_602;
export const SERVER_GONE = -32_000;

/** The largest message. A longer one ends the connection, because the rest of it cannot be told from the next message. */
export const MOST_BYTES = 32 * 1024 * 1024;

/** Calls `take` for each line and `tooLong` once for a line over the limit; nothing is read after that. */
export function readLines(stream: Readable, take: (line: string) => void, tooLong: () => void, mostBytes = MOST_BYTES): void {
  let parts: Buffer[] = [];
  let size = 0;
  let isOver = false;
  stream.on('data', (chunk: Buffer) => {
    let rest = chunk;
    for (let end = rest.indexOf(NEWLINE); !isOver && end !== -1; end = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...parts, rest.subarray(0, end)]).toString('utf8');
      [parts, size] = [[], 0];
      rest = rest.subarray(end + 1);
      if (line.trim() !== '') take(line);
    }
    if (isOver || rest.length === 0) return;
    parts.push(rest);
    size += rest.length;
    if (size <= mostBytes) return;
    isOver = true;
    parts = [];
    tooLong();
  });
}

const NEWLINE = 10;
