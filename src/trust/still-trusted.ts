/** Whether the hook of a call that runs later is still the one that was trusted. */
import type { Call } from '../core/contracts/handler.ts';

export async function isStillTrusted({ hook, cwd, vouched }: Pick<Call, 'hook' | 'cwd' | 'vouched'>): Promise<boolean> {
  if (!vouched) return true;
  const { scriptFiles } = await import('../guard/index.ts');
  const { hookDigest } = await import('./hook-digest.ts');
  return hookDigest(hook, scriptFiles(hook, { cwd, project: vouched.root }), vouched.root) === vouched.digest;
}
