/** Applies the policy of the machine to hook files: loads those that always run, and decides which others may be loaded. */
import path from 'node:path';
import type { Agent } from '../core/contracts/agent.ts';
import type { MissingProtection } from '../core/contracts/hook.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { checkPattern } from '../engine/select/compile.ts';
import type { SourceFile } from './find/discover.ts';
import { isBelow, realPath } from './find/folders.ts';
import { allAt } from './find/hook-paths.ts';
import { type HookSource, loadHooks } from './load-hooks.ts';
import { type LoadedPolicy, type Policy, readPolicy } from './settings/policy.ts';

export interface Managed {
  readonly policy: Policy;
  readonly hooks: readonly HookSource[];
  /** Problems that deny every action until they are fixed. */
  readonly missing: readonly MissingProtection[];
  readonly diagnostics: readonly Diagnostic[];
  /** Returns the other files that may be loaded, and a diagnostic for each that may not. */
  permitted(sources: readonly SourceFile[]): { readonly sources: readonly SourceFile[]; readonly diagnostics: readonly Diagnostic[] };
}

/** `policyFile` is used only if the machine has no policy. */
export async function loadManaged(policyFile: string | undefined, agents: readonly Agent[]): Promise<Managed> {
  const loaded = await readPolicy(
    policyFile,
    agents.map(({ id }) => id),
  );
  const { policy, diagnostics } = loaded;
  const enforced = await loadEnforced(loaded, agents);
  const own = new Set(enforced.files);
  return {
    policy,
    hooks: enforced.hooks,
    missing: enforced.missing,
    diagnostics: [...diagnostics, ...enforced.diagnostics],
    permitted(sources) {
      // It is unknown what a broken policy permits.
      if (loaded.broken) return { sources: [], diagnostics: [] };
      const others = own.size === 0 ? sources : sources.filter(({ file }) => !own.has(realPath(file) ?? file));
      const kept = others.filter((source) => isPermitted(source, policy));
      return { sources: kept, diagnostics: others.filter((source) => !kept.includes(source)).map(sayKeptOut) };
    },
  };
}

interface Enforced {
  readonly hooks: readonly HookSource[];
  readonly files: readonly string[];
  readonly missing: readonly MissingProtection[];
  readonly diagnostics: readonly Diagnostic[];
}

async function loadEnforced({ policy, broken }: LoadedPolicy, agents: readonly Agent[]): Promise<Enforced> {
  const missing: MissingProtection[] = broken ? [missingProtection(broken)] : [];
  if (!policy.hooks || policy.hooks.length === 0) return { hooks: [], files: [], missing, diagnostics: [] };
  const sources: SourceFile[] = [];
  for (const given of policy.hooks) {
    const found = allAt(path.resolve(given), agents);
    if ('severity' in found)
      missing.push(missingProtection({ ...found, severity: 'error', hint: 'The policy enforces hooks from this path. Restore them.' }));
    else sources.push(...found.map(asManaged));
  }
  const { hooks, diagnostics } = await loadHooks(sources, checkPattern, Number.POSITIVE_INFINITY);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  return {
    // If an enforced hook cannot run, the action is denied.
    hooks: hooks.map((source) => ({ ...source, hook: source.hook.enabled ? { ...source.hook, required: true } : source.hook })),
    files: sources.map(({ file }) => realPath(file) ?? file),
    missing: [...missing, ...errors.map(missingProtection)],
    diagnostics: diagnostics.filter(({ severity }) => severity !== 'error'),
  };
}

function missingProtection(diagnostic: Diagnostic): MissingProtection {
  return { by: 'the policy of this machine', diagnostic, isManaged: true };
}

function asManaged(source: SourceFile): SourceFile {
  return { ...source, scope: 'managed', trusted: true, idPrefix: `${source.dialect.id}:managed${source.file}` };
}

function isPermitted(source: SourceFile, { managedOnly, allowedSources }: Policy): boolean {
  if (managedOnly) return false;
  if (!allowedSources) return true;
  const { scope, kind, dialect, file } = source;
  const words: readonly string[] = [scope, dialect.id, ...(kind === 'plugin' || kind === 'skill' ? [kind] : [])];
  const real = realPath(file) ?? file;
  return allowedSources.some((word) => words.includes(word) || (path.isAbsolute(word) && isBelow(real, realPath(word) ?? word)));
}

function sayKeptOut({ file }: SourceFile): Diagnostic {
  const message = 'The policy of this machine does not permit hooks from this file, so none of them is loaded.';
  return { severity: 'warning', code: 'kept-out-by-policy', file, message, hint: 'Ask the administrator of this machine.' };
}
