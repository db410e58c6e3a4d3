/** Reads the task of `install` or `uninstall` from the command line, carries out its changes or shows them, and reports the result. */

import { HOSTS } from '../../builtins.ts';
import type { Host } from '../../core/contracts/host.ts';
import type { Diagnostic } from '../../core/values/diagnostic.ts';
import { suggest } from '../../core/values/suggest.ts';
import { INSTALL_SCOPES, type InstallScope } from '../../install/host-files.ts';
import { type Change, carryOut, type FileChange, type InstallTask, isChanged } from '../../install/install.ts';
import { movedFolders, resolveHome } from '../../load/find/home.ts';
import { type Arguments, optionValue, usageError } from '../arguments.ts';
import { CommandError, EXIT } from '../command.ts';
import { readRoot } from '../engine-options.ts';
import { type Permitted, recordOrWarn } from '../input/by-a-person.ts';
import { diffLines, unified } from '../print/line-diff.ts';

const TRIES = 3;

/** Plans again as long as another process writes to the same files. */
export function change(plan: () => Change, dryRun: boolean): Change {
  for (let tries = 0; tries < TRIES; tries++) {
    const planned = plan();
    if ('problems' in planned || dryRun || written(planned.files)) return planned;
  }
  throw new CommandError({
    exit: EXIT.negative,
    code: 'usage',
    message: 'Another process keeps changing the file, so nothing was written.',
    hint: 'Quit the agent, and try again.',
  });
}

function written(files: readonly FileChange[]): boolean {
  try {
    return carryOut(files);
  } catch (cause) {
    const message = `The file cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`;
    throw new CommandError({ exit: EXIT.config, code: 'usage', message, hint: 'Make the file writable for your user.' });
  }
}

/** Writes the entry of a change that was made. Returns a warning if the log cannot be written: the file of the agent is as it should be. */
export async function unlogged(permitted: Permitted | undefined, says: string, files: readonly FileChange[]): Promise<Diagnostic[]> {
  const changed = files.filter(isChanged).map(({ config }) => config.file);
  const message = permitted && (await recordOrWarn(permitted.record(says, { files: changed })));
  return message === undefined ? [] : [{ severity: 'warning', code: 'act-not-logged', message, hint: 'Fix the store.' }];
}

/** As `diff -u` prints it. */
export function diffOf(change: FileChange): string {
  const { config, after } = change;
  if (!isChanged(change)) return '';
  const [from, to] = [config.text === undefined ? '/dev/null' : config.file, after === undefined ? '/dev/null' : config.file];
  return [`--- ${from}`, `+++ ${to}`, ...unified(diffLines(config.text ?? '', after ?? '')), ''].join('\n');
}

/** The files as one JSON document has them. */
export function filesAsJson(files: readonly FileChange[], dryRun: boolean) {
  return files.map((file) => {
    const { config, after, entries, backup } = file;
    const state = !isChanged(file) ? 'unchanged' : config.text === undefined ? 'created' : after === undefined ? 'removed' : 'changed';
    return { file: config.file, state, entries, backup: backup ?? null, ...(dryRun && { diff: diffOf(file) }) };
  });
}

/** A file that its agent cannot parse protects nothing as it is; any other file that cannot be written is a matter of the machine. */
export function exitFor(problems: readonly Diagnostic[]): number {
  return problems.some(({ code }) => UNPARSED.includes(code)) ? EXIT.negative : EXIT.config;
}

const UNPARSED = ['dropped-file', 'invalid-json', 'invalid-toml'];

export function problemsOf(change: Change): readonly Diagnostic[] {
  return 'problems' in change ? change.problems : [];
}

export type TaskPlaces = Omit<InstallTask, 'reach'>;

export function readInstallTask(args: Arguments): TaskPlaces {
  const host = hostNamed(args.positionals[0] as string);
  const scope = readScope(args);
  const { home, variables } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  if (host.entry.files[scope] === undefined) {
    const other = INSTALL_SCOPES.find((one) => host.entry.files[one] !== undefined);
    throw usageError(
      `${host.title} has no configuration of ${scope === 'user' ? 'the user' : 'a project'}.`,
      other === undefined ? undefined : `Pass \`--scope ${other}\`.`,
    );
  }
  return { host, scope, folders: { home, root: readRoot(args), moved: movedFolders([host.entry], variables) } };
}

export function hostNamed(id: string, hosts: readonly Host[] = HOSTS): Host {
  const host = hosts.find((one) => one.id === id);
  if (host) return host;
  const near = nearestHost(id, hosts);
  const hint = near === undefined ? `Known: ${hosts.map((one) => one.id).join(', ')}.` : `Did you mean \`${near.id}\`?`;
  throw usageError(`There is no agent \`${id}\`.`, hint);
}

/** People write the product's name or its program as well: `Claude`, `gemini`. A name that begins like the one of one host alone means that host. */
function nearestHost(name: string, hosts: readonly Host[]): Host | undefined {
  const namesOf = ({ id, title, signs }: Host): readonly string[] => [id, title, ...signs.programs];
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const wanted = plain(name);
  const like = hosts.filter((host) =>
    namesOf(host)
      .map(plain)
      .some((one) => one.startsWith(wanted) || wanted.startsWith(one)),
  );
  if (wanted.length >= SHORTEST_NAME && like.length === 1) return like[0];
  const near = suggest(name, hosts.flatMap(namesOf));
  return near === undefined ? undefined : hosts.find((host) => namesOf(host).includes(near));
}

const SHORTEST_NAME = 3;

function readScope(args: Arguments): InstallScope {
  const given = optionValue(args, 'scope') ?? 'user';
  const scope = INSTALL_SCOPES.find((one) => one === given);
  if (scope !== undefined) return scope;
  throw usageError(`\`--scope\` must be user or project, not \`${given}\`.`);
}
