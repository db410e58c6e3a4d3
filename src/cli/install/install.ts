/** `hookline install`: one small entry for each event in an agent's own configuration. */
import { realpathSync } from 'node:fs';
import { OTHER_PRODUCTS } from '../../agents/kit/other-products.ts';
import { HOSTS } from '../../builtins.ts';
import { lineFor } from '../../core/contracts/entry-line.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { duplicateEntries } from '../../install/double-readers.ts';
import { hostLook, objectionsTo } from '../../install/host-look.ts';
import { planInstall } from '../../install/install.ts';
import { installedFiles } from '../../install/installed.ts';
import { vanishing } from '../../install/lasting-path.ts';
import { launcherFor } from '../../install/launcher.ts';
import { type HomeFolders, resolveHome } from '../../load/find/home.ts';
import { OF_ACCOUNT, recordIn, writeInstallation } from '../../load/find/installation.ts';
import { serveFiles } from '../../server/endpoint.ts';
import { type Arguments, hasFlag, optionValue, usageError } from '../arguments.ts';
import { type CommandResult, type CommandSpec, EXIT, type OptionSpec } from '../command.ts';
import { requirePerson } from '../input/by-a-person.ts';
import { HELP_OPTION, HOME_OPTION, JSON_OPTION } from '../options.ts';
import { jsonDocument } from '../output.ts';
import { renderDiagnostics } from '../print/diagnostics.ts';
import { terminalStyle } from '../print/style.ts';
import { isStartedByHand, startOnDemand } from '../serve/on-demand.ts';
import { packageVersion } from '../version.ts';
import type { ChosenReach } from './over-http.ts';
import { renderInstalled } from './print-install.ts';
import { change, diffOf, exitFor, filesAsJson, problemsOf, readInstallTask, type TaskPlaces, unlogged } from './task.ts';
import { warmUp } from './warm-up.ts';

export { installSpec as spec };

export async function run(args: Arguments): Promise<CommandResult> {
  const places = readInstallTask(args);
  const { reach, remarks } = await readReach(args, places);
  const task = { ...places, reach };
  const { host, scope, folders } = task;
  const dryRun = hasFlag(args, 'dry-run');
  const json = hasFlag(args, 'json');
  const act = { kind: 'hooks.installed', weight: 'installing', does: 'install Hookline', data: { host: host.id, scope } } as const;
  const permitted = dryRun ? undefined : await requirePerson(args, act);
  const done = change(() => planInstall(task), dryRun);
  if ('problems' in done) {
    const diagnostics = problemsOf(done);
    if (json) return { exit: exitFor(diagnostics), out: jsonDocument({ host: host.id, scope, dryRun, files: [], diagnostics }) };
    return { exit: exitFor(diagnostics), err: renderDiagnostics(diagnostics, terminalStyle()) };
  }
  const home = resolveHome({ home: optionValue(args, 'home') }, process.env);
  if (!dryRun) recordInstallation(home);
  if (!dryRun && reach.via === 'command')
    await warmUp({ host, stateFolder: home.stateFolder, script: process.argv[1] ?? '', env: process.env });
  const serving = dryRun || reach.via !== 'command' || hasFlag(args, 'no-serve') ? [] : serveOnDemand(home);
  const diagnostics = [
    ...remarks,
    ...(await unlogged(permitted, `Hookline was installed in ${host.title} (${scope}).`, done.files)),
    ...serving,
    ...vanishing(reach.program, host.id, process.env['PATH'] ?? ''),
    ...(dryRun ? [] : [...duplicateEntries(HOSTS, OTHER_PRODUCTS, folders), ...(await stillToDo(places))]),
  ];
  if (json) {
    return { exit: EXIT.ok, out: jsonDocument({ host: host.id, scope, dryRun, files: filesAsJson(done.files, dryRun), diagnostics }) };
  }
  if (dryRun) return { exit: EXIT.ok, out: done.files.map(diffOf).join('') || 'Nothing would change.\n', verbatim: true };
  const next = '`hookline doctor --canary` proves that it works. A session that is open may have to be started again.';
  const line = lineFor(reach, host.id, 'EVENT', process.platform);
  return { exit: EXIT.ok, out: renderInstalled({ host, files: done.files, line, diagnostics, next }, terminalStyle()) };
}

/** Returns the steps that the agent needs before it runs the entries. Nothing is broken yet, so these are warnings. */
async function stillToDo({ host, scope, folders }: TaskPlaces): Promise<Diagnostic[]> {
  const limits = await host.limits();
  const look = hostLook(folders, process.env);
  return installedFiles(host, folders)
    .filter((file) => file.scope === scope)
    .flatMap((file) => objectionsTo(host, limits, file, look))
    .map((objection) => ({ ...objection, severity: 'warning' }));
}

/** Writes down the home that the entries protect and what runs them, so that no variable of an agent's environment decides on it. */
function recordInstallation({ home, configFolder, stateFolder }: HomeFolders): void {
  const program = realpathSync(process.argv[1] ?? '');
  writeInstallation({ version: packageVersion(), home, configFolder, stateFolder, node: process.execPath, program });
}

