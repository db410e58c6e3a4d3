/** The dialect of Cursor: `hooks.json`, commands that answer with `permission`, `continue` or `followup_message`. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export const dialect: Dialect = {
  id: 'cursor',
  title: 'Cursor hooks.json',
  profile,
  wire,
  aliases: {},
  loader: async () => (await import('./load.ts')).load,
  schema: async () => (await import('./schema.ts')).schema(),
  scaffold: async () => (await import('./scaffold.ts')).scaffold,
};
