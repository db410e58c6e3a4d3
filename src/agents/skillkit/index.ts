/** The skillkit dialect: hooks in the frontmatter of skills that gate what an agent does, and never change it. */
import type { Dialect } from '../../core/contracts/dialect.ts';
import { profile } from './profile.ts';
import { wire } from './wire.ts';

export { type Skill, type SkillHook, type SkillReturn, skillRegistrar } from './programmatic.ts';

export const skillkit: Dialect = {
  id: 'skillkit',
  title: 'SkillKit skills',
  profile,
  wire,
  aliases: {},
  reads: [
    { place: 'skills', format: 'frontmatter' },
    { place: 'named-skills', format: 'frontmatter' },
  ],
  loader: async () => (await import('./load.ts')).load,
};
