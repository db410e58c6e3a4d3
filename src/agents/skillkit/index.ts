/** SkillKit skills: the dialect and the places of its files. */
import { type Agent, deep, type Location } from '../../core/contracts/agent.ts';
import { NAMED_SKILLS, owned } from '../kit/places.ts';
import { dialect } from './dialect.ts';

export { createSkillRegistry, type Skill, type SkillEvent, type SkillHandler, type SkillHook, type SkillReturn } from './programmatic.ts';

const LOCATIONS: readonly Location[] = [
  { id: 'skills', base: 'root', path: 'skills', find: deep('SKILL.md'), scope: 'project', kind: 'skill' },
];

export const skillkit: Agent = {
  id: dialect.id,
  title: dialect.title,
  dialect,
  places: owned('frontmatter', [...LOCATIONS, ...NAMED_SKILLS]),
  host: null,
};
