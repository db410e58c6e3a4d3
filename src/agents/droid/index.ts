/** Factory Droid: the dialect and the host. */
import type { Agent } from '../../core/contracts/agent.ts';
import { dialect } from './dialect.ts';
import { droidHost as host } from './host.ts';

export const droid: Agent = {
  id: dialect.id,
  title: host.title,
  dialect,
  places: [],
  host,
};
