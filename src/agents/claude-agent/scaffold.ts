/** A new entry in the settings, with its script. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { byReply, fileWithScript, REASON } from '../kit/scaffold/parts.ts';

export const scaffold: WriteScaffold = (name) => {
  const path = `.claude/hooks/${name}.sh`;
  const hooks = { preToolUse: { [name]: { command: path, matcher: 'Bash', timeout_secs: 10 } } };
  const deny = byReply({ continue_execution: false, stop_reason: REASON });
  return fileWithScript({ folder: '.claude', name: 'settings', value: { hooks } }, { path, deny }, 'Bash');
};
