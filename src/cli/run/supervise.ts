/** The supervisor: runs the calls on its stdin with their handlers, all at once, each within its timeout, and exits. */
import { readFileSync } from 'node:fs';
import { builtinHandlers } from '../../builtins.ts';
import { type LateFault, lateFault } from '../../engine/record/late-fault.ts';
import { runIfTrusted } from '../../trust/still-trusted.ts';
import type { FiredBy, SupervisedWork } from './background.ts';

export async function supervise(): Promise<void> {
  // Only `startSupervisor` writes this file, and only its owner can read it.
  const { calls, ...by } = JSON.parse(readFileSync(0, 'utf8')) as SupervisedWork;
  const handlers = new Map(builtinHandlers(undefined).map((handler) => [handler.type, handler]));
  await Promise.allSettled(
    calls.map(async ({ event, ...call }) => {
      const handler = handlers.get(call.hook.handler.type);
      const answer = handler && (await runIfTrusted(call, handler));
      const late = lateFault({ hook: call.hook, ...(event && { event }) }, answer, crypto.randomUUID());
      if (late) await record(late, by);
    }),
  );
}

async function record({ event, outcome }: LateFault, { options, folders }: FiredBy): Promise<void> {
  const { openHookline } = await import('../../api/create-hookline.ts');
  const { hookline, engine } = await openHookline(options, folders);
  await engine.record(event, outcome);
  await hookline.close();
}
