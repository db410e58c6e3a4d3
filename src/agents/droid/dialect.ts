/** The dialect of Factory Droid, for answering it as its own hooks would. Its configuration is not read here: Droid runs those hooks itself. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export const dialect: Dialect = {
  id: 'droid',
  title: 'Factory Droid hooks',
  profile,
  wire,
  aliases: {},
  loader: async () => () => ({ hooks: [], diagnostics: [] }),
};
