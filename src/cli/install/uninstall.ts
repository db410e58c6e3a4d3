/** `hookline uninstall`: removes exactly the entries that `install` wrote. An agent may not run it, because it would remove its own checks. */
import { planUninstall } from '../../install/install.ts';
import { type Arguments, hasFlag } from '../arguments.ts';
import { type CommandResult, EXIT } from '../command.ts';
import { problemText } from '../failure.ts';
import { requirePerson } from '../input/by-a-person.ts';
import { jsonDocument } from '../output.ts';
import { renderDiagnostics } from '../print/diagnostics.ts';
import { terminalStyle } from '../print/style.ts';
import { renderInstalled } from './print-install.ts';
import { change, diffOf, filesAsJson, problemsOf, readInstallTask, unlogged } from './task.ts';

export { uninstallSpec as spec } from './install.ts';

export async function run(args: Arguments): Promise<CommandResult> {
  const task = { ...readInstallTask(args), reach: { via: 'command', program: ['hookline'] } as const };
  const { host, scope } = task;
  const dryRun = hasFlag(args, 'dry-run');
  const json = hasFlag(args, 'json');
  const act = { kind: 'hooks.uninstalled', weight: 'installing', does: 'uninstall Hookline', data: { host: host.id, scope } } as const;
  const permitted = dryRun ? undefined : await requirePerson(args, act);
  const done = change(() => planUninstall(task), dryRun);
  if ('problems' in done) {
    const diagnostics = problemsOf(done);
    if (json) return { exit: EXIT.config, out: jsonDocument({ host: host.id, scope, dryRun, files: [], diagnostics }) };
    return { exit: EXIT.config, err: renderDiagnostics(diagnostics, terminalStyle()) };
  }
  const found = done.files.some(({ entries }) => entries.length > 0);
  const exit = found ? EXIT.ok : EXIT.negative;
  const diagnostics = found ? await unlogged(permitted, `Hookline was removed from ${host.title} (${scope}).`, done.files) : [];
  if (json) return { exit, out: jsonDocument({ host: host.id, scope, dryRun, files: filesAsJson(done.files, dryRun), diagnostics }) };
  const hint = `\`hookline doctor\` shows where it is installed; \`--scope\` names the ${scope === 'user' ? 'project’s' : 'user’s'} file.`;
  if (!found) return { exit, err: problemText({ message: `Hookline is not installed in ${host.title} (${scope}).`, hint }) };
  if (dryRun) return { exit, out: done.files.map(diffOf).join(''), verbatim: true };
  const next = `${host.title} no longer runs the hooks that only Hookline can read; it runs its own hooks as usual.`;
  return { exit, out: renderInstalled({ host, files: done.files, diagnostics, next }, terminalStyle()) };
}
