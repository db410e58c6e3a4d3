/** Factory Droid: the dialect, the places of its files and the host. */
import { type Agent, file, type Location } from '../../core/contracts/agent.ts';
import { owned } from '../kit/places.ts';
import { dialect } from './dialect.ts';
import { droidHost as host } from './host.ts';

const LOCATIONS: readonly Location[] = [
  { id: 'droid-hooks', base: 'home', path: '.factory', find: file('hooks.json'), scope: 'user', kind: 'hooks' },
  { id: 'droid-hooks', base: 'home', path: '.factory/hooks', find: file('hooks.json'), scope: 'user', kind: 'hooks' },
  { id: 'droid-settings', base: 'home', path: '.factory', find: file('settings.json'), scope: 'user', kind: 'settings' },
  { id: 'droid-hooks', base: 'root', path: '.factory', find: file('hooks.json'), scope: 'project', kind: 'hooks' },
  { id: 'droid-hooks', base: 'root', path: '.factory/hooks', find: file('hooks.json'), scope: 'project', kind: 'hooks' },
  { id: 'droid-settings', base: 'root', path: '.factory', find: file('settings.json'), scope: 'project', kind: 'settings' },
  { id: 'droid-settings', base: 'root', path: '.factory', find: file('settings.local.json'), scope: 'project', kind: 'settings' },
];

export const droid: Agent = {
  id: dialect.id,
  title: host.title,
  dialect,
  places: owned('json', LOCATIONS),
  host,
};
