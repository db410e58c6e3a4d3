/** Cline: the dialect, the places of its scripts and the host. */
import { type Agent, type Location, named } from '../../core/contracts/agent.ts';
import { owned } from '../kit/places.ts';
import { dialect } from './dialect.ts';
import { clineHost as host } from './host.ts';
import { ENDINGS } from './profile.ts';

/** A script has the name of its event. */
const SCRIPTS = named(Object.keys(dialect.profile.events), ENDINGS);

const LOCATIONS: readonly Location[] = [
  { id: 'cline-hooks', base: 'home', path: 'Documents/Cline/Hooks', find: SCRIPTS, scope: 'user', kind: 'hooks' },
  { id: 'cline-hooks', base: 'home', path: '.cline/hooks', find: SCRIPTS, scope: 'user', kind: 'hooks' },
  { id: 'cline-hooks', base: 'root', path: '.clinerules/hooks', find: SCRIPTS, scope: 'project', kind: 'hooks' },
  { id: 'cline-hooks', base: 'root', path: '.cline/hooks', find: SCRIPTS, scope: 'project', kind: 'hooks' },
];

export const cline: Agent = {
  id: dialect.id,
  title: host.title,
  dialect,
  places: owned('program', LOCATIONS),
  host,
};
