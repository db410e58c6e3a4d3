/** `hookline install`: one small entry for each event in an agent's own configuration. */
import { OTHER_PRODUCTS } from '../../agents/kit/other-products.ts';
import { HOSTS } from '../../builtins.ts';
import { lineFor } from '../../core/contracts/entry-line.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { duplicateEntries } from '../../install/double-readers.ts';
import { hostLook, objectionsTo } from '../../install/host-look.ts';
import { planInstall } from '../../install/install.ts';
import { installedFiles } from '../../install/installed.ts';
import { launcherFor } from '../../install/launcher.ts';
import { resolveHome } from '../../load/find/home.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT, type OptionSpec } from '../command.ts';
import { HELP_OPTION, HOME_OPTION, JSON_OPTION } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { renderDiagnostics } from '../print/diagnostics.ts';
import { terminalStyle } from '../print/style.ts';
import type { ChosenReach } from './over-http.ts';
import { renderInstalled } from './print-install.ts';
import { change, diffOf, filesAsJson, problemsOf, readInstallTask, type TaskPlaces } from './task.ts';
import { warmUp } from './warm-up.ts';

export { installSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
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
  const { stateFolder } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  if (!dryRun && reach.via === 'command') await warmUp({ host, stateFolder, script: process.argv[1] ?? '', env: process.env });
  const diagnostics = [...remarks, ...(dryRun ? [] : [...duplicateEntries(HOSTS, OTHER_PRODUCTS, folders), ...(await stillToDo(places))])];
  if (json) {
    return { exit: EXIT.ok, out: jsonDocument({ host: host.id, scope, dryRun, files: filesAsJson(done.files, dryRun), diagnostics }) };
  }
  if (dryRun) return { exit: EXIT.ok, out: done.files.map(diffOf).join('') || 'Nothing would change.\n' };
  const next = '`hookline doctor --canary` proves that it works. A session that is open may have to be started again.';
  const line = lineFor(reach, host.id, 'EVENT', process.platform);
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
  if (via === 'http') return (await import('./over-http.ts')).reachByHttp(args, places, program);
  if (via !== 'command') throw usageError(`\`--via\` must be command or http, not \`${via}\`.`);
  for (const option of ['port', 'fail-open']) if (hasFlag(args, option)) throw usageError(`\`--${option}\` needs \`--via http\`.`);
  const message = '`hookline` is not on your PATH, so the entries name it by its full path, which is that of this machine.';
  const hint = 'Others who share the project need an entry of their own: install Hookline globally, then install again.';
  const remark: Diagnostic = { severity: 'warning', code: 'bound-to-machine', message, hint };
  return { reach: { via, program }, remarks: places.scope === 'project' && absolute ? [remark] : [] };
}

/** `hookline install` and `hookline uninstall` as data. */

const COMMON: readonly OptionSpec[] = [
  {
    name: 'scope',
    value: 'SCOPE',
    help: 'Whose file: `user`, the default, for all of your projects, or `project`, which is shared with others.',
  },
  { name: 'dry-run', help: 'Change nothing; print the changes as a unified diff.' },
  { name: 'root', value: 'DIR', help: 'The project. Default: the working directory.' },
  HOME_OPTION,
];

export const installSpec: CommandSpec = {
  name: 'install',
  summary: "Put Hookline into an agent's own configuration, so that the agent asks the hooks.",
  takes: '<host>',
  words: {
    min: 1,
    max: 1,
    missing: 'Into which agent? For instance `hookline install claude-code`; `hookline doctor` shows which are here.',
  },
  options: [
    ...COMMON,
    {
      name: 'via',
      value: 'WAY',
      help: 'How the agent reaches us: `command`, the default, or `http`, where it can ask `hookline serve` itself.',
    },
    { name: 'port', value: 'N', help: 'With `--via http`: the port of `hookline serve`. Default: that of the one that runs.' },
    { name: 'fail-open', help: 'With `--via http`: accept that the agent goes ahead while no server answers.' },
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    'One small entry for each event, which does not change with later versions. Hooks of others, comments, order and indentation stay as they are; a copy of the file is kept beside it as `.hookline-backup`. Installing twice changes nothing.',
    'A file that can not be read to the end, or that really lies outside of the home or the project, is left alone: exit code 78, with the place.',
  ],
  examples: [
    { does: 'For all projects', line: 'hookline install claude-code' },
    { does: 'What would change?', line: 'hookline install codex --dry-run' },
    { does: 'For everybody who works on this project', line: 'hookline install claude-code --scope project' },
  ],
};

export const uninstallSpec: CommandSpec = {
  name: 'uninstall',
  summary: "Take Hookline out of an agent's configuration again.",
  takes: '<host>',
  words: { min: 1, max: 1, missing: 'Out of which agent? `hookline doctor` shows where it is installed.' },
  options: [...COMMON, JSON_OPTION, HELP_OPTION],
  notes: [
    'Takes out exactly what `hookline install` put in. If nothing else was changed since, the file is as it was before, byte for byte. Exit code 1: there was nothing to take out.',
    'An agent can not take out what judges it.',
  ],
  examples: [
    { does: 'Out of your own file', line: 'hookline uninstall claude-code' },
    { does: 'What would change?', line: 'hookline uninstall claude-code --scope project --dry-run' },
  ],
};
