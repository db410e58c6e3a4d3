/**
 * Decides whether a hook may run: it must be trusted, and its commands must pass the audit. A project hook is trusted by the content of its
 * files, so they are read again before every run. The guard is loaded only when it is needed.
 */

import type { Dialect } from '../core/contracts/dialect.ts';
import type { DescribeHandler } from '../core/contracts/handler.ts';
import { type Hook, isCalled, type MissingProtection, type Requirements } from '../core/contracts/hook.ts';
import type { Waiver } from '../core/contracts/waiver.ts';
import type { Diagnostic } from '../core/values/diagnostic.ts';
import { quotedPath } from '../core/values/quoted-path.ts';
import { ADMITTED, type Admission, type NotAdmitted, type Ports } from '../engine/ports.ts';
import type { AuditedFinding } from '../guard/index.ts';
import type { ResolvedPlaces } from '../load/find/places.ts';
import type { Memory } from '../load/memory.ts';
import type { LoadedSources } from '../load/sources.ts';
import { auditVerdict, blockingDiagnostics } from './audit-verdict.ts';
import { createPins, type Pins, type TrustPins } from './lock-file.ts';
import type { LostHooks } from './lost-hooks.ts';
import { auditOnce } from './remembered-audit.ts';
import { isEntryOf, openTrust, type Trust, type TrustEntry } from './trust-file.ts';

interface AdmissionRules {
  readonly trustAll: boolean;
  /** Whether a hook may ask not to be audited. */
  readonly allowSkipAudit: boolean;
  /** Findings that the user's settings accept. */
  readonly waivers: readonly Waiver[];
  /** Globs of files that trust in a folder leaves out. */
  readonly ignores: readonly string[];
  readonly trust: Trust;
  readonly pins: Pins | undefined;
  /** Where audits that passed are remembered; undefined: nowhere. */
  readonly memory: Memory | undefined;
  /** The project. Trust in one clone does not apply to another. */
  readonly root: string;
  /** Whether project hooks may be trusted at all. */
  mayTrust(): boolean;
  /** Whether a hook comes from a place that needs no further trust. */
  isTrustedPlace(hook: Hook): boolean;
  dialectOf(hook: Hook): Dialect;
  readonly describe: DescribeHandler;
}

function admitBy(rules: AdmissionRules): Ports['admit'] {
  const { trust, pins, root } = rules;
  return (hook, cwd) => {
    if (hook.run) return ADMITTED;
    if (rules.isTrustedPlace(hook)) return auditOnly(rules, hook);
    // Registered by the caller's own code, so there is no file to trust or audit.
    if (hook.source.scope === 'runtime') return ADMITTED;
    if (!rules.mayTrust()) return { ...untrusted(hook), skipReason: 'the policy of this machine does not permit project hooks', fix: ASK };
    if (rules.trustAll) return auditOnly(rules, hook, 'trusted');
    trust.refresh();
    if (trust.isEmpty(root) && !pins?.isAbout(hook)) return untrusted(hook);
    return byDigest(rules, hook, cwd);
  };
}

const ASK = 'Ask the administrator of this machine.';
const ADD = 'Review the hook, then run `hookline trust add`.';
const AGAIN = 'Review the change with `hookline trust diff`, then run `hookline trust add`, or `hookline trust remove`.';
const REPINNED = 'Review the hook, then pin its current digest.';

function untrusted(hook: Hook): NotAdmitted {
  const once = notActive(hook, { code: 'untrusted-hook' }, 'is not trusted yet', ADD);
  return { admitted: false, cause: 'untrusted', trust: 'untrusted', skipReason: 'untrusted', fix: ADD, diagnostics: [], once };
}

/** A gate that a person trusted and that is now another one has no consent to give: it denies. */
function modified(hook: Hook, fix: string = AGAIN): NotAdmitted {
  const once = notActive(hook, { code: 'modified-hook' }, 'has changed since it was trusted', fix);
  const skip = 'modified since it was trusted';
  return { admitted: false, cause: 'modified', trust: 'modified', skipReason: skip, fix, diagnostics: [], once, denies: true };
}

/** A file of the hook changes while the hook is checked, so the file that is checked may not be the file that runs. */
function unsettled(hook: Hook, what: string): NotAdmitted {
  const skip = `${what} while it was checked`;
  return { ...modified(hook), skipReason: skip, once: notActive(hook, { code: 'modified-hook' }, `cannot be checked: ${skip}`, AGAIN) };
}

