/** `hookline audit`: checks what every hook would run, trusted or not. It runs nothing, and lists the parts that it could not inspect. */

import { DIALECTS, describeHandler } from '../../builtins.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { findHooks } from '../../load/check-files.ts';
import { resolveHome } from '../../load/find/home.ts';
import { loadManaged } from '../../load/managed.ts';
import { auditHooks, type HookAudit, idleWaivers, leniencyOf } from '../../trust/audit-hooks.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT, type ExitCode } from '../command.ts';
import { HELP_OPTION, JSON_OPTION, NAMED_PLACE_OPTIONS, PLACE_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { terminalStyle } from '../print/style.ts';
import { findOptions, memoryFor } from './find-options.ts';
import { renderAudit, summaryOf } from './print-audit.ts';

export { auditSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  if (hasFlag(args, 'json') && hasFlag(args, 'sarif')) throw usageError('`--json` and `--sarif` cannot be combined.', 'Give one of them.');
  const home = optionValue(args, 'home') ?? resolveHome({}, process.env).home;
  const options = { ...findOptions(args, args.positionals), home };
  const found = await findHooks(options);
  const managed = options.paths.length > 0 ? undefined : await loadManaged(options.policy, options.agents);
  const hooks = [...found.hooks, ...(managed?.hooks ?? [])].map(({ hook }) => hook);
  const withWaivers = hasFlag(args, 'waivers');
  const leniency = leniencyOf(found.audit);
  const audits = await auditHooks(
    hooks,
    options.root,
    { dialects: DIALECTS, describe: describeHandler, memory: memoryFor(args) },
    withWaivers ? leniency : undefined,
    found.ignores,
  );
  const idle = withWaivers && options.paths.length === 0 ? idleWaivers(leniency.waivers, audits) : [];
  const policy = managed ? [...managed.missing.map(({ diagnostic }) => diagnostic), ...managed.diagnostics] : [];
  const diagnostics = [...policy, ...found.diagnostics, ...idle];
  const exit = exitFor(audits, diagnostics, hasFlag(args, 'strict'));
  if (hasFlag(args, 'json')) return { exit, out: jsonDocument({ hooks: audits.map(asJson), summary: summaryOf(audits), diagnostics }) };
  if (hasFlag(args, 'sarif')) {
    const { sarifLog } = await import('./sarif.ts');
    return { exit, out: jsonDocument(sarifLog(audits, diagnostics, options.root)), verbatim: true };
  }
  return { exit, out: renderAudit(audits, diagnostics, terminalStyle()) };
}

function exitFor(audits: readonly HookAudit[], diagnostics: readonly Diagnostic[], strict: boolean): ExitCode {
  if (audits.some(({ findings }) => findings.some(({ severity }) => strict || severity === 'catastrophic' || severity === 'high')))
    return EXIT.negative;
  return diagnostics.some(({ severity }) => severity === 'error') ? EXIT.config : EXIT.ok;
}

function asJson({ hook, digest, files, covers, findings, unaudited, waived, blocking }: HookAudit) {
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
    covers,
    findings,
    unaudited,
    waived: accepted,
  };
}

/** The specification of `hookline audit`. */
export const auditSpec: CommandSpec = {
  name: 'audit',
  summary: 'Audit what hooks would run, trusted or not. Exit 1 if one is dangerous.',
  takes: '[path…]',
  words: { min: 0, max: Number.POSITIVE_INFINITY, missing: '' },
  options: [
    ...PLACE_OPTIONS,
    ...NAMED_PLACE_OPTIONS,
    { name: 'strict', help: 'Exit 1 for findings of any severity.' },
    { name: 'waivers', help: 'Hide findings that your settings waive.' },
    { name: 'sarif', help: 'Print one SARIF 2.1.0 document on stdout, for code scanning.' },
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    "Without a path: every hook that is found, including the user's own and those of the managed policy. A path may be a file or a folder.",
    'Nothing is run. A hook with a catastrophic finding never runs. A hook with a high finding runs only if your settings waive it. Medium and low findings are shown. Parts that could not be inspected are listed, because no finding there means nothing.',
    'Exit 0: no catastrophic or high finding. 1: at least one. 78: a hook file or your settings could not be read, so it was not audited.',
  ],
  examples: [
    { does: 'Every hook that is found here', line: 'hookline audit' },
    { does: 'A plugin, before it is installed', line: 'hookline audit ~/Downloads/some-plugin' },
    { does: 'In CI, for code scanning', line: 'hookline audit --sarif > hooks.sarif' },
  ],
};
