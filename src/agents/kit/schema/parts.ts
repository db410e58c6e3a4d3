/**
 * Parts of the JSON Schemas for hook files. The schema of a format is made of the facts that its loader reads by: the events of the profile and
 * the lists of fields. A field without a meaning is an error, so a schema cannot lag behind its loader.
 */
import type { Profile } from '../../../core/meaning/profile.ts';
import type { JsonObject } from '../../../core/values/json.ts';

export type Meanings = Readonly<Record<string, JsonObject>>;

/** Keys that people use for comments in JSON. */
const COMMENTS = { '^([_#$]|//|comment$|id$)': {} };

export function text(description: string, more: JsonObject = {}): JsonObject {
  return { type: 'string', description, ...more };
}

/** A text that is not blank. */
export function words(description: string, more: JsonObject = {}): JsonObject {
  return text(description, { pattern: '\\S', ...more });
}

export function flag(description: string): JsonObject {
  return { type: 'boolean', description };
}

export function above0(description: string): JsonObject {
  return { type: 'number', exclusiveMinimum: 0, description };
}

export function whole(description: string, least: number, most?: number): JsonObject {
  return { type: 'integer', minimum: least, ...(most !== undefined && { maximum: most }), description };
}

export function texts(description: string): JsonObject {
  return { type: 'array', items: { type: 'string' }, description };
}

export function variables(description: string): JsonObject {
  return { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] }, description };
}

/** A map with these fields and no others. */
export function closed(fields: readonly string[], meanings: Meanings, required: readonly string[] = [], more: JsonObject = {}): JsonObject {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field, meaningOf(field, meanings)])),
    required: [...required],
    patternProperties: COMMENTS,
    additionalProperties: false,
    ...more,
  };
}

/** A file in which other programs have keys of their own. */
export function open(meanings: Meanings, required: readonly string[] = []): JsonObject {
  return { type: 'object', properties: { ...meanings }, required: [...required] };
}

function meaningOf(field: string, meanings: Meanings): JsonObject {
  const meaning = meanings[field];
  if (!meaning) throw new Error(`The field \`${field}\` has no meaning in the schema.`);
  return meaning;
}

/** One handler for each type. The type decides which fields there are. */
export function handlers(
  fieldsOf: Readonly<Record<string, readonly string[]>>,
  meanings: Meanings,
  required: Readonly<Record<string, readonly string[]>>,
): JsonObject {
  return anyOf(
    ...Object.entries(fieldsOf).map(([type, fields]) => {
      const itsType = { const: type, description: TYPES[type] ?? `A handler of type \`${type}\`.` };
      return closed(fields, { ...meanings, type: itsType }, ['type', ...(required[type] ?? [])]);
    }),
  );
}

const TYPES: Readonly<Record<string, string>> = {
  command: 'A command is run. It reads the event from stdin.',
  http: 'The event is sent to an address.',
  prompt: 'A language model judges the event by a prompt.',
  agent: 'A language model judges the event, with tools that only read.',
  mcp_tool: 'A tool of an MCP server is called with the event.',
};

/** A handler of Hookline's own, for formats that may name one. */
export const OWN_HANDLER: JsonObject = {
  type: 'object',
  properties: {
    type: { const: 'guard', description: "Hookline's guard judges the tool that is about to be used." },
    preset: text('The strictness of the guard.'),
    packs: texts('Packs of rules in addition to the usual ones.'),
  },
  required: ['type'],
};

export function anyOf(...schemas: readonly JsonObject[]): JsonObject {
  return { anyOf: [...schemas] };
}

export function list(items: JsonObject, description?: string): JsonObject {
  return { type: 'array', items, ...(description !== undefined && { description }) };
}

/** The hooks of a group, which share a matcher. */
export function grouped(handler: JsonObject): JsonObject {
  return list(handler, 'The hooks that run if the group matches.');
}

/**
 * The map of events under `hooks`: its keys are the events of the format and `others`.
 * @param spellings returns the ways in which a file may write the name of an event
 */
export function events(
  profile: Profile,
  entry: JsonObject,
  others: Meanings = {},
  spellings: (name: string) => readonly string[] = (name) => [name],
): JsonObject {
  const described = Object.entries(profile.events).flatMap(([name, { kinds, grants }]) => {
    const can = grants.length === 0 ? 'A hook here only observes.' : `A hook here can: ${grants.join(', ')}.`;
    const description = `Fires on ${kinds.map((kind) => `\`${kind}\``).join(', ')}. ${can}`;
    return spellings(name).map((spelling) => [spelling, { ...entry, description }] as const);
  });
  return {
    type: 'object',
    description: 'One key for each event.',
    properties: { ...Object.fromEntries(described), ...others },
    patternProperties: COMMENTS,
    additionalProperties: false,
  };
}

/** A text that is one of the profile's events. */
export function eventName(profile: Profile, description: string, others: readonly string[] = []): JsonObject {
  return { enum: [...Object.keys(profile.events), ...others], description };
}

/** The fields that most formats share. */
export const COMMON: Meanings = {
  command: words('The command. A shell runs it. It reads the event from stdin as JSON.'),
  url: words('The address that receives the event, in full.', { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[^/\\s]' }),
  headers: variables('The headers of the request.'),
  allowedEnvVars: texts('The variables that `$NAME` in a header may stand for.'),
  prompt: words('The rule that the model judges the event by.'),
  model: text('The model, by the name that the agent has for it.'),
  agent: words('The name of the agent that verifies the event.'),
  server: words('The name of an MCP server in the configuration of the agent.'),
  tool: words('The name of a tool of that server.'),
  input: { type: 'object', description: 'The input of the tool. It can contain values of the event.' },
  matcher: text('The tools, or the causes, that the hook is for. Everything, if it is left out.'),
  name: text('The name of the hook, for lists and reports.'),
  description: text('The purpose of the hook.'),
  required: flag('Read by Hookline alone: if the hook applies and does not run, the action is denied.'),
  async: flag('The agent does not wait for the hook.'),
  env: variables('Variables for the environment of the command.'),
  statusMessage: text('Shown while the hook runs.'),
  shell: text('The shell that runs the command.'),
  if: text("A condition on the tool and its input, in the agent's own format."),
  once: flag('The hook runs once in a session.'),
};

export function schemaOf(title: string, file: string, body: JsonObject): JsonObject {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, description: `A schema for ${file}.`, ...body };
}
