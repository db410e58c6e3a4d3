/** Windsurf: the dialect, the places of its files and the host. */
import { type Agent, file, type Location } from '../../core/contracts/agent.ts';
import { owned } from '../kit/places.ts';
import { dialect } from './dialect.ts';
import { windsurfHost as host } from './host.ts';

const LOCATIONS: readonly Location[] = [
  { id: 'windsurf-hooks', base: 'system', path: 'etc/windsurf', find: file('hooks.json'), scope: 'managed', kind: 'hooks' },
  { id: 'windsurf-hooks', base: 'home', path: '.codeium/windsurf', find: file('hooks.json'), scope: 'user', kind: 'hooks' },
  { id: 'windsurf-hooks', base: 'root', path: '.windsurf', find: file('hooks.json'), scope: 'project', kind: 'hooks' },
];

export const windsurf: Agent = {
  id: dialect.id,
  title: host.title,
  dialect,
  places: owned('json', LOCATIONS),
  host,
};
