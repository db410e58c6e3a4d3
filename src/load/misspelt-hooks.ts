/** Reports a key that is most likely meant as `hooks`, or an event that should be below it, in a file from which no hook is read. */
import type { Diagnostic } from '../core/values/diagnostic.ts';
import type { MapNode, Node } from '../core/values/document.ts';
import { suggest } from '../core/values/suggest.ts';
import type { SourceFile } from './find/discover.ts';

export function misspeltHooks(root: MapNode, { file, dialect }: Pick<SourceFile, 'file' | 'dialect'>): Diagnostic[] {
  const events = Object.keys(dialect.profile.events);
  const astray = root.entries.find(({ key, value }) => events.includes(key) && value.kind !== 'scalar');
  if (astray) {
    const message = `\`${astray.key}\` stands outside of \`hooks\`, so no hook there runs.`;
    return [{ severity: 'error', code: 'missing-field', file, ...astray.at, message, hint: 'Put the events under `hooks`.' }];
  }
  const entry = root.entries.find(({ key, value }) => holdsEvents(value, events) || (isNear(key) && value.kind !== 'scalar'));
  if (!entry) return [];
  const { line, column } = entry.at;
  const message = `\`${entry.key}\` is not a key of this file, so the hooks below it never run.`;
  return [{ severity: 'error', code: 'unknown-field', file, line, column, message, hint: 'Did you mean `hooks`?' }];
}

/** `tools` and `books` are as near to `hooks` as some slips of the pen, so the word must begin like it. */
function isNear(key: string): boolean {
  return /^_*ho/i.test(key) && suggest(key, ['hooks']) !== undefined;
}

function holdsEvents(node: Node, events: readonly string[]): boolean {
  return node.kind === 'map' && node.entries.some(({ key, value }) => events.includes(key) && value.kind !== 'scalar');
}
