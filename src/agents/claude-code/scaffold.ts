/** A new entry in the settings, with its script. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { BY_EXIT_CODE, fileWithScript } from '../kit/scaffold/parts.ts';

export const scaffold: WriteScaffold = (name, schema) => {
  const path = `.claude/hooks/${name}.sh`;
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: `"$CLAUDE_PROJECT_DIR"/${path}`, timeout: 10 }] }] };
  const value = { $schema: schema('.claude/settings.json'), hooks };
  return fileWithScript({ folder: '.claude', name: 'settings', value }, { path, deny: BY_EXIT_CODE }, 'Bash');
};
