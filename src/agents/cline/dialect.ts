/** The dialect of Cline, for answering it as its own hooks would. Its hooks are not read here: Cline runs them itself. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export const dialect: Dialect = {
  id: 'cline',
  title: 'Cline hooks',
  profile,
  wire,
  aliases: {},
  loader: async () => () => ({ hooks: [], diagnostics: [] }),
};
