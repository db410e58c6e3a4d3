/** A new file of hooks, with its script. */
import type { WriteScaffold } from '../../core/contracts/dialect.ts';
import { byReply, fileWithScript, REASON } from '../kit/scaffold/parts.ts';

export const scaffold: WriteScaffold = (name) => {
  const path = `.github/hooks/${name}.sh`;
  const value = { version: 1, hooks: { preToolUse: [{ type: 'command', bash: `./${path}`, matcher: 'bash', timeoutSec: 10 }] } };
  const deny = byReply({ permissionDecision: 'deny', permissionDecisionReason: REASON });
  return fileWithScript({ folder: '.github/hooks', name, value }, { path, deny }, 'bash');
};
