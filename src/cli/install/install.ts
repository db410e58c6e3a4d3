/** `hookline install`: one small entry for each event in an agent's own configuration. */
import { HOSTS } from '../../builtins.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { lineFor } from '../../install/entry-line.ts';
import { firesTwice } from '../../install/fires-twice.ts';
import { hostLook } from '../../install/host-look.ts';
import { planInstall } from '../../install/install.ts';
import { installedFiles } from '../../install/installed.ts';
import { launcherFor } from '../../install/launcher.ts';
import { objectionsTo } from '../../install/objections.ts';
import type { Answer } from '../answer.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { change, diffOf, filesAsJson, problemsOf } from '../carry-out.ts';
import { EXIT } from '../exit-codes.ts';
import type { ChosenReach } from '../install-over-http.ts';
import { readInstallTask, type TaskPlaces } from '../install-task.ts';
import { jsonDocument } from '../output.ts';
import { renderDiagnostics } from '../render/diagnostics.ts';
import { renderInstalled } from '../render/install.ts';
import { terminalStyle } from '../render/style.ts';

export { installSpec as spec } from '../specs/install.ts';

export async function run(args: Arguments): Promise<Answer> {
  const places = readInstallTask(args);
  const { reach, remarks } = await readReach(args, places);
  const task = { ...places, reach };
  const { host, scope, folders } = task;
  const dryRun = hasFlag(args, 'dry-run');
  const json = hasFlag(args, 'json');
  const done = change(() => planInstall(task), dryRun);
  if ('problems' in done) {
    const diagnostics = problemsOf(done);
    if (json) return { exit: EXIT.config, out: jsonDocument({ host: host.id, scope, dryRun, files: [], diagnostics }) };
    return { exit: EXIT.config, err: renderDiagnostics(diagnostics, terminalStyle()) };
  }
  const diagnostics = [...remarks, ...(dryRun ? [] : [...firesTwice(HOSTS, folders), ...(await stillToDo(places))])];
  if (json) {
    return { exit: EXIT.ok, out: jsonDocument({ host: host.id, scope, dryRun, files: filesAsJson(done.files, dryRun), diagnostics }) };
  }
  if (dryRun) return { exit: EXIT.ok, out: done.files.map(diffOf).join('') || 'Nothing would change.\n' };
  const next = '`hookline doctor --canary` proves that it works. A session that is open may have to be started again.';
  const line = lineFor(reach, host.id, 'EVENT');
  return { exit: EXIT.ok, out: renderInstalled({ host, files: done.files, line, diagnostics, next }, terminalStyle()) };
}

/** What the agent itself wants done before it runs our entries: nothing is broken yet, so these are warnings here. */
async function stillToDo({ host, scope, folders }: TaskPlaces): Promise<Diagnostic[]> {
  const limits = await host.limits();
  const look = hostLook(folders, process.env);
  return installedFiles(host, folders)
    .filter((file) => file.scope === scope)
    .flatMap((file) => objectionsTo(host, limits, file, look))
    .map((objection) => ({ ...objection, severity: 'warning' }));
}

async function readReach(args: Arguments, places: TaskPlaces): Promise<ChosenReach> {
  const via = optionValue(args, 'via') ?? 'command';
  const surroundings = { script: process.argv[1] ?? '', node: process.execPath, path: process.env['PATH'] ?? '' };
  const { program, absolute } = launcherFor(places.scope, surroundings);
  if (via === 'http') return (await import('../install-over-http.ts')).reachByHttp(args, places, program);
  if (via !== 'command') throw usageError(`\`--via\` must be command or http, not \`${via}\`.`);
  for (const option of ['port', 'fail-open']) if (hasFlag(args, option)) throw usageError(`\`--${option}\` needs \`--via http\`.`);
  const message = '`hookline` is not on your PATH, so the entries name it by its full path, which is that of this machine.';
  const hint = 'Others who share the project need an entry of their own: install Hookline globally, then install again.';
  const remark: Diagnostic = { severity: 'warning', code: 'bound-to-machine', message, hint };
  return { reach: { via, program }, remarks: places.scope === 'project' && absolute ? [remark] : [] };
}