/** Lets the client start a server with the first event, unless the person has decided against it. */
function serveOnDemand({ stateFolder }: HomeFolders): Diagnostic[] {
  const files = serveFiles(stateFolder);
  if (process.platform === 'win32' || isStartedByHand(files)) return [];
  startOnDemand(files);
  const message = 'The first event starts `hookline serve` in the background, which answers the next ones without starting Node.';
  return [{ severity: 'info', code: 'serves-on-demand', message, hint: '`hookline serve manual` turns that off.' }];
}

async function readReach(args: Arguments, places: TaskPlaces): Promise<ChosenReach> {
  const via = optionValue(args, 'via') ?? 'command';
  const context = { script: process.argv[1] ?? '', node: process.execPath, path: process.env['PATH'] ?? '' };
  const { program, absolute } = launcherFor(places.scope, context);
  if (via === 'http') return (await import('./over-http.ts')).reachByHttp(args, places, program, recordFor(args, places));
  if (via !== 'command') throw usageError(`\`--via\` must be command or http, not \`${via}\`.`);
  for (const option of ['port', 'fail-open']) if (hasFlag(args, option)) throw usageError(`\`--${option}\` needs \`--via http\`.`);
  const message = '`hookline` is not on your PATH, so the entries contain its full path on this machine.';
  const hint = 'Others who share the project need an entry of their own: install Hookline globally, then install again.';
  const remark: Diagnostic = { severity: 'warning', code: 'bound-to-machine', message, hint };
  return { reach: { via, program, installed: recordFor(args, places) }, remarks: places.scope === 'project' && absolute ? [remark] : [] };
}

/** Returns how entries name the record: by its path in a file of the user's own, and not at all in one that others share. */
function recordFor(args: Arguments, { scope }: TaskPlaces): string {
  return scope === 'project' ? OF_ACCOUNT : recordIn(resolveHome({ home: optionValue(args, 'home') }, process.env).home);
}

/** The words that name a host, for the help pages and for a command line without one. */
const NAMES = HOSTS.map(({ id }) => id).join(', ');

/** `hookline install` and `hookline uninstall` as data. */
const COMMON: readonly OptionSpec[] = [
  {
    name: 'scope',
    value: 'SCOPE',
    help: 'File to change: `user` for all of your projects (default), or `project`, which you share with others.',
  },
  { name: 'dry-run', help: 'Change nothing; print the changes as a unified diff.' },
  { name: 'root', value: 'DIR', help: 'The project. Default: the working directory.' },
  HOME_OPTION,
];

export const installSpec: CommandSpec = {
  name: 'install',
  summary: "Add Hookline to an agent's own configuration, so that the agent runs the hooks.",
  takes: '<host>',
  words: {
    min: 1,
    max: 1,
    missing: `Which agent? One of: ${NAMES}. \`hookline doctor\` shows which are here.`,
  },
  options: [
    ...COMMON,
    {
      name: 'via',
      value: 'WAY',
      help: 'How the agent calls Hookline: `command` (default), or `http` for agents that can call `hookline serve` themselves.',
    },
    { name: 'port', value: 'N', help: 'With `--via http`: port of `hookline serve`. Default: the port of the running server.' },
    { name: 'no-serve', help: 'Do not let the first event start `hookline serve` in the background.' },
    { name: 'fail-open', help: 'With `--via http`: accept that the agent continues without a check while no server answers.' },
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    `Hosts: ${NAMES}.`,
    'One small entry for each event, which does not change with later versions. Hooks of others, comments, order and indentation stay as they are; a copy of the file is kept next to it as `.hookline-backup`. Installing twice changes nothing.',
    'A file that its agent cannot parse is not changed: exit code 1, with the place. A file that cannot be read, or whose real path is outside of the home or the project, is not changed either: exit code 78.',
  ],
  examples: [
    { does: 'For all projects', line: 'hookline install claude-code' },
    { does: 'What would change?', line: 'hookline install codex --dry-run' },
    { does: 'For everybody who works on this project', line: 'hookline install claude-code --scope project' },
  ],
};

export const uninstallSpec: CommandSpec = {
  name: 'uninstall',
  summary: "Remove Hookline from an agent's configuration.",
  takes: '<host>',
  words: { min: 1, max: 1, missing: `Which agent? One of: ${NAMES}. \`hookline doctor\` shows where it is installed.` },
  options: [...COMMON, JSON_OPTION, HELP_OPTION],
  notes: [
    `Hosts: ${NAMES}.`,
    'Removes exactly the entries that `hookline install` wrote. If nothing else has changed since, the file is the same as before, byte for byte. Exit code 1: there was nothing to remove.',
    'An agent cannot remove its own checks.',
  ],
  examples: [
    { does: 'Out of your own file', line: 'hookline uninstall claude-code' },
    { does: 'What would change?', line: 'hookline uninstall claude-code --scope project --dry-run' },
  ],
};
