/** hooktoml: `hooks/<name>/HOOK.toml` manifests with a shell, http or prompt_inject action. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export const dialect: Dialect = {
  id: 'hooktoml',
  title: 'HOOK.toml manifests',
  profile,
  wire,
  aliases: {},
  loader: async () => (await import('./load.ts')).load,
  schema: async () => (await import('./schema.ts')).schema(),
  scaffold: async () => (await import('./scaffold.ts')).scaffold,
};
