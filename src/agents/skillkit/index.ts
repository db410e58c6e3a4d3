/** SkillKit skills: the dialect and the places of its files. */
import type { Agent } from '../../core/contracts/agent.ts';
import { NAMED_SKILLS, owned, SKILLS } from '../kit/places.ts';
import { dialect } from './dialect.ts';

export { createSkillRegistry, type Skill, type SkillEvent, type SkillHandler, type SkillHook, type SkillReturn } from './programmatic.ts';

export const skillkit: Agent = {
  id: dialect.id,
  title: dialect.title,
  dialect,
  places: owned('frontmatter', [...SKILLS, ...NAMED_SKILLS]),
  host: null,
};
