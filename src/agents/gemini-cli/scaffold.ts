/** A new entry in the settings, with its script. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { byReply, fileWithScript, REASON } from '../kit/scaffold/parts.ts';

export const scaffold: WriteScaffold = (name) => {
  const path = `.gemini/hooks/${name}.sh`;
  const handler = { type: 'command', command: `"$GEMINI_PROJECT_DIR"/${path}`, name, timeout: 10_000 };
  const hooks = { BeforeTool: [{ matcher: 'run_shell_command', hooks: [handler] }] };
  const deny = byReply({ decision: 'deny', reason: REASON });
  return fileWithScript({ folder: '.gemini', name: 'settings', value: { hooks } }, { path, deny }, 'run_shell_command');
};
