/**
 * The part of JSON Schema that the routes are written in. The same literals check requests and document them. A value that fails names its place, what
 * is wrong and what is expected.
 */
import { isObject, ownValue } from '../core/values/json.ts';

export interface Schema {
  readonly type?: SchemaType | readonly SchemaType[];
  readonly description?: string;
  readonly enum?: readonly (string | number | null)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
}

type SchemaType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'null';

/** Returns what is wrong with a value, or undefined. Covers what requests use; answers are checked by the tests. */
export function problemIn(value: unknown, schema: Schema, place: string): string | undefined {
  const types = schema.type === undefined ? [] : [schema.type].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) return `${place} must be ${types.map(typeText).join(' or ')}`;
  if (schema.enum && !schema.enum.some((one) => one === value)) return `${place} must be one of ${schema.enum.join(', ')}`;
  if (typeof value === 'number') return problemInNumber(value, schema, place);
  if (typeof value === 'string') return problemInText(value, schema, place);
  if (Array.isArray(value)) return problemInList(value, schema, place);
  return isObject(value) ? problemInObject(value, schema, place) : undefined;
}

function problemInNumber(value: number, { minimum, maximum }: Schema, place: string): string | undefined {
  if (minimum !== undefined && value < minimum) return `${place} must be at least ${minimum}`;
  return maximum !== undefined && value > maximum ? `${place} must be at most ${maximum}` : undefined;
}

function problemInText(value: string, { minLength, maxLength, pattern }: Schema, place: string): string | undefined {
  if (minLength !== undefined && value.length < minLength) return `${place} must have at least ${minLength} characters`;
  if (maxLength !== undefined && value.length > maxLength) return `${place} must have at most ${maxLength} characters`;
  return pattern !== undefined && !new RegExp(pattern, 'u').test(value) ? `${place} must match ${pattern}` : undefined;
}

function problemInList(value: readonly unknown[], { items, minItems, maxItems }: Schema, place: string): string | undefined {
  if (minItems !== undefined && value.length < minItems) return `${place} must have at least ${minItems} items`;
  if (maxItems !== undefined && value.length > maxItems) return `${place} must have at most ${maxItems} items`;
  return items && first(value.map((one, i) => problemIn(one, items, `${place}[${i}]`)));
}

function problemInObject(
  value: Readonly<Record<string, unknown>>,
  { properties = {}, required = [], additionalProperties = true }: Schema,
  place: string,
): string | undefined {
  const missing = required.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return `${place} lacks \`${missing}\``;
  return first(
    Object.entries(value).map(([name, one]) => {
      const known = ownValue(properties, name);
      if (known) return problemIn(one, known, `\`${name}\``);
      return additionalProperties === false ? `${place} has no \`${name}\`; it has ${Object.keys(properties).join(', ')}` : undefined;
    }),
  );
}

function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}

function isOfType(value: unknown, type: SchemaType): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isSafeInteger(value);
    default:
      return typeof value === type;
  }
}

function typeText(type: SchemaType): string {
  return type === 'null' ? type : /^[aio]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** An object that has exactly these properties. `optional` names those that may be absent. */
export function exactly(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** An object that has at least these properties. */
export function atLeast(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

export function listOf(items: Schema): Schema {
  return { type: 'array', items };
}

export function orNull(schema: Schema): Schema {
  return schema.$ref === undefined && typeof schema.type === 'string'
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}

export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

export const TEXT: Schema = { type: 'string' };
export const COUNT: Schema = { type: 'integer', minimum: 0 };
export const NUMBER: Schema = { type: 'number' };
export const FLAG: Schema = { type: 'boolean' };
/** Milliseconds since the epoch. */
export const TIME: Schema = { type: 'number', description: 'Milliseconds since the epoch.' };
export const ANY: Schema = {};
