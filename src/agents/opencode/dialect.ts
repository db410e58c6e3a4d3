/** The dialect of OpenCode, for answering it as its own hooks would. Its plugins are reported and not run: they are code for its own process. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export const dialect: Dialect = {
  id: 'opencode',
  title: 'OpenCode plugin hooks',
  profile,
  wire,
  aliases: {},
  loader: async () => (await import('./load.ts')).load,
  scaffold: null,
};
