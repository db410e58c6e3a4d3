/** The six fields of a hook's output, read from whatever came: JSON in snake_case, or an object made in code in camelCase. */
import { asJson, isObject, type Json } from '../../core/values/json.ts';

/** The fields of a hook's reply. Absent and null mean the same. */
export interface OutputFields {
  /** `false` blocks, where the event can be blocked. */
  readonly continueExecution: boolean;
  readonly stopReason?: string;
  readonly suppressLogging: boolean;
  /** Goes into the agent's context, before `additionalContext`. */
  readonly systemMessage?: string;
  /** Replaces the tool's input; only before a tool runs. */
  readonly updatedInput?: Json;
  readonly additionalContext?: string;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const FIELDS = [
  ['continueExecution', 'continue_execution', 'boolean'],
  ['stopReason', 'stop_reason', 'string'],
  ['suppressLogging', 'suppress_logging', 'boolean'],
  ['systemMessage', 'system_message', 'string'],
  ['updatedInput', 'updated_input', 'json'],
  ['additionalContext', 'additional_context', 'string'],
] as const satisfies readonly (readonly [keyof OutputFields, string, 'boolean' | 'string' | 'json'])[];

/** The fields by the names that commands write. */
export const OUTPUT_KEYS: readonly string[] = FIELDS.map(([, snake]) => snake);

const WORDS = { boolean: 'true or false', string: 'text', json: 'JSON' } as const;

/**
 * The fields of an output, or a sentence that says what is wrong with it: a field of the wrong type may be a misspelt refusal,
 * so it is never read as consent. Unknown fields are ignored.
 */
export function readOutput(value: object, spelling: 'snake' | 'both'): OutputFields | string {
  const output: Mutable<OutputFields> = { continueExecution: true, suppressLogging: false };
  for (const [camel, snake, type] of FIELDS) {
    const [name, given] = pick(value, camel, snake, spelling);
    if (given === undefined || given === null) continue;
    const read = type === 'json' ? asJson(given) : given;
    if (read === undefined || (type !== 'json' && typeof read !== type)) {
      return `\`${name}\` must be ${WORDS[type]}, found ${isObject(given) ? 'an object' : Array.isArray(given) ? 'a list' : String(given)}.`;
    }
    // The table says which type belongs to which field, and the line above has checked it.
    (output as Record<string, unknown>)[camel] = read;
  }
  return output;
}

function pick(value: object, camel: string, snake: string, spelling: 'snake' | 'both'): [string, unknown] {
  const fields = value as Record<string, unknown>;
  // An output that is built in code has builders by the names of some fields, and their values in the other spelling.
  const isBuilder = typeof fields[camel] === 'function' && Object.hasOwn(fields, snake);
  const inCamel = spelling === 'both' && !isBuilder ? fields[camel] : undefined;
  return inCamel === undefined || inCamel === null ? [snake, fields[snake]] : [camel, inCamel];
}
