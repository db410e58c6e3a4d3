/** GitHub Copilot CLI: the dialect, the places of its files and the host. */
import { type Agent, ending, file, type Location } from '../../core/contracts/agent.ts';
import { owned } from '../kit/places.ts';
import { dialect } from './dialect.ts';
import { copilotHost as host } from './host.ts';

const LOCATIONS: readonly Location[] = [
  { id: 'copilot-hooks', base: 'home', path: '.copilot/hooks', find: ending('.json'), scope: 'user', kind: 'hooks' },
  { id: 'copilot-settings', base: 'home', path: '.copilot', find: file('settings.json'), scope: 'user', kind: 'settings' },
  { id: 'copilot-hooks', base: 'root', path: '.github/hooks', find: ending('.json'), scope: 'project', kind: 'hooks' },
  { id: 'copilot-settings', base: 'root', path: '.github/copilot', find: file('settings.json'), scope: 'project', kind: 'settings' },
  { id: 'copilot-settings', base: 'root', path: '.github/copilot', find: file('settings.local.json'), scope: 'project', kind: 'settings' },
];

export const copilot: Agent = {
  id: dialect.id,
  title: host.title,
  dialect,
  places: owned('json', LOCATIONS),
  host,
};
