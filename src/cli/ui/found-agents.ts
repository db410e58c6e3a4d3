/** The agents that have left files on this machine, and whether they ask Hookline. */
import { HOSTS } from '../../builtins.ts';
import { installedFiles, isFound } from '../../install/installed.ts';
import { movedFolders, resolveHome } from '../../load/find/home.ts';
import type { FoundAgent } from '../../ui/api.ts';
import { type Arguments, optionValue } from '../arguments.ts';

export function foundAgents(args: Arguments, root: string): readonly FoundAgent[] {
  const { home, variables } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  const moved = movedFolders(
    HOSTS.map(({ entry }) => entry),
    variables,
  );
  const folders = { home, root, moved };
  return HOSTS.filter((host) => isFound(host, folders)).map((host) => ({
    id: host.id,
    title: host.title,
    isInstalled: installedFiles(host, folders).some(({ lines }) => lines.length > 0),
    install: `hookline install ${host.id}${host.entry.files.user === undefined ? ' --scope project' : ''}`,
  }));
}
