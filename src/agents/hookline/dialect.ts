/** Hookline's own dialect: functions given to `on`. It has no files. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export const dialect: Dialect = {
  id: 'hookline',
  title: 'Hookline functions',
  profile,
  wire,
  aliases: {},
  loader: async () => () => ({ hooks: [], diagnostics: [] }),
};
