/** Cline: the dialect and the host. */
import type { Agent } from '../../core/contracts/agent.ts';
import { dialect } from './dialect.ts';
import { clineHost as host } from './host.ts';

export const cline: Agent = {
  id: dialect.id,
  title: host.title,
  dialect,
  places: [],
  host,
};
