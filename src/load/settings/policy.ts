/**
 * Reads the policy of the machine's administrator. Another file is used only if the machine has no policy, so it cannot be evaded. A policy
 * with any problem, even a misspelt key, counts as broken and denies; it is never treated as absent.
 */
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { GuardSettings } from '../../core/contracts/guard-settings.ts';
import type { JudgeSettings } from '../../core/contracts/judge-settings.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { Entry } from '../../core/values/document.ts';
import { type Problems, problemsIn } from '../../core/values/read-document.ts';
import { readText } from '../find/read-text.ts';
import { loadFormat } from '../formats/index.ts';
import { completeGuard, readGuard } from './guard.ts';
import { readJudge } from './judge.ts';
import { systemPolicyFile } from './policy-file.ts';
import { type OnErrorSettings, type Readers, readBoolean, readEntries, readOnError, readOneOf, readStrings } from './values.ts';

export interface Policy {
  /** Files and folders of hooks that always run: absolute, or relative to the policy file. */
  readonly hooks?: readonly string[];
  /** Scopes, dialects and absolute paths. Hook files that match none of them are not loaded. */
  readonly allowedSources?: readonly string[];
  /** Load no hook files except those in `hooks`. */
  readonly managedOnly?: boolean;
  /** Names of hooks that must be able to run; otherwise every action that can be denied is denied. */
  readonly required?: readonly string[];
  /** The consequence of a fault of single hooks, by the name or the file of the hook. */
  readonly onError?: OnErrorSettings;
  /** Hooks in shadow, by name or file: they run, and their verdict is only recorded. */
  readonly shadow?: readonly string[];
  /** The model that answers `prompt` and `agent` hooks. It replaces the one in the user's settings, with its budget. */
  readonly judge?: JudgeSettings;
  /** It adds up with the user's settings. No override relaxes its protections and rules. */
  readonly guard?: GuardSettings;
  /** Users cannot trust project hooks on this machine. */
  readonly trust?: 'never';
}

export interface LoadedPolicy {
  readonly policy: Policy;
  /** Set if there is a policy that cannot be used. */
  readonly broken?: Diagnostic;
  readonly diagnostics: readonly Diagnostic[];
}

/** `given` is used only if there is no `system` file. */
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
  if ('problem' in read) return broken(file, [read.problem], 'it cannot be read');
  const parse = await loadFormat('json');
  const document = await parse(file, read.text);
  const { root, diagnostics } = document;
  const problems = problemsIn(file);
  const policy = root ? readEntries(root, 'The policy', readersFor(dialects), problems) : {};
  const guard = await completeGuard(policy.guard, document, problems);
  const said = [...diagnostics, ...problems.list];
  if (said.length > 0 || !root) return broken(file, said, root ? 'Hookline does not understand all of it' : 'it is empty');
  const hooks = policy.hooks?.map((path) => (isAbsolute(path) ? path : join(dirname(file), path)));
  return { policy: { ...policy, ...(hooks && { hooks }), ...(guard && { guard }) }, diagnostics: [] };
}

export const SCOPE_WORDS = ['user', 'project', 'plugin', 'skill', 'runtime'];

function readersFor(dialects: readonly string[]): Readers<Policy> {
  return {
    hooks: readStrings,
    allowedSources: (entry, problems) => readSources(entry, dialects, problems),
    managedOnly: readBoolean,
    required: readStrings,
    onError: readOnError,
    shadow: readStrings,
    judge: readJudge,
    guard: readGuard,
    trust: readOneOf(['never'] as const),
  };
}

function readSources(entry: Entry, dialects: readonly string[], problems: Problems): readonly string[] | undefined {
  const words = readStrings(entry, problems);
  for (const word of words ?? []) {
    if (SCOPE_WORDS.includes(word) || dialects.includes(word) || isAbsolute(word)) continue;
    const hint = `Name one of ${SCOPE_WORDS.join(', ')}, a dialect (${dialects.join(', ')}), or an absolute path.`;
    problems.report('warning', 'unknown-source', entry.value.at, `\`${word}\` is not a source of hooks.`, hint);
  }
  return words;
}

function broken(file: string, diagnostics: readonly Diagnostic[], why: string): LoadedPolicy {
  const message = `The policy ${file} cannot be used: ${why}. Until it is fixed, every action that can be denied is denied.`;
  const hint = 'Fix the file, or ask the administrator of this machine.';
  return { policy: {}, broken: { severity: 'error', code: 'broken-policy', file, message, hint }, diagnostics };
}
