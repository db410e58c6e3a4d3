/** `hookline doctor`: checks that every protection is in force. Changes nothing; exits with 1 if one is not. */
import path from 'node:path';
import { OTHER_PRODUCTS } from '../../agents/kit/other-products.ts';
import { createHookline } from '../../api/create-hookline.ts';
import type { ListedHook } from '../../api/hookline.ts';
import { HOSTS } from '../../builtins.ts';
import type { Host } from '../../core/contracts/host.ts';
import type { Diagnostic, Severity } from '../../core/values/diagnostic.ts';
import { duplicateEntries } from '../../install/double-readers.ts';
import { hostLook } from '../../install/host-look.ts';
import { isFound } from '../../install/installed.ts';
import { movedFolders, resolveHome } from '../../load/find/home.ts';
import { READ_AS } from '../../load/load-hooks.ts';
import { systemPolicyFile } from '../../load/settings/policy-file.ts';
import { readSettings } from '../../load/settings/settings.ts';
import { type Arguments, hasFlag, optionValue } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT } from '../command.ts';
import { engineOptions } from '../engine-options.ts';
import { problemOf } from '../failure.ts';
import { findOptions } from '../hooks/find-options.ts';
import { HELP_OPTION, JSON_OPTION, NAMED_PLACE_OPTIONS, PLACE_OPTIONS, STORE_OPTIONS } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { terminalStyle } from '../print/style.ts';
import { openKeeping, withStore } from '../store.ts';
import { packageVersion } from '../version.ts';
import { canaries } from './canary.ts';
import { coverageOf } from './coverage.ts';
import { leftOut, noneInForce, notInstalled, unknownNames } from './examine-agents.ts';
import { examineApprovals } from './examine-approvals.ts';
import { failing } from './examine-faults.ts';
import { examineGuard } from './examine-guard.ts';
import { gapsIn, inShadow, neverAsked, notInForce, summarise, unable } from './examine-hooks.ts';
import { type Examined, examineHost } from './examine-host.ts';
import { examineLog, type LogFacts, NOTHING_KNOWN, tooLong } from './examine-log.ts';
import { examineServer, noisyShells, openToAll } from './examine-machine.ts';
import { examineEnvironment, examineRecords } from './examine-records.ts';
import { renderDoctor } from './print-doctor.ts';
import type { DoctorReport, HostReport } from './report.ts';

export { doctorSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const report = await examine(args);
  const exit = report.healthy ? EXIT.ok : EXIT.negative;
  if (hasFlag(args, 'json')) return { exit, out: jsonDocument(report) };
  return { exit, out: renderDoctor(report, terminalStyle()) };
}

async function examine(args: Arguments): Promise<DoctorReport> {
  const { home, configFolder, stateFolder, variables } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  const find = { ...findOptions(args, []), home };
  const moved = movedFolders(
    HOSTS.map(({ entry }) => entry),
    variables,
  );
  const folders = { home, root: find.root, moved };
  const hosts = HOSTS.filter((host) => isFound(host, folders));
  const look = hostLook(folders, process.env);
  const around = { hosts: HOSTS, folders, path: process.env['PATH'] ?? '', look };
  const failed: Diagnostic[] = [];
  const attempt = attempts(failed);
  const { settings } = await readSettings(configFolder);
  const ignore = settings.doctor?.ignore ?? [];
  const examined = await Promise.all(
    hosts.map(async (host) => {
      const nothing = { report: reportOf(host), limits: { blind: [] }, files: [], findings: [] };
      return leftOut(await attempt(host.title, nothing, () => examineHost(host, around)), ignore);
    }),
  );
  const loaded = await loadedHooks(args);
  const unprobed = { reports: examined.map(({ report }) => report), findings: [] };
  const probed = hasFlag(args, 'canary') ? await attempt('The canary', unprobed, () => canaries(args, hosts, examined)) : unprobed;
  const known = await logFacts(args).catch((error: unknown) => ({ ...NOTHING_KNOWN, alarms: [noStore(error)] }));
  const files = [path.join(configFolder, 'hookline/settings.json'), systemPolicyFile(), path.join(stateFolder, 'hookline/trust.json')];
  const entries = examined.flatMap((one) => one.files.filter(({ lines }) => lines.length > 0).map(({ file }) => file));
  const active = loaded.hooks.filter(({ state }) => state === 'active');
  const hooks = summarise(loaded.hooks);
  const findings = [
    ...notInstalled(hosts, examined, folders),
    ...unknownNames(ignore, HOSTS),
    ...examined.flatMap((one) => one.findings),
    ...(await attempt('The server', [], () => serversOf(hosts, examined))),
    ...hosts.flatMap((host, index) => examineRecords(host, (examined[index] as Examined).files, process.env)),
    ...(entries.length > 0 ? [...noisyShells(process.env), ...examineEnvironment(process.env)] : []),
    ...probed.findings,
    ...known.alarms,
    ...(await withStore(args, (store) => examineApprovals(store, settings, stateFolder, find.root)).catch(() => [])),
    ...loaded.diagnostics.filter(({ code }) => code !== READ_AS),
    ...noneInForce(hooks),
    ...notInForce(loaded.hooks),
    ...inShadow(loaded.hooks),
    ...(await attempt('The hooks', [], () => unable(find, active))),
    ...(await attempt('The guard', [], () =>
      examineGuard(optionValue(args, 'home'), settings.guard, { root: find.root, home, configFolder, stateFolder }, loaded.hooks),
    )),
    ...(await attempt('Failed hooks', [], () => failing(find, loaded.hooks, known.lastRuns))),
    ...(await attempt('Files that several agents read', [], () => duplicateEntries(HOSTS, OTHER_PRODUCTS, folders))),
    ...hosts.flatMap((host, index) => gapsIn(host, examined[index] as Examined, loaded.hooks)),
    ...hosts.flatMap((host, index) => tooLong(host, examined[index] as Examined, known)),
    ...neverAsked(loaded.hooks, known),
    ...(await attempt('Rights of files', [], () => openToAll([...files, ...entries, ...loaded.hooks.map(({ source }) => source.file)]))),
    ...failed,
  ];
  return {
    hookline: packageVersion(),
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    root: find.root,
    home,
    hosts: probed.reports,
    hooks,
    log: known.report,
    findings: sorted(findings),
    healthy: !findings.some(({ severity }) => severity === 'error'),
  };
}

