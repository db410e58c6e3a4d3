/** The answers that have an effect on an event of a kind, as types: an editor shows what the engine would drop with a warning. */
import type { EventKind, KINDS } from '../../core/event/event.ts';
import type { Json, JsonObject } from '../../core/values/json.ts';
import type { HookDecision, HookEffects } from './answer.ts';
import type { ObservedKind, WithheldKind } from './profile.ts';

export type AnswerFor<K extends EventKind> = K extends EventKind
  ? DecisionFor<K> &
      Omit<HookEffects, 'rewrite' | 'replace'> & {
        readonly rewrite?: RewriteOf<(typeof KINDS)[K]> | undefined;
        readonly replace?: ReplaceOf<(typeof KINDS)[K]> | undefined;
      }
  : never;

type DecisionFor<K extends EventKind> = K extends ObservedKind
  ? Extract<HookDecision, { readonly decision?: undefined }>
  : K extends WithheldKind
    ?
        | Extract<HookDecision, { readonly decision?: undefined }>
        | { readonly decision: 'deny'; readonly reason: string; readonly state?: undefined }
    : HookDecision;

/** The type of the part that a rewrite replaces. `never`: the event has none. */
type RewriteOf<R> = R extends { readonly rewrites: { readonly type: infer T } } ? (T extends 'text' ? string : JsonObject) : never;
type ReplaceOf<R> = R extends { readonly replaces: object } ? Json : never;
