/** Whether somebody may be waiting for our word: on such an event our own failure must block. */
import { DIALECTS } from '../builtins.ts';
import type { EventKind } from '../core/event.ts';
import { isGating } from '../core/profile.ts';

export function canBeDenied(kinds: readonly EventKind[]): boolean {
  return DIALECTS.some(({ profile }) =>
    Object.values(profile.events).some((rule) => isGating(rule) && rule.kinds.some((kind) => kinds.includes(kind))),
  );
}