type Attempt = <T>(what: string, otherwise: T, look: () => T | Promise<T>) => Promise<T>;

/** A part that fails is an error of its own, so the doctor reports on the others and never crashes. */
function attempts(failed: Diagnostic[]): Attempt {
  return async (what, otherwise, look) => {
    try {
      return await look();
    } catch (error) {
      const { message, hint } = problemOf(error);
      const text = `${what} could not be examined: ${message}`;
      failed.push({ severity: 'error', code: 'not-examined', message: text, ...(hint !== undefined && { hint }) });
      return otherwise;
    }
  };
}

function reportOf(host: Host): HostReport {
  return { id: host.id, title: host.title, installed: false, files: [], coverage: coverageOf(host, HOSTS, []) };
}

async function serversOf(hosts: readonly Host[], examined: readonly Examined[]): Promise<readonly Diagnostic[]> {
  return (await Promise.all(hosts.map((host, index) => examineServer(host, (examined[index] as Examined).files)))).flat();
}

interface LoadedHooks {
  readonly hooks: readonly ListedHook[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Problems of files, settings, policy and trust come with them; a hook that does not run has a finding of its own. */
async function logFacts(args: Arguments): Promise<LogFacts> {
  const keeping = await openKeeping(args);
  try {
    const facts = await examineLog(await keeping.store());
    return { ...facts, alarms: [...facts.alarms, ...(await keeping.doubts())] };
  } finally {
    await keeping.close(0);
  }
}

async function loadedHooks(args: Arguments): Promise<LoadedHooks> {
  try {
    const hookline = await createHookline({ ...engineOptions(args), store: 'memory:' });
    const { hooks, diagnostics } = await hookline.list();
    const plan = await hookline.plan('tool.before', { tool: 'HooklineCanary', input: {} });
    await hookline.close(0);
    const denied: Diagnostic[] =
      plan.denied === undefined
        ? []
        : [{ severity: 'error', code: 'all-denied', message: `Every tool call is denied: ${plan.denied}`, hint: 'Fix this first.' }];
    return { hooks, diagnostics: [...denied, ...diagnostics.filter(({ code }) => code !== 'untrusted-hook' && code !== 'modified-hook')] };
  } catch (error) {
    const { message, hint } = problemOf(error);
    return { hooks: [], diagnostics: [{ severity: 'error', code: 'hooks-not-loaded', message, ...(hint !== undefined && { hint }) }] };
  }
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** Worst first, without repetitions. */
function sorted(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const once = new Map(findings.map((one) => [`${one.code} ${one.file} ${one.line} ${one.message}`, one]));
  return [...once.values()].sort((a, b) => RANK[a.severity] - RANK[b.severity]);
}

function noStore(error: unknown): Diagnostic {
  const { message, hint } = problemOf(error);
  return { severity: 'error', code: 'store-unavailable', message, ...(hint !== undefined && { hint }) };
}

/** `hookline doctor` as data. */
export const doctorSpec: CommandSpec = {
  name: 'doctor',
  summary: 'Check that every protection is in force: agents, hooks, trust, policy and the log, with a fix for each problem.',
  takes: '',
  words: { min: 0, max: 0, missing: '' },
  options: [
    {
      name: 'canary',
      help: "Send a harmless probe through each agent's own entry, and check that it arrives and that a denial comes back.",
    },
    ...PLACE_OPTIONS,
    ...NAMED_PLACE_OPTIONS,
    ...STORE_OPTIONS.filter(({ name }) => name !== 'home'),
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'Examines every agent that is found: the installed entries, whether their lines can run, which events would run twice, and which hooks the agent has no event for. Examines every hook: which do not run and why, and which have never run. Examines the policy, the settings, the trust and the store, and who may write to them.',
    'Nothing is changed and no hook is run; with --canary, the hooks that a call of the tool `HooklineCanary` concerns.',
    'Exit code 0: every agent that is used on this machine asks Hookline, and every hook that should act does. Exit code 1: one does not, or nothing is installed. `doctor.ignore` in the settings names agents that you leave out on purpose.',
  ],
  examples: [
    { does: 'Once, after installing', line: 'hookline doctor --canary' },
    { does: 'In a script', line: 'hookline doctor --json' },
  ],
};
