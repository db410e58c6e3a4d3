/** The supervisor: runs the calls on its stdin with their handlers, all at once, each within its timeout, and exits. */
import { readFileSync } from 'node:fs';
import { builtinHandlers } from '../../builtins.ts';
import { isStillTrusted } from '../../trust/still-trusted.ts';
import type { DetachedCall } from './background.ts';

export async function supervise(): Promise<void> {
  // Only `startSupervisor` writes this file, and only its owner can read it.
  const calls = JSON.parse(readFileSync(0, 'utf8')) as readonly DetachedCall[];
  const handlers = new Map(builtinHandlers(undefined).map((handler) => [handler.type, handler]));
  await Promise.allSettled(
    calls.map(async (call) => {
      if (await isStillTrusted(call)) await handlers.get(call.hook.handler.type)?.handle(call);
    }),
  );
}