function denied(hook: Hook): NotAdmitted {
  const fix = `To trust it after all, run \`hookline trust add ${quotedPath(hook.source.file)}\`.`;
  return { admitted: false, cause: 'denied', trust: 'denied', skipReason: 'its trust was refused', fix, diagnostics: [] };
}

function notActive({ name, source }: Hook, { code }: Pick<Diagnostic, 'code'>, why: string, hint: string): Diagnostic {
  const { file, line } = source;
  const message = `Protection not active: hook \`${name}\` ${why}, so it does not run.`;
  return { severity: 'warning', code, file, ...(line !== undefined && { line }), message, hint };
}

async function auditOnly(rules: AdmissionRules, hook: Hook, trust?: 'trusted'): Promise<Admission> {
  const { describe, memory, root, ignores } = rules;
  const audit = await auditOnce(memory, hook, { describe, cwd: root, folder: rules.dialectOf(hook).profile.load.auditFolder, ignores });
  const admitted: Admission = trust ? { admitted: true, trust } : ADMITTED;
  if (audit.passed) return admitted;
  const { hookDigest } = await import('./hook-digest.ts');
  return keptOut(rules, hook, audit.findings, () => hookDigest(hook, audit.files, rules.root), trust) ?? admitted;
}

async function byDigest(rules: AdmissionRules, hook: Hook, first: string): Promise<Admission> {
  const guard = await import('../guard/index.ts');
  const { admitFiles } = await import('./admitted-files.ts');
  const { trust, pins, root, ignores } = rules;
  const folder = rules.dialectOf(hook).profile.load.auditFolder;
  const audit = (cwd: string) => guard.auditHook(hook, { describe: rules.describe, cwd, project: root, folder, ignores });
  const look = (cwd: string) => {
    const report = audit(cwd);
    const files = admitFiles(hook, root, report.files, () => audit(cwd).files);
    const { print } = files;
    return { report, files, print, state: pins?.accepts(hook, print.digest) ? 'trusted' : trust.stateOf(hook, print, root) };
  };
  const check = (cwd: string): Admission => {
    if (!rules.mayTrust()) return { ...untrusted(hook), fix: ASK };
    trust.refresh();
    const here = look(cwd);
    if (here.state === 'denied') return denied(hook);
    // An agent must not get past a gate by changing its folder, so the trusted files run where they are trusted.
    const home = here.state !== 'trusted' && cwd !== root ? look(root) : undefined;
    const isElsewhere = home?.state === 'trusted';
    const { report, files, print, state } = isElsewhere ? home : here;
    if (state === 'modified') return modified(hook);
    // A pin is trust too, so a hook that differs from its pin has changed.
    if (state === 'untrusted' && pins?.isAbout(hook))
      return { ...modified(hook, REPINNED), diagnostics: pins.mismatch(hook, print.digest) };
    if (state === 'untrusted') return untrusted(hook);
    if (files.unsettled !== undefined) return unsettled(hook, `\`${files.unsettled}\` was written or replaced`);
    const kept = keptOut(rules, hook, report.findings, () => print.digest, 'trusted');
    if (kept) {
      // The audit read the files before they were marked, so a swapped file may have kept the hook out.
      const verdict = keptOut(rules, hook, audit(isElsewhere ? root : cwd).findings, () => print.digest, 'trusted');
      const what = files.changedSince();
      if (what !== undefined || !verdict) return unsettled(hook, what ?? 'its files changed');
      return verdict;
    }
    const vouched = { digest: print.digest, root, ...(ignores.length > 0 && { ignores }) };
    const place = isElsewhere ? { runsIn: root } : {};
    return { admitted: true, trust: 'trusted', vouched, ...place, again: check, changedSince: files.changedSince };
  };
  return check(first);
}

function keptOut(
  { allowSkipAudit, waivers }: AdmissionRules,
  hook: Hook,
  findings: readonly AuditedFinding[],
  digest: () => string,
  trust: 'trusted' | undefined,
): NotAdmitted | undefined {
  const verdict = auditVerdict(hook, findings, { allowSkip: allowSkipAudit, waivers }, digest);
  if (verdict.blocking.length === 0) return undefined;
  const diagnostics = blockingDiagnostics(hook, verdict);
  const fix = 'Fix what `hookline audit` reports.';
  return { admitted: false, cause: 'audit', skipReason: 'kept out by the security audit', fix, diagnostics, ...(trust && { trust }) };
}

const NONE_LOST: LostHooks = { missing: [], diagnostics: [] };

