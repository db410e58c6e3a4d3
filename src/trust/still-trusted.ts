/** A call that was kept and is run later: whether its hook is still what it was trusted as. */
import type { Call, Handler } from '../core/contracts/handler.ts';

/** @param handler that of the hook, which knows what the hook runs */
export async function isStillTrusted(
  { hook, cwd, vouched }: Pick<Call, 'hook' | 'cwd' | 'vouched'>,
  handler: Pick<Handler, 'describe'>,
): Promise<boolean> {
  if (!vouched) return true;
  const { scriptFiles } = await import('../guard/index.ts');
  const { hookDigest } = await import('./hook-digest.ts');
  return (
    hookDigest(
      hook,
      scriptFiles(hook, { describe: ({ config }) => handler.describe(config), cwd, project: vouched.root }),
      vouched.root,
    ) === vouched.digest
  );
}
