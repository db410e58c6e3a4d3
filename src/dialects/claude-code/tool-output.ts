/**
 * What takes the place of a tool's output counts only in the shape of that tool's own result: anything else is ignored, and the original is
 * seen. So a text that stands for it is put where the result has its text.
 */
import { isObject, type Json, type JsonObject } from '../../core/json.ts';

/** Undefined if nobody knows where in such a result the text stands. `result`: what the tool brought back, if that is known. */
export function inShapeOf(result: Json | undefined, value: Json): Json | undefined {
  if (result === undefined || isAlike(result, value)) return value;
  if (typeof value !== 'string') return undefined;
  const block = [{ type: 'text', text: value }];
  if (Array.isArray(result)) return block;
  if (!isObject(result)) return undefined;
  const { stdout, file, content } = result;
  if (typeof stdout === 'string') return { ...result, stdout: value, stderr: '' };
  if (isObject(file) && typeof file['content'] === 'string') return { ...result, file: { ...file, content: value } };
  if (Array.isArray(content)) return { ...result, content: block };
  const key = ['content', 'result'].find((name) => typeof result[name] === 'string');
  return key === undefined ? undefined : { ...result, [key]: value };
}

function isAlike(result: Json, value: Json): boolean {
  if (isObject(result)) return isObject(value) && Object.keys(result).every((key) => hasKey(value, key));
  return Array.isArray(result) ? Array.isArray(value) : typeof result === typeof value;
}

function hasKey(value: JsonObject, key: string): boolean {
  return Object.hasOwn(value, key);
}
