/** JSON as a type. Payloads, handler configurations and profiles consist of it. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object that a text holds as JSON; undefined if it holds none. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Returns the value as JSON, or undefined if it is a function, a symbol or cyclic. */
export function asJson(value: unknown): Json | undefined {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch {
    return undefined;
  }
}

/** Returns the value of an own key. The key may be any text, also the name of something that every object inherits. */
export function ownValue<T>(record: Readonly<Record<string, T>>, key: string | undefined): T | undefined {
  return key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Sets a property like an assignment, but keeps a `__proto__` key of a payload as data. */
export function setOwn(target: Record<string, Json>, key: string, value: Json): void {
  Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true });
}

/** Works like `JSON.stringify` at any depth, so that an attacker cannot hide a value from matchers by nesting it too deep for the stack. */
export function serialise(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch {
    return serialiseDeep(value);
  }
}

function serialiseDeep(value: Json): string {
  const parts: string[] = [];
  // The parts that are not written yet, last first: finished text or a value.
  const stack: ({ readonly text: string } | { readonly value: Json })[] = [{ value }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if ('text' in next) parts.push(next.text);
    else if (Array.isArray(next.value))
      pushAll(
        stack,
        '[',
        next.value.map((item: Json) => ['', item] as const),
        ']',
      );
    else if (isObject(next.value)) {
      const entries = Object.entries(next.value).filter((entry): entry is [string, Json] => entry[1] !== undefined);
      pushAll(
        stack,
        '{',
        entries.map(([key, item]) => [`${JSON.stringify(key)}:`, item] as const),
        '}',
      );
    } else parts.push(JSON.stringify(next.value));
  }
  return parts.join('');
}

function pushAll(
  stack: ({ readonly text: string } | { readonly value: Json })[],
  open: string,
  items: readonly (readonly [string, Json])[],
  close: string,
): void {
  stack.push({ text: close });
  for (const [index, [label, item]] of [...items.entries()].reverse()) {
    stack.push({ value: item }, { text: `${index === 0 ? '' : ','}${label}` });
  }
  stack.push({ text: open });
}
