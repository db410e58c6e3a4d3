/** Hookline's own dialect: functions given to `on`. It has no files. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export type { HookAnswer } from './wire.ts';

export const hookline: Dialect = {
  id: 'hookline',
  title: 'Hookline functions',
  profile,
  wire,
  aliases: {},
  reads: [],
  loader: async () => () => ({ hooks: [], diagnostics: [] }),
  quirks: async () => [],
};
