/** arawn: plugins whose `hooks/hooks.json` maps events to matcher groups. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export const arawn: Dialect = {
  id: 'arawn',
  title: 'Arawn plugins (hooks.json)',
  profile,
  wire,
  aliases: {},
  reads: [
    { place: 'plugins', format: 'json' },
    { place: 'named-plugins', format: 'json' },
    { place: 'root-plugin', format: 'json' },
  ],
  loader: async () => (await import('./load.ts')).load,
};
