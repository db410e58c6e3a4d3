/** The supervisor: runs the calls on its stdin with their handlers, all at once, each within its timeout, records how they ended, and exits. */
import { readFileSync } from 'node:fs';
import type { OpenHookline } from '../../api/create-hookline.ts';
import { builtinHandlers } from '../../builtins.ts';
import { lateEnd } from '../../engine/record/late-end.ts';
import { resolveHome } from '../../load/find/home.ts';
import { runIfTrusted } from '../../trust/still-trusted.ts';
import type { FiredBy, SupervisedWork } from './background.ts';

export async function supervise(): Promise<void> {
  // Only `startSupervisor` writes this file, and only its owner can read it.
  const { calls, ...by } = JSON.parse(readFileSync(0, 'utf8')) as SupervisedWork;
  const { configFolder } = resolveHome(by.options, by.folders ?? process.env);
  const handlers = new Map(
    builtinHandlers(undefined, undefined, undefined, `${configFolder}/hookline`).map((handler) => [handler.type, handler]),
  );
  let opened: Promise<OpenHookline> | undefined;
  await Promise.allSettled(
    calls.map(async (call) => {
      const handler = handlers.get(call.hook.handler.type);
      const started = performance.now();
      const answer = handler && (await runIfTrusted(call, handler));
      const late = lateEnd(call, answer, crypto.randomUUID(), performance.now() - started);
      if (!late) return;
      opened ??= open(by);
      await (await opened).engine.record(late.event, late.outcome);
    }),
  );
  await (await opened)?.hookline.close();
}

async function open({ options, folders }: FiredBy): Promise<OpenHookline> {
  const { openHookline } = await import('../../api/create-hookline.ts');
  return openHookline(options, folders);
}