export interface AdmissionOptions {
  readonly places: Pick<ResolvedPlaces, 'root' | 'stateFolder'>;
  readonly dialects: readonly Dialect[];
  readonly describe: DescribeHandler;
  readonly trust: 'ask' | 'all' | TrustPins;
  readonly allowSkipAudit: boolean;
  readonly waivers: readonly Waiver[];
  /** Globs of files that trust in a folder leaves out. */
  readonly ignores?: readonly string[];
  /** Where audits that passed are remembered; undefined: nowhere. */
  readonly memory: Memory | undefined;
  /** Names of the hooks that the user's settings require. */
  readonly required: readonly string[];
  isTrustedPlace(hook: Hook): boolean;
  /** The dialects whose files are loaded; absent: all. */
  readonly only?: readonly string[] | undefined;
}

/** Decides for one engine which hooks may run and which protection is missing. */
export interface Admitting {
  readonly admit: Ports['admit'];
  /** Returns what the hooks that were just loaded must satisfy, and the problems with trust in them. */
  review(loaded: LoadedSources): Promise<{ readonly requirements: Requirements; readonly diagnostics: readonly Diagnostic[] }>;
}

export function createAdmission(options: AdmissionOptions): Admitting {
  const { places, dialects, describe, allowSkipAudit, waivers, memory, isTrustedPlace } = options;
  const { root, stateFolder } = places;
  const trust = openTrust(stateFolder);
  const pins = typeof options.trust === 'object' ? createPins(options.trust, root) : undefined;
  let mayTrust = true;
  const admit = admitBy({
    trustAll: options.trust === 'all',
    allowSkipAudit,
    waivers,
    ignores: options.ignores ?? [],
    trust,
    pins,
    memory,
    root,
    mayTrust: () => mayTrust,
    isTrustedPlace,
    dialectOf: (hook) => dialects.find(({ id }) => id === hook.dialect) as Dialect,
    describe,
  });

  /** A project hook satisfies a required name only if it may run, because a project could bring any hook of that name. */
  const missing = async (name: string, hooks: readonly Hook[], isManaged: boolean): Promise<MissingProtection[]> => {
    const named = hooks.filter((hook) => isCalled(hook, name));
    if (named.some(isTrustedPlace)) return [];
    let why = 'there is no hook of this name';
    let fix = 'Restore the hook, or remove its name from the required hooks.';
    for (const hook of named) {
      const admission = await admit(hook, root);
      if (admission.admitted) return [];
      ({ skipReason: why, fix } = admission);
    }
    const message = `Hook \`${name}\` is required and cannot run (${why}), so every action that can be denied is denied.`;
    const diagnostic: Diagnostic = { severity: 'error', code: 'required-hook', message, hint: fix };
    return [{ by: `the required hook ${name}`, diagnostic, unless: name, ...(isManaged && { isManaged }) }];
  };

  /** A policy that limits the sources explains itself why a hook is missing. */
  const lostIn = async ({ hooks, policy, diagnostics }: Pick<LoadedSources, 'hooks' | 'policy' | 'diagnostics'>): Promise<LostHooks> => {
    trust.refresh();
    const known = trust.list().filter((entry) => entry.root === root && (options.only?.includes(entry.dialect) ?? true));
    const empty = hooks.some(({ nothingToRun }) => nothingToRun) ? (await import('./hook-digest.ts')).hookDigest : undefined;
    // A hook that has lost its script is another one than the hook that was trusted with it.
    const isThere = (entry: TrustEntry, hook: Hook): boolean =>
      isEntryOf(entry, hook) && !(hook.nothingToRun && empty?.(hook, [], root) !== entry.digest);
    const lost = known.filter((entry) => !hooks.some((hook) => isThere(entry, hook)));
    if (lost.length === 0 || !mayTrust || policy.managedOnly || policy.allowedSources) return NONE_LOST;
    const { lostHooks } = await import('./lost-hooks.ts');
    return lostHooks(lost, known, hooks, diagnostics, { dialects, stateFolder });
  };

  return {
    admit,
    async review({ hooks, policy, missing: unprotected, diagnostics: problems }) {
      mayTrust = policy.trust !== 'never';
      const required = new Set([...options.required, ...(policy.required ?? [])]);
      const managed = new Set(policy.required ?? []);
      const absent = await Promise.all([...required].map((name) => missing(name, hooks, managed.has(name))));
      const lost = await lostIn({ hooks, policy, diagnostics: problems });
      const diagnostics = [...(trust.problem ? [trust.problem] : []), ...(pins?.unmatched(hooks) ?? []), ...lost.diagnostics];
      return { requirements: { required, missing: [...unprotected, ...absent.flat(), ...lost.missing] }, diagnostics };
    },
  };
}
