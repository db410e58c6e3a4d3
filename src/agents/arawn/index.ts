/** Arawn plugins (hooks.json): the dialect and the places of its files. */
import type { Agent } from '../../core/contracts/agent.ts';
import { ARAWN_PLUGINS, owned, PLUGINS, ROOT_PLUGIN, readable } from '../kit/places.ts';
import { dialect } from './dialect.ts';

export const arawn: Agent = {
  id: dialect.id,
  title: dialect.title,
  dialect,
  places: [...readable('json', ROOT_PLUGIN), ...owned('json', [...ARAWN_PLUGINS, ...PLUGINS])],
  host: null,
};
