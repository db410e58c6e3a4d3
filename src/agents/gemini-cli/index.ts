/** Gemini CLI: the dialect, the places of its files and the host. */
import { type Agent, file, type Location } from '../../core/contracts/agent.ts';
import { owned } from '../kit/places.ts';
import { dialect } from './dialect.ts';
import { geminiCliHost as host } from './host.ts';

const LOCATIONS: readonly Location[] = [
  { id: 'gemini-settings', base: 'home', path: '.gemini', find: file('settings.json'), scope: 'user', kind: 'settings' },
  { id: 'gemini-settings', base: 'root', path: '.gemini', find: file('settings.json'), scope: 'project', kind: 'settings' },
];

export const geminiCli: Agent = {
  id: dialect.id,
  title: host.title,
  dialect,
  places: owned('json', LOCATIONS),
  host,
};
