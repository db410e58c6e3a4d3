/** agenthooks: `<name>/HOOK.md` with YAML frontmatter and an entry script in `scripts/`. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile, RENAMED } from './profile.ts';
import { wire } from './wire.ts';

export const dialect: Dialect = {
  id: 'agenthooks',
  title: 'Agent Hooks (HOOK.md)',
  profile,
  wire,
  aliases: RENAMED,
  loader: async () => (await import('./load.ts')).load,
  schema: async () => (await import('./schema.ts')).schema(),
  scaffold: async () => (await import('./scaffold.ts')).scaffold,
};
