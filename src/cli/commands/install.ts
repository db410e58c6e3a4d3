/** `hookline install`: one small entry for each event in an agent's own configuration. */
import { HOSTS } from '../../builtins.ts';
import { resolveHome } from '../../config/home.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { lineFor, type Reach } from '../../install/entry-line.ts';
import { firesTwice } from '../../install/fires-twice.ts';
import { planInstall } from '../../install/install.ts';
import { launcherFor } from '../../install/launcher.ts';
import type { Answer } from '../answer.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { change, diffOf, filesAsJson, problemsOf } from '../carry-out.ts';
import { EXIT } from '../exit-codes.ts';
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
  const diagnostics = [...remarks, ...(dryRun ? [] : firesTwice(HOSTS, folders))];
  if (json) {
    return { exit: EXIT.ok, out: jsonDocument({ host: host.id, scope, dryRun, files: filesAsJson(done.files, dryRun), diagnostics }) };
  }
  if (dryRun) return { exit: EXIT.ok, out: done.files.map(diffOf).join('') || 'Nothing would change.\n' };
  const next = '`hookline doctor --canary` proves that it works. A session that is open may have to be started again.';
  const line = lineFor(reach, host.id, 'EVENT');
  return { exit: EXIT.ok, out: renderInstalled({ host, files: done.files, line, diagnostics, next }, terminalStyle()) };
}

interface Way {
  readonly reach: Reach;
  readonly remarks: readonly Diagnostic[];
}

async function readReach(args: Arguments, { host, scope }: TaskPlaces): Promise<Way> {
  const via = optionValue(args, 'via') ?? 'command';
  if (via === 'http') return byHttp(args, host.title, host.entry.http, scope);
  if (via !== 'command') throw usageError(`\`--via\` must be command or http, not \`${via}\`.`);
  if (hasFlag(args, 'port')) throw usageError('`--port` needs `--via http`.');
  const surroundings = { script: process.argv[1] ?? '', node: process.execPath, path: process.env['PATH'] ?? '' };
  const { program, absolute } = launcherFor(scope, surroundings);
  const message = '`hookline` is not on your PATH, so the entries name it by its full path, which is that of this machine.';
  const hint = 'Others who share the project need an entry of their own: install Hookline globally, then install again.';
  const remark: Diagnostic = { severity: 'warning', code: 'bound-to-machine', message, hint };
  return { reach: { via, program }, remarks: scope === 'project' && absolute ? [remark] : [] };
}

async function byHttp(args: Arguments, title: string, can: boolean, scope: string): Promise<Way> {
  if (!can) throw usageError(`${title} can not ask an address itself.`, 'Leave out `--via http`.');
  if (scope === 'project')
    throw usageError('An address of this machine does not belong in a file that others share.', 'Leave out `--scope project`.');
  const { stateFolder } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  const { lastingToken, makeFolder, readEndpoint, serveFiles } = await import('../../daemon/endpoint.ts');
  const files = serveFiles(stateFolder);
  const port = optionValue(args, 'port') ?? readEndpoint(files)?.port.toString();
  if (port === undefined) {
    throw usageError(
      'No `hookline serve` runs, so its address is not known.',
      'Start `hookline serve --port 4680`, or name the port with `--port`.',
    );
  }
  if (!/^\d{1,5}$/.test(port)) throw usageError(`\`${port}\` is no port.`);
  makeFolder(files.folder);
  const message = `${title} asks http://127.0.0.1:${port} from now on: while \`hookline serve --port ${port}\` does not run, no hook is asked.`;
  const remark: Diagnostic = {
    severity: 'warning',
    code: 'needs-server',
    message,
    hint: 'Start it with your session, or install without `--via http`.',
  };
  const headers = { 'x-hookline-token': lastingToken(files) };
  return { reach: { via: 'http', base: `http://127.0.0.1:${port}`, headers }, remarks: [remark] };
}
