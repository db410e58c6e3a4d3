/** Qwen Code: the dialect, the places of its files and the host. */
import { type Agent, file, type Location } from '../../core/contracts/agent.ts';
import { owned } from '../kit/places.ts';
import { dialect } from './dialect.ts';
import { qwenHost as host } from './host.ts';

const LOCATIONS: readonly Location[] = [
  { id: 'qwen-settings', base: 'home', path: '.qwen', find: file('settings.json'), scope: 'user', kind: 'settings' },
  { id: 'qwen-settings', base: 'root', path: '.qwen', find: file('settings.json'), scope: 'project', kind: 'settings' },
];

export const qwen: Agent = {
  id: dialect.id,
  title: host.title,
  dialect,
  places: owned('json', LOCATIONS),
  host,
};
