/**
 * The policy of whoever manages the machine. It can't be evaded: another file counts only where the machine has none. One that can't be
 * used as it stands, down to a misspelt key, is broken, and nobody may act as if it were not there.
 */
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { Entry } from '../../core/values/document.ts';
import { type Problems, problemsIn } from '../../core/values/read-document.ts';
import { readText } from '../find/read-text.ts';
import { loadFormat } from '../formats/index.ts';
import { type Readers, readBoolean, readEntries, readOneOf, readWords } from './values.ts';

export interface Policy {
  /** Files and folders of hooks that run always: absolute, or as seen from the policy. */
  readonly hooks?: readonly string[];
  /** Scopes, dialects and absolute paths; whatever is none of them is not loaded. */
  readonly allowedSources?: readonly string[];
  /** No hook file but those above is loaded. */
  readonly managedOnly?: boolean;
  /** Names of hooks without which nothing goes ahead. */
  readonly required?: readonly string[];
  /** Project hooks may not be trusted here. */
  readonly trust?: 'never';
}

export interface LoadedPolicy {
  readonly policy: Policy;
  /** Set if there is a policy that can't be used. */
  readonly broken?: Diagnostic;
  readonly diagnostics: readonly Diagnostic[];
}

export function systemPolicyFile(platform: NodeJS.Platform = process.platform, env: NodeJS.ProcessEnv = process.env): string {
  if (platform === 'darwin') return '/Library/Application Support/Hookline/policy.json';
  if (platform === 'win32') return `${env['ProgramData'] ?? 'C:\\ProgramData'}\\Hookline\\policy.json`;
  return '/etc/hookline/policy.json';
}

/** `given` counts only if there is no `system` file. */
export async function readPolicy(
  given: string | undefined,
  dialects: readonly string[],
  system: string = systemPolicyFile(),
): Promise<LoadedPolicy> {
  const own = readText(system);
  if (own === undefined && given === undefined) return { policy: {}, diagnostics: [] };
  const file = own === undefined && given !== undefined ? resolve(given) : system;
  const read = own ?? readText(file);
  if (read === undefined) return broken(file, [], 'it does not exist');
  if ('problem' in read) return broken(file, [read.problem], 'it can not be read');
  const parse = await loadFormat('json');
  const { root, diagnostics } = await parse(file, read.text);
  const complaints = problemsIn(file);
  const policy = root ? readEntries(root, 'The policy', readersFor(dialects), complaints) : {};
  const said = [...diagnostics, ...complaints.list];
  if (said.length > 0 || !root) return broken(file, said, root ? 'not all of it is understood' : 'it holds no policy');
  const hooks = policy.hooks?.map((path) => (isAbsolute(path) ? path : join(dirname(file), path)));
  return { policy: { ...policy, ...(hooks && { hooks }) }, diagnostics: [] };
}

export const SCOPE_WORDS = ['user', 'project', 'plugin', 'skill', 'runtime'];

function readersFor(dialects: readonly string[]): Readers<Policy> {
  return {
    hooks: readWords,
    allowedSources: (entry, complaints) => readSources(entry, dialects, complaints),
    managedOnly: readBoolean,
    required: readWords,
    trust: readOneOf(['never'] as const),
  };
}

function readSources(entry: Entry, dialects: readonly string[], complaints: Problems): readonly string[] | undefined {
  const words = readWords(entry, complaints);
  for (const word of words ?? []) {
    if (SCOPE_WORDS.includes(word) || dialects.includes(word) || isAbsolute(word)) continue;
    const hint = `Name one of ${SCOPE_WORDS.join(', ')}, a dialect (${dialects.join(', ')}), or an absolute path.`;
    complaints.say('warning', 'unknown-source', entry.value.at, `\`${word}\` is no source of hooks.`, hint);
  }
  return words;
}

function broken(file: string, diagnostics: readonly Diagnostic[], why: string): LoadedPolicy {
  const message = `The policy ${file} can not be used: ${why}. Until it can, whatever can be denied is denied.`;
  const hint = 'Mend the file, or ask whoever manages this machine.';
  return { policy: {}, broken: { severity: 'error', code: 'broken-policy', file, message, hint }, diagnostics };
}
