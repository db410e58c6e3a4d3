/** Whether the hook of a call that runs later is still the one that was trusted. */
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
      scriptFiles(hook, {
        describe: ({ config }) => handler.describe(config),
        cwd,
        project: vouched.root,
        ...(vouched.ignores && { ignores: vouched.ignores }),
      }),
      vouched.root,
    ) === vouched.digest
  );
}
