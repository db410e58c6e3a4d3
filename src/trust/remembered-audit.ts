/**
 * Remembers that the audit of a hook passed, so that a cold start does not interpret the hook's script again, and the reports that commands
 * show. Bound to the hooks, to the version of the guard, and to the result of every lookup that the audit made: any other result asks for a
 * new audit.
 */
import { homedir } from 'node:os';
import type { Hook } from '../core/contracts/hook.ts';
import { isObject } from '../core/values/json.ts';
import { isUnchanged, type Lookup, recordLookups } from '../guard/audit/observed-fs.ts';
import type { AuditedFinding, AuditOptions, AuditReport } from '../guard/index.ts';
import type { Memory } from '../load/memory.ts';

/** The part of an audit that decides whether a hook may run. */
export interface AuditResult {
  /** Whether no finding is grave enough to keep the hook out. */
  readonly passed: boolean;
  readonly findings: readonly AuditedFinding[];
  readonly files: readonly string[];
}

const PASSED: AuditResult = { passed: true, findings: [], files: [] };

/** Audits a hook, or returns that it passed before and nothing it was judged by has changed. */
export async function auditOnce(memory: Memory | undefined, hook: Hook, options: AuditOptions): Promise<AuditResult> {
  const key = memory && `audit ${JSON.stringify([hook, options, homedir(), process.platform])}`;
  if (memory && key !== undefined && stillHolds(memory, memory.read(key))) return PASSED;
  const { auditHook, isKeptOut } = await import('../guard/index.ts');
  const audit = () => auditHook(hook, options);
  const { result, lookups } = memory ? recordLookups(memory.hash, audit) : { result: audit(), lookups: [] };
  const passed = !isKeptOut(result);
  if (memory && key !== undefined && passed) memory.write(key, lookups);
  return { passed, findings: result.findings, files: result.files };
}

/** Audits hooks in one state of the file system, or returns the reports of an earlier process if nothing that decided them has changed. */
export async function auditTogether(
  memory: Memory | undefined,
  hooks: readonly Hook[],
  optionsOf: (hook: Hook) => AuditOptions,
): Promise<readonly AuditReport[]> {
  const key = memory && `audits ${JSON.stringify([hooks.map((hook) => [hook, optionsOf(hook)]), homedir(), process.platform])}`;
  const kept = memory && key !== undefined ? memory.read(key) : undefined;
  if (memory && isObject(kept) && Array.isArray(kept['reports']) && stillHolds(memory, kept['lookups']))
    return kept['reports'] as unknown as readonly AuditReport[];
  const { auditHook, inOneView } = await import('../guard/index.ts');
  const audit = () => inOneView(() => hooks.map((hook) => auditHook(hook, optionsOf(hook))));
  if (!memory || key === undefined) return audit();
  const { result: reports, lookups } = recordLookups(memory.hash, audit);
  memory.write(key, { lookups, reports });
  return reports;
}

function stillHolds({ hash }: Memory, kept: unknown): boolean {
  return Array.isArray(kept) && kept.every((entry) => isObject(entry) && isUnchanged(entry as unknown as Lookup, hash));
}
