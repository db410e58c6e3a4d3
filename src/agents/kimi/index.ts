/** Kimi Code: the dialect, the place of its file and the host. A project has no hooks there. */
import { type Agent, file, type Location } from '../../core/contracts/agent.ts';
import { owned } from '../kit/places.ts';
import { dialect } from './dialect.ts';
import { kimiHost as host } from './host.ts';

const LOCATIONS: readonly Location[] = [
  { id: 'kimi-config', base: 'home', path: '.kimi-code', find: file('config.toml'), scope: 'user', kind: 'settings' },
];

export const kimi: Agent = {
  id: dialect.id,
  title: host.title,
  dialect,
  places: owned('toml', LOCATIONS),
  host,
};
