/** A new entry in `hooks.json`, with its script. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { BY_EXIT_CODE, fileWithScript } from '../kit/scaffold/parts.ts';

export const scaffold: WriteScaffold = (name) => {
  const path = `.factory/hooks/${name}.sh`;
  const value = { PreToolUse: [{ matcher: 'Execute', hooks: [{ type: 'command', command: path, timeout: 10 }] }] };
  return fileWithScript({ folder: '.factory', name: 'hooks', value }, { path, deny: BY_EXIT_CODE }, 'Execute');
};
