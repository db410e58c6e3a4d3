/** HOOK.toml manifests: the dialect and the places of its files. */
import { type Agent, each, eachOrSelf, type Location } from '../../core/contracts/agent.ts';
import { owned } from '../kit/places.ts';
import { dialect } from './dialect.ts';

const LOCATIONS: readonly Location[] = [
  { id: 'toml-hooks', base: 'root', path: 'hooks', find: each('HOOK.toml'), scope: 'project', kind: 'hooks' },
  { id: 'named-hooks-toml', base: 'hooks', path: '', find: eachOrSelf('HOOK.toml'), scope: 'runtime', kind: 'hooks' },
];

export const hooktoml: Agent = {
  id: dialect.id,
  title: dialect.title,
  dialect,
  places: owned('toml', LOCATIONS),
  host: null,
};
