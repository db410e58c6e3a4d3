/** Codex: the dialect, the places of its files and the host. */
import { type Agent, file } from '../../core/contracts/agent.ts';
import { owned } from '../kit/places.ts';
import { dialect } from './dialect.ts';
import { codexHost as host } from './host.ts';

export const codex: Agent = {
  id: dialect.id,
  title: host.title,
  dialect,
  places: [
    ...owned('toml', [
      { id: 'codex-managed', base: 'system', path: 'etc/codex', find: file('requirements.toml'), scope: 'managed', kind: 'settings' },
    ]),
    ...owned('json', [{ id: 'codex-hooks', base: 'home', path: '.codex', find: file('hooks.json'), scope: 'user', kind: 'hooks' }]),
    ...owned('toml', [{ id: 'codex-config', base: 'home', path: '.codex', find: file('config.toml'), scope: 'user', kind: 'settings' }]),
    ...owned('json', [{ id: 'codex-hooks', base: 'root', path: '.codex', find: file('hooks.json'), scope: 'project', kind: 'hooks' }]),
    ...owned('toml', [{ id: 'codex-config', base: 'root', path: '.codex', find: file('config.toml'), scope: 'project', kind: 'settings' }]),
  ],
  host,
};
