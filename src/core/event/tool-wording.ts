/**
 * The fields of a tool's input that change nothing about the action: how the model words it, and how long the agent waits for it. A model words
 * them anew with every try, so an approval must not depend on them. Everything that is not listed counts.
 */

import { digestOf, type Hash } from '../values/digest.ts';
import { isObject, type Json, type JsonObject } from '../values/json.ts';
import type { HookEvent } from './event.ts';
import { TOOL_ROWS, type ToolRow } from './tool-names.ts';

/** For every name of the same tool. */
const BY_ROW: { readonly [K in ToolRow['does']]?: readonly string[] } = {
  // A label and its reasons; how long the agent waits before it reads the output or gives up.
  shell: [
    ...['description', 'explanation', 'justification', 'goal', 'riskLevel', 'riskLevelReason', 'summary'],
    ...['timeout', 'timeout_ms', 'yield_time_ms', 'initial_wait', 'delay_ms', 'max_output_tokens'],
  ],
  // The label of a task; the task itself is its prompt.
  agent: ['description'],
  edit: ['explanation'],
  write: ['explanation'],
  read: ['explanation'],
  search: ['explanation'],
  find: ['explanation'],
  list: ['explanation'],
  fetch: ['timeout'],
};

/** For one name. */
const BY_TOOL: Readonly<Record<string, readonly string[]>> = {
  Monitor: ['description', 'timeout', 'timeout_ms'],
  monitor: ['description', 'timeout', 'timeout_ms'],
  agent: ['description'],
  invoke_agent: ['wait_for_previous'],
  write_stdin: ['yield_time_ms', 'max_output_tokens'],
  write_bash: ['delay'],
  sql: ['description'],
  session_store_sql: ['description'],
};

const WORDING: ReadonlyMap<string, readonly string[]> = new Map([
  ...TOOL_ROWS.flatMap(({ does, names }) => names.map((name) => [name, BY_ROW[does] ?? []] as const)),
  ...Object.entries(BY_TOOL),
]);

/** Returns the fields of this input that change nothing. */
export function wordingIn(tool: Json | undefined, input: Json | undefined): readonly string[] {
  const fields = typeof tool === 'string' && isObject(input) ? WORDING.get(tool) : undefined;
  return fields?.filter((field) => Object.hasOwn(input as JsonObject, field)) ?? [];
}

/** Returns the data of an event without these fields. */
export function withoutWording(data: JsonObject): JsonObject {
  const { tool, input } = data;
  const wording = wordingIn(tool, input);
  if (wording.length === 0 || !isObject(input)) return data;
  return { ...data, input: Object.fromEntries(Object.entries(input).filter(([key]) => !wording.includes(key))) as JsonObject };
}

/** Returns what counts about an action: the data of its event without the ids, notes and wording that are new with every try. */
export function actionData({ toolUseId: _, metadata: __, continuations: ___, ...data }: JsonObject): JsonObject {
  return withoutWording(data);
}

/** Returns the digest of an action and its folder, without the hooks that are asked. */
export function sameActionDigest({ kind, data, session }: HookEvent, hash: Hash): string {
  return digestOf({ kind, data: actionData(data), cwd: session.cwd }, hash);
}
