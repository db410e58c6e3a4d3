/** The action of a ticket as text that a person reads and edits. */
import type { Json } from '../../../src/core/values/json.ts';

export interface ActionText {
  readonly text: string;
  /** The name of the only field that is shown; null if the text is all of the input. */
  readonly field: string | null;
  /** The other fields, for the eye. */
  readonly rest: Readonly<Record<string, Json>>;
}

const COMMANDS = ['command', 'cmd', 'script'] as const;

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function actionText(input: Json): ActionText {
  if (typeof input === 'string') return { text: input, field: null, rest: {} };
  if (isObject(input)) {
    const field = COMMANDS.find((name) => typeof input[name] === 'string');
    if (field) {
      const { [field]: text, ...rest } = input;
      return { text: text as string, field, rest };
    }
  }
  return { text: JSON.stringify(input, null, 2) ?? '', field: null, rest: {} };
}

/** Returns the whole input with the edited text. Throws a SyntaxError if it must be JSON and is not. */
export function editedInput(input: Json, text: string): Json {
  const { field } = actionText(input);
  if (typeof input === 'string') return text;
  if (field !== null && isObject(input)) return { ...input, [field]: text };
  return JSON.parse(text) as Json;
}
