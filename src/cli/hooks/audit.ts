/** `hookline audit`: what every hook would run, judged, whether it is trusted or not. Runs nothing, and says what it could not look into. */
import { auditHooks, type HookAudit, idleWaivers, leniencyOf } from '../../api/audit-hooks.ts';
import { findHooks } from '../../api/check-files.ts';
import { loadManaged } from '../../api/managed.ts';
import { resolveHome } from '../../config/home.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Answer } from '../answer.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { summaryOf } from '../audit-summary.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { findOptions } from '../find-options.ts';
import { jsonDocument } from '../output.ts';
import { renderAudit } from '../render/audit.ts';
import { terminalStyle } from '../render/style.ts';

export { auditSpec as spec } from '../specs/audit.ts';

export async function run(args: Arguments): Promise<Answer> {
  if (hasFlag(args, 'json') && hasFlag(args, 'sarif')) throw usageError('`--json` and `--sarif` exclude each other.', 'Give one of them.');
  const home = optionValue(args, 'home') ?? resolveHome({}, process.env).home;
  const options = { ...findOptions(args, args.positionals), home };
  const found = await findHooks(options);
  const managed = options.paths.length > 0 ? undefined : await loadManaged(options.policy);
  const hooks = [...found.hooks, ...(managed?.hooks ?? [])].map(({ hook }) => hook);
  const withWaivers = hasFlag(args, 'waivers');
  const leniency = leniencyOf(found.audit);
  const audits = await auditHooks(hooks, options.root, withWaivers ? leniency : undefined);
  const idle = withWaivers && options.paths.length === 0 ? idleWaivers(leniency.waivers, audits) : [];
  const policy = managed ? [...managed.flaws.map(({ diagnostic }) => diagnostic), ...managed.diagnostics] : [];
  const diagnostics = [...policy, ...found.diagnostics, ...idle];
  const exit = exitFor(audits, diagnostics, hasFlag(args, 'strict'));
  if (hasFlag(args, 'json')) return { exit, out: jsonDocument({ hooks: audits.map(asJson), summary: summaryOf(audits), diagnostics }) };
  if (hasFlag(args, 'sarif')) {
    const { sarifLog } = await import('../sarif.ts');
    return { exit, out: jsonDocument(sarifLog(audits, diagnostics, options.root)) };
  }
  return { exit, out: renderAudit(audits, diagnostics, terminalStyle()) };
}

function exitFor(audits: readonly HookAudit[], diagnostics: readonly Diagnostic[], strict: boolean): ExitCode {
  if (audits.some(({ findings }) => findings.some(({ severity }) => strict || severity === 'catastrophic' || severity === 'high')))
    return EXIT.negative;
  return diagnostics.some(({ severity }) => severity === 'error') ? EXIT.config : EXIT.ok;
}

function asJson({ hook, digest, files, findings, unaudited, waived, blocking }: HookAudit) {
  const { id, name, dialect, event, handler, source } = hook;
  const accepted = waived.map(({ finding, waiver }) => ({ ...finding, reason: waiver.reason, expires: waiver.expires }));
  return {
    id,
    name,
    dialect,
    event,
    handler: handler.type,
    source,
    digest,
    keptOut: blocking.length > 0,
    files,
    findings,
    unaudited,
    waived: accepted,
  };
}
