/** A new entry in `hooks.json`, with its script. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { BY_EXIT_CODE, fileWithScript } from '../kit/scaffold/parts.ts';

export const scaffold: WriteScaffold = (name) => {
  const path = `.codex/hooks/${name}.sh`;
  const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: path, timeout: 10 }] }] };
  return fileWithScript({ folder: '.codex', name: 'hooks', value: { hooks } }, { path, deny: BY_EXIT_CODE }, 'Bash');
};
