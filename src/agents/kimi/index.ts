/** Kimi Code: the dialect and the host. */
import type { Agent } from '../../core/contracts/agent.ts';
import { dialect } from './dialect.ts';
import { kimiHost as host } from './host.ts';

export const kimi: Agent = {
  id: dialect.id,
  title: host.title,
  dialect,
  places: [],
  host,
};
