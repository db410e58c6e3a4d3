/** qwen: the hooks of Qwen Code, in its settings. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export const dialect: Dialect = {
  id: 'qwen',
  title: 'Qwen Code (settings.json)',
  profile,
  wire,
  aliases: {},
  loader: async () => (await import('./load.ts')).load,
  schema: async () => (await import('./schema.ts')).schema(),
  scaffold: async () => (await import('./scaffold.ts')).scaffold,
};
