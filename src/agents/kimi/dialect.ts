/** The dialect of Kimi Code, for answering it as its own hooks would. Its configuration is not read here: Kimi runs those hooks itself. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export const dialect: Dialect = {
  id: 'kimi',
  title: 'Kimi Code hooks',
  profile,
  wire,
  aliases: {},
  loader: async () => () => ({ hooks: [], diagnostics: [] }),
};
