/** The input of a tool: the values of the hook, with parts of the event in place of their marks. */
import { isObject, type Json, type JsonObject } from '../../core/values/json.ts';

/** `${tool_input.file_path}`: keys of the event, outermost first. */
const MARK = /\$\{([A-Za-z_][\w-]*(?:\.[\w-]+)*)\}/g;

/** A part that the event lacks is an empty text, and a part that is no text is written as JSON. */
export function filledInput(input: JsonObject, payload: JsonObject): JsonObject {
  return filled(input, payload) as JsonObject;
}

function filled(value: Json, payload: JsonObject): Json {
  if (typeof value === 'string') return value.replace(MARK, (_, path: string) => textAt(payload, path));
  if (Array.isArray(value)) return value.map((item) => filled(item as Json, payload));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, filled(item as Json, payload)]));
}

function textAt(payload: JsonObject, path: string): string {
  let here: Json | undefined = payload;
  for (const key of path.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return '';
    here = (here as Readonly<Record<string, Json>>)[key];
  }
  return typeof here === 'string' ? here : (JSON.stringify(here) ?? '');
}
