/** Runs a call that was kept for later, if its hook is still the one that was trusted. */
import type { Call, Handler } from '../core/contracts/handler.ts';
import { changedFault, type Fault, type Reply } from '../core/decision/reply.ts';

/**
 * Runs the call. Returns undefined if the hook is no longer the one that was trusted, so that it did not run.
 * @param handler that of the hook, which knows what the hook runs
 */
export async function runIfTrusted(call: Call, handler: Pick<Handler, 'describe' | 'handle'>): Promise<Reply | Fault | undefined> {
  const files = await admittedFiles(call, handler);
  if (files === 'changed') return undefined;
  const answer = await handler.handle(call);
  const what = files?.changedSince();
  return what === undefined ? answer : changedFault(what, answer);
}

/** Undefined: the hook needs no trust by its content. */
async function admittedFiles({ hook, cwd, vouched }: Pick<Call, 'hook' | 'cwd' | 'vouched'>, handler: Pick<Handler, 'describe'>) {
  if (!vouched) return undefined;
  const { root, digest, ignores } = vouched;
  const { scriptFiles } = await import('../guard/index.ts');
  const { admitFiles } = await import('./admitted-files.ts');
  const filesNow = () =>
    scriptFiles(hook, { describe: ({ config }) => handler.describe(config), cwd, project: root, ...(ignores && { ignores }) });
  const files = admitFiles(hook, root, filesNow(), filesNow);
  return files.print.digest === digest && files.unsettled === undefined ? files : 'changed';
}
