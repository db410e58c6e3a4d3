/** hooktoml: `hooks/<name>/HOOK.toml` manifests with a shell, http or prompt_inject action. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export const hooktoml: Dialect = {
  id: 'hooktoml',
  title: 'HOOK.toml manifests',
  profile,
  wire,
  aliases: {},
  reads: [
    { place: 'toml-hooks', format: 'toml' },
    { place: 'named-hooks-toml', format: 'toml' },
  ],
  loader: async () => (await import('./load.ts')).load,
};
