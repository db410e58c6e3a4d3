/** The dialect of Cline, for answering it as its own hooks would. Its hooks are not read here: Cline runs them itself. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export const cline: Dialect = {
  id: 'cline',
  title: 'Cline hooks',
  profile,
  wire,
  aliases: {},
  reads: [],
  loader: async () => () => ({ hooks: [], diagnostics: [] }),
};
