/** Collects what a person must see before trusting a hook: when it runs, what it runs, its files, the audit findings, and the changes. */

import { DIALECTS, describeHandler } from '../../builtins.ts';
import type { Condition, Hook, TrustState } from '../../core/contracts/hook.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import type { Json } from '../../core/values/json.ts';
import type { AuditedFinding, AuditReport, Coverage } from '../../guard/index.ts';
import { type FindOptions, findHooks } from '../../load/check-files.ts';
import type { Memory } from '../../load/memory.ts';
import { leniencyOf } from '../../trust/audit-hooks.ts';
import { auditVerdict } from '../../trust/audit-verdict.ts';
import { readOnce, type Snapshot, snapshotOf } from '../../trust/hook-digest.ts';
import { auditTogether } from '../../trust/remembered-audit.ts';
import type { Trust, TrustEntry } from '../../trust/trust-file.ts';

export interface Review {
  readonly digest: string;
  readonly id: string;
  readonly name: string;
  readonly formerName?: string;
  readonly description?: string;
  readonly dialect: string;
  readonly event: string;
  /** The conditions in plain text. An empty list means that it always runs. */
  readonly matcher: string;
  readonly handler: string;
  /** The command or URL that would run. */
  readonly runs: Json;
  /** The files that belong to it. Any change of one of them ends the trust. */
  readonly files: readonly string[];
  /** The files and folders that trust covers, and the parts that it does not cover. */
  readonly covers: Coverage;
  readonly source: Hook['source'];
  readonly findings: readonly AuditedFinding[];
  /** True if the audit blocks the hook even if it is trusted. */
  readonly keptOut: boolean;
  readonly trusted: boolean;
  readonly trust: TrustState;
}

/** A reviewed hook with the data needed to trust and compare it. */
export interface Reviewed {
  readonly review: Review;
  readonly snapshot: Snapshot;
  /** The entry under which it was trusted before it changed. */
  readonly last?: TrustEntry;
}

/**
 * Returns the hooks of a project that need trust, in the order they are found.
 *
 * @param memory Where reports are kept for the next process. A task that grants trust uses none.
 */
export async function reviewHooks(
  options: FindOptions,
  trust: Trust,
  memory?: Memory,
): Promise<{ readonly hooks: readonly Reviewed[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { hooks, diagnostics, audit: settings, ignores = [] } = await findHooks(options);
  const found = hooks.map(({ hook }) => hook);
  const reports = await auditTogether(memory, found, (hook) => {
    const dialect = DIALECTS.find(({ id }) => id === hook.dialect);
    return { describe: describeHandler, cwd: options.root, folder: dialect?.profile.load.auditFolder ?? false, ignores };
  });
  const read = readOnce();
  const looked = reports.map((audit, i) => {
    const hook = found[i] as Hook;
    const snapshot = snapshotOf(hook, audit.files, options.root, read);
    const { blocking } = auditVerdict(hook, audit.findings, leniencyOf(settings), () => snapshot.digest);
    return { hook, audit, keptOut: blocking.length > 0, snapshot };
  });
  const present = new Set(looked.map(({ snapshot }) => snapshot.digest));
  return {
    hooks: looked.map(({ hook, audit, keptOut, snapshot }) => {
      const last = trust.lastOf(hook, options.root);
      const known = trust.stateOf(hook, snapshot, options.root);
      // An entry that another hook still matches is not the earlier version of this one.
      const state = known === 'modified' && (!last || present.has(last.digest)) ? 'untrusted' : known;
      const review = reviewOf(hook, snapshot.digest, audit, keptOut, state);
      return { review, snapshot, ...(state === 'modified' && last && { last }) };
    }),
    diagnostics,
  };
}

export function entryFor(
  { digest, id, name, formerName, dialect, source }: Review,
  given: Required<Pick<TrustEntry, 'root' | 'by' | 'via'>>,
): TrustEntry {
  const former = formerName === undefined ? {} : { formerName };
  return { digest, id, name, ...former, dialect, file: source.file, at: new Date().toISOString(), ...given };
}

function reviewOf(
  hook: Hook,
  digest: string,
  audit: Pick<AuditReport, 'findings' | 'files' | 'covers'>,
  keptOut: boolean,
  trust: TrustState,
): Review {
  const { id, name, formerName, description, event, handler, source } = hook;
  return {
    digest,
    id,
    name,
    ...(formerName !== undefined && { formerName }),
    ...(description !== undefined && { description }),
    dialect: hook.dialect,
    event,
    matcher: hook.when.map(conditionText).join(' and '),
    handler: handler.type,
    runs: whatRuns(hook),
    files: audit.files,
    covers: audit.covers,
    source,
    findings: audit.findings,
    keptOut,
    trusted: trust === 'trusted',
    trust,
  };
}

function conditionText({ facet, test }: Condition): string {
  if (test.kind === 'oneOf') return `${facet} is ${test.values.join(' or ')}`;
  return `${facet} ${test.anchor === 'whole' ? 'is' : 'has'} /${test.source}/${test.flags ?? ''}`;
}

function whatRuns({ handler: { config } }: Hook): Json {
  return config['command'] ?? config['script'] ?? config['url'] ?? config;
}
