/** codex: the hooks of Codex CLI, in `hooks.json` and in `config.toml`. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export const codex: Dialect = {
  id: 'codex',
  title: 'Codex CLI (hooks.json, config.toml)',
  profile,
  wire,
  aliases: {},
  reads: [
    { place: 'codex-managed', format: 'toml' },
    { place: 'codex-hooks', format: 'json' },
    { place: 'codex-config', format: 'toml' },
  ],
  loader: async () => (await import('./load.ts')).load,
};
