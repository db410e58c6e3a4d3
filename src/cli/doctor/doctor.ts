/** `hookline doctor`: whether everything that should protect is in force. Changes nothing; exit code 1 if something does not. */
import path from 'node:path';
import { createHookline } from '../../api/create-hookline.ts';
import type { ListedHook } from '../../api/listed-hook.ts';
import { HOSTS } from '../../builtins.ts';
import { resolveHome } from '../../config/home.ts';
import { movedFolders } from '../../config/moved.ts';
import { systemPolicyFile } from '../../config/policy.ts';
import type { Diagnostic, Severity } from '../../core/diagnostic.ts';
import { firesTwice } from '../../install/fires-twice.ts';
import { hostLook } from '../../install/host-look.ts';
import { isFound } from '../../install/installed.ts';
import type { Answer } from '../answer.ts';
import { type Arguments, hasFlag, optionValue } from '../arguments.ts';
import { tooLong } from '../doctor/examine-context.ts';
import { gapsIn } from '../doctor/examine-gaps.ts';
import { neverAsked, notInForce, summarise, unable } from '../doctor/examine-hooks.ts';
import { type Examined, examineHost } from '../doctor/examine-host.ts';
import { examineLog, NOTHING_KNOWN } from '../doctor/examine-log.ts';
import { openToAll } from '../doctor/examine-rights.ts';
import { examineServer } from '../doctor/examine-server.ts';
import { noisyShells } from '../doctor/examine-shell.ts';
import type { DoctorReport } from '../doctor/report.ts';
import { canaries } from '../doctor/run-canaries.ts';
import { engineOptions } from '../engine-options.ts';
import { EXIT } from '../exit-codes.ts';
import { problemOf } from '../failure.ts';
import { findOptions } from '../find-options.ts';
import { jsonDocument } from '../output.ts';
import { renderDoctor } from '../render/doctor.ts';
import { terminalStyle } from '../render/style.ts';
import { withStore } from '../store.ts';
import { packageVersion } from './version.ts';

export { doctorSpec as spec } from '../specs/doctor.ts';

export async function run(args: Arguments): Promise<Answer> {
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
  const examined = await Promise.all(hosts.map((host) => examineHost(host, around)));
  const loaded = await loadedHooks(args);
  const probed = hasFlag(args, 'canary')
    ? await canaries(args, hosts, examined)
    : { reports: examined.map(({ report }) => report), findings: [] };
  const known = await withStore(args, examineLog).catch((error: unknown) => ({ ...NOTHING_KNOWN, alarms: [noStore(error)] }));
  const files = [path.join(configFolder, 'hookline/settings.json'), systemPolicyFile(), path.join(stateFolder, 'hookline/trust.json')];
  const entries = examined.flatMap((one) => one.files.filter(({ lines }) => lines.length > 0).map(({ file }) => file));
  const findings = [
    ...examined.flatMap((one) => one.findings),
    ...(await Promise.all(hosts.map((host, index) => examineServer(host, (examined[index] as Examined).files)))).flat(),
    ...(entries.length > 0 ? noisyShells(process.env) : []),
    ...probed.findings,
    ...known.alarms,
    ...loaded.diagnostics,
    ...notInForce(loaded.hooks),
    ...(await unable(
      find,
      loaded.hooks.filter(({ state }) => state === 'active'),
    )),
    ...firesTwice(HOSTS, folders),
    ...hosts.flatMap((host, index) => gapsIn(host, examined[index] as Examined, loaded.hooks)),
    ...hosts.flatMap((host, index) => tooLong(host, examined[index] as Examined, known)),
    ...neverAsked(loaded.hooks, known),
    ...openToAll([...files, ...entries, ...loaded.hooks.map(({ source }) => source.file)]),
  ];
  return {
    hookline: packageVersion(),
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    root: find.root,
    home,
    hosts: probed.reports,
    hooks: summarise(loaded.hooks),
    log: known.report,
    findings: sorted(findings),
    healthy: !findings.some(({ severity }) => severity === 'error'),
  };
}

interface LoadedHooks {
  readonly hooks: readonly ListedHook[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What is wrong with files, settings, policy and trust comes with them; that a hook does not run is said in other words. */
async function loadedHooks(args: Arguments): Promise<LoadedHooks> {
  try {
    const hookline = await createHookline({ ...engineOptions(args), store: 'memory:' });
    const { hooks, diagnostics } = await hookline.list();
    const plan = await hookline.plan('tool.before', { tool: 'HooklineCanary', input: {} });
    await hookline.close(0);
    const denied: Diagnostic[] =
      plan.denied === undefined
        ? []
        : [{ severity: 'error', code: 'all-denied', message: `Every tool call is denied: ${plan.denied}`, hint: 'Mend it first.' }];
    return { hooks, diagnostics: [...denied, ...diagnostics.filter(({ code }) => code !== 'untrusted-hook' && code !== 'modified-hook')] };
  } catch (error) {
    const { message, hint } = problemOf(error);
    return { hooks: [], diagnostics: [{ severity: 'error', code: 'hooks-not-loaded', message, ...(hint !== undefined && { hint }) }] };
  }
}

const RANK: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 };

/** Worst first; the same is said once. */
function sorted(findings: readonly Diagnostic[]): readonly Diagnostic[] {
  const once = new Map(findings.map((one) => [`${one.code} ${one.file} ${one.line} ${one.message}`, one]));
  return [...once.values()].sort((a, b) => RANK[a.severity] - RANK[b.severity]);
}

function noStore(error: unknown): Diagnostic {
  const { message, hint } = problemOf(error);
  return { severity: 'error', code: 'store-unavailable', message, ...(hint !== undefined && { hint }) };
}
