/** Parts of new hooks that several formats share. */
import type { Scaffold, ScaffoldFile, SharedEntry } from '../../../core/contracts/dialect.ts';
import { isObject, type Json } from '../../../core/values/json.ts';

export const REASON = 'Force pushes are not allowed here.';

/** Denies by exit code 2, with the reason on stderr. */
export const BY_EXIT_CODE: readonly string[] = [`echo '${REASON}' >&2`, 'exit 2'];

/** Denies by JSON on stdout. */
export function byReply(reply: Json): readonly string[] {
  return [`echo '${JSON.stringify(reply)}'`];
}

/** Returns a script that reads the event on stdin. */
export function script(path: string, deny: readonly string[]): ScaffoldFile {
  const lines = [
    '#!/bin/sh',
    '# The event is JSON on stdin.',
    `if grep -q -e 'push.*--force'; then`,
    ...deny.map((line) => `  ${line}`),
    'fi',
  ];
  return { path, text: `${lines.join('\n')}\n` };
}

export function jsonFile(path: string, value: Json): ScaffoldFile {
  return { path, text: `${JSON.stringify(value, null, 2)}\n` };
}

/** Returns a hook of a format that has one file with entries for all hooks: the entry, a script in a folder next to it, and the folder of its test. */
export function fileWithScript(
  file: { readonly folder: string; readonly name: string; readonly value: Json },
  program: { readonly path: string; readonly deny: readonly string[] },
  tool: string,
): Scaffold {
  const { folder, name, value } = file;
  return {
    files: [{ ...jsonFile(`${folder}/${name}.json`, value), entry: entryIn(value) }, script(program.path, program.deny)],
    test: `${folder}/${name}.hooktest.yaml`,
    tool,
  };
}

/** Finds the hook in the value of a whole file: the first item of a list, or a map that is more than the way to another value. */
function entryIn(value: Json, path: readonly string[] = []): SharedEntry {
  if (Array.isArray(value)) return { path, item: value[0] as Json };
  const inner = isObject(value) ? Object.entries(value).filter(([, part]) => typeof part === 'object') : [];
  const [key, part] = inner[0] ?? [];
  return key === undefined ? { path, value } : entryIn(part as Json, [...path, key]);
}
