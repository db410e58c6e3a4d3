/** The copilot dialect: commands and endpoints in hook files and settings, whose events have two spellings with a wire of their own each. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export const dialect: Dialect = {
  id: 'copilot',
  title: 'GitHub Copilot hook files',
  profile,
  wire,
  aliases: {},
  loader: async () => (await import('./load.ts')).load,
  schema: async () => (await import('./schema.ts')).schema(),
  scaffold: async () => (await import('./scaffold.ts')).scaffold,
};
