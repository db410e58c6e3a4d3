/** OpenCode: the dialect, the places of its plugins and the host. */
import { type Agent, type Base, ending, file, type Location } from '../../core/contracts/agent.ts';
import { owned } from '../kit/places.ts';
import { dialect } from './dialect.ts';
import { opencodeHost as host } from './host.ts';

const PLUGINS: readonly Location[] = [...pluginsIn('config', 'opencode', 'user'), ...pluginsIn('root', '.opencode', 'project')];

const SETTINGS: readonly Location[] = [
  ...settingsIn('config', 'opencode', 'user'),
  ...settingsIn('root', '', 'project'),
  ...settingsIn('root', '.opencode', 'project'),
];

/** OpenCode reads both names of the folder. */
function pluginsIn(base: Base, folder: string, scope: Location['scope']): Location[] {
  return ['plugin', 'plugins'].flatMap((name) =>
    ['.js', '.ts'].map((suffix): Location => {
      return { id: 'opencode-plugins', base, path: `${folder}/${name}`, find: ending(suffix), scope, kind: 'code' };
    }),
  );
}

/** Its settings may name plugins that are packages. */
function settingsIn(base: Base, path: string, scope: Location['scope']): Location[] {
  return ['opencode.json', 'opencode.jsonc'].map((name): Location => {
    return { id: 'opencode-settings', base, path, find: file(name), scope, kind: 'code' };
  });
}

export const opencode: Agent = {
  id: dialect.id,
  title: host.title,
  dialect,
  places: [...owned('program', PLUGINS), ...owned('json', SETTINGS)],
  host,
};
