/** Hookline's own hooks: functions given to `on`, and programs in the folders of hooks. */
import { type Agent, endings, type Location } from '../../core/contracts/agent.ts';
import { owned } from '../kit/places.ts';
import { dialect } from './dialect.ts';

export type { HookAnswer, HookDecision, HookEffects } from './answer.ts';

/** Modules first, because they are the usual form. Files for editors and tests stand next to the hooks. */
const PROGRAMS = endings(
  ['.ts', '.mts', '.js', '.mjs', '.py', '.sh', '.bash', '.rb', '.pl', '.php', '.lua'],
  ['.d.ts', '.d.mts', '.test.ts', '.test.mts', '.test.js', '.test.mjs'],
);

const LOCATIONS: readonly Location[] = [
  { id: 'hookline-hooks', base: 'config', path: 'hookline/hooks', find: PROGRAMS, scope: 'user', kind: 'hooks' },
  { id: 'hookline-hooks', base: 'root', path: '.hookline/hooks', find: PROGRAMS, scope: 'project', kind: 'hooks' },
];

export const hookline: Agent = {
  id: dialect.id,
  title: dialect.title,
  dialect,
  places: owned('hook-program', LOCATIONS),
  host: null,
};
