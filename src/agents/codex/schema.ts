/** The schema of Codex's `hooks.json`, and of `hooks` in its `config.toml`. */
import type { JsonObject } from '../../core/values/json.ts';
import { COMMON, closed, events, grouped, handlers, list, open, schemaOf, whole, words } from '../kit/schema/parts.ts';
import { FIELDS } from './load.ts';
import { profile } from './profile.ts';

const MEANINGS = {
  ...COMMON,
  timeout: whole('How long the hook may take, in seconds.', 1),
  commandWindows: words('The command on Windows.'),
  command_windows: words('The command on Windows.'),
  additionalContextLimit: whole('How much context the hook may add.', 0),
};

export function schema(): JsonObject {
  const handler = handlers(FIELDS, MEANINGS, { command: ['command'], mcp_tool: ['server', 'tool'] });
  const group = closed(['matcher', 'hooks'], { ...COMMON, hooks: grouped(handler) }, ['hooks']);
  const others = {
    state: { type: 'object', description: 'Kept by Codex: whether a hook is trusted and enabled.' },
    managed_dir: COMMON['name'] as JsonObject,
    windows_managed_dir: COMMON['name'] as JsonObject,
  };
  return schemaOf('Hooks of Codex', '`.codex/hooks.json` and `.codex/config.toml`', open({ hooks: events(profile, list(group), others) }));
}
