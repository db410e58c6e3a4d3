/** Agent Hooks (HOOK.md): the dialect and the places of its files. */
import { type Agent, each, eachOrSelf, type Location } from '../../core/contracts/agent.ts';
import { owned } from '../kit/places.ts';
import { dialect } from './dialect.ts';

const LOCATIONS: readonly Location[] = [
  { id: 'agents-hooks', base: 'config', path: 'agents/hooks', find: each('HOOK.md'), scope: 'user', kind: 'hooks' },
  { id: 'agents-hooks', base: 'root', path: '.agents/hooks', find: each('HOOK.md'), scope: 'project', kind: 'hooks' },
  { id: 'named-hooks-md', base: 'hooks', path: '', find: eachOrSelf('HOOK.md'), scope: 'runtime', kind: 'hooks' },
];

export const agenthooks: Agent = {
  id: dialect.id,
  title: dialect.title,
  dialect,
  places: owned('frontmatter', LOCATIONS),
  host: null,
};
