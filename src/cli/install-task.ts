/** What `install` and `uninstall` are asked to do, read from the command line. */
import { HOSTS } from '../builtins.ts';
import { resolveHome } from '../config/home.ts';
import { movedFolders } from '../config/moved.ts';
import type { Host } from '../core/host.ts';
import { suggest } from '../core/suggest.ts';
import { INSTALL_SCOPES, type InstallScope } from '../install/host-files.ts';
import type { InstallTask } from '../install/install.ts';
import { type Arguments, optionValue, usageError } from './arguments.ts';
import { readRoot } from './engine-options.ts';

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
  const ids = hosts.map((one) => one.id);
  const near = suggest(id, ids);
  throw usageError(`There is no agent \`${id}\`.`, near === undefined ? `Known: ${ids.join(', ')}.` : `Did you mean \`${near}\`?`);
}

function readScope(args: Arguments): InstallScope {
  const given = optionValue(args, 'scope') ?? 'user';
  const scope = INSTALL_SCOPES.find((one) => one === given);
  if (scope !== undefined) return scope;
  throw usageError(`\`--scope\` must be user or project, not \`${given}\`.`);
}
