/** cline: the hooks of Cline, a script for each event in its hook folders. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export const dialect: Dialect = {
  id: 'cline',
  title: 'Cline (hook scripts)',
  profile,
  wire,
  aliases: {},
  loader: async () => (await import('./load.ts')).load,
  scaffold: async () => (await import('./scaffold.ts')).scaffold,
};
