/** A new entry in the settings, with its script. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { BY_EXIT_CODE, fileWithScript } from '../kit/scaffold/parts.ts';

export const scaffold: WriteScaffold = (name) => {
  const path = `.qwen/hooks/${name}.sh`;
  const handler = { type: 'command', command: `"$QWEN_PROJECT_DIR"/${path}`, name, timeout: 10 };
  const hooks = { PreToolUse: [{ matcher: 'run_shell_command', hooks: [handler] }] };
  return fileWithScript({ folder: '.qwen', name: 'settings', value: { hooks } }, { path, deny: BY_EXIT_CODE }, 'run_shell_command');
};
