/** A new entry in `hooks.json`, with its script. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { byReply, fileWithScript, REASON } from '../kit/scaffold/parts.ts';

export const scaffold: WriteScaffold = (name) => {
  const path = `.cursor/hooks/${name}.sh`;
  const value = { version: 1, hooks: { preToolUse: [{ command: path, matcher: 'Shell', timeout: 10, failClosed: true }] } };
  const deny = byReply({ permission: 'deny', agent_message: REASON });
  return fileWithScript({ folder: '.cursor', name: 'hooks', value }, { path, deny }, 'Shell');
};
