/** `hookline uninstall`: removes exactly the entries that `install` wrote. An agent may not run it, because it would remove its own checks. */
import { planUninstall } from '../../install/install.ts';
import { type Arguments, hasFlag } from '../arguments.ts';
import { CommandError, type CommandResult, EXIT } from '../command.ts';
import { problemText } from '../failure.ts';
import { isInteractive } from '../hooks/trust-task.ts';
import { startedBy } from '../input/started-by.ts';
import { jsonDocument } from '../output.ts';
import { renderDiagnostics } from '../print/diagnostics.ts';
import { terminalStyle } from '../print/style.ts';
import { renderInstalled } from './print-install.ts';
import { change, diffOf, filesAsJson, problemsOf, readInstallTask } from './task.ts';

export { uninstallSpec as spec } from './install.ts';

export async function run(args: Arguments): Promise<CommandResult> {
  const task = { ...readInstallTask(args), reach: { via: 'command', program: ['hookline'] } as const };
  const { host, scope } = task;
  const dryRun = hasFlag(args, 'dry-run');
  const json = hasFlag(args, 'json');
  if (!dryRun) notByAgent();
  const done = change(() => planUninstall(task), dryRun);
  if ('problems' in done) {
    const diagnostics = problemsOf(done);
    if (json) return { exit: EXIT.config, out: jsonDocument({ host: host.id, scope, dryRun, files: [], diagnostics }) };
    return { exit: EXIT.config, err: renderDiagnostics(diagnostics, terminalStyle()) };
  }
  const found = done.files.some(({ entries }) => entries.length > 0);
  const exit = found ? EXIT.ok : EXIT.negative;
  if (json) return { exit, out: jsonDocument({ host: host.id, scope, dryRun, files: filesAsJson(done.files, dryRun), diagnostics: [] }) };
  const hint = `\`hookline doctor\` shows where it is installed; \`--scope\` names the ${scope === 'user' ? 'project’s' : 'user’s'} file.`;
  if (!found) return { exit, err: problemText({ message: `Hookline is not installed in ${host.title} (${scope}).`, hint }) };
  if (dryRun) return { exit, out: done.files.map(diffOf).join('') };
  const next = `${host.title} no longer runs the hooks that only Hookline can read; it runs its own hooks as usual.`;
  return { exit, out: renderInstalled({ host, files: done.files, diagnostics: [], next }, terminalStyle()) };
}

function notByAgent(): void {
  const agent = startedBy(process.env);
  if (agent === undefined || isInteractive()) return;
  const message = `Hookline cannot be uninstalled by ${agent}.`;
  throw new CommandError({ exit: EXIT.negative, code: 'usage', message, hint: 'Run the command yourself, in your own terminal.' });
}
