/** Cursor: the dialect, the places of its files and the host. */
import { type Agent, file, type Location } from '../../core/contracts/agent.ts';
import { owned } from '../kit/places.ts';
import { dialect } from './dialect.ts';
import { cursorHost as host } from './host.ts';

const LOCATIONS: readonly Location[] = [
  { id: 'cursor-hooks', base: 'system', path: 'etc/cursor', find: file('hooks.json'), scope: 'managed', kind: 'hooks' },
  { id: 'cursor-hooks', base: 'home', path: '.cursor', find: file('hooks.json'), scope: 'user', kind: 'hooks' },
  { id: 'cursor-hooks', base: 'root', path: '.cursor', find: file('hooks.json'), scope: 'project', kind: 'hooks' },
];

export const cursor: Agent = {
  id: dialect.id,
  title: host.title,
  dialect,
  places: owned('json', LOCATIONS),
  host,
};
