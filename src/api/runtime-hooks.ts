/** Functions as hooks on canonical events: what `on` takes, turned into a hook of Hookline's own dialect. */
import { HooklineError } from '../core/errors.ts';
import { type EventKind, type HookEvent, isEventKind } from '../core/event.ts';
import type { Condition, Hook, RunContext } from '../core/hook.ts';
import type { EventPayloads } from '../core/payloads.ts';
import { type Answer, hookline } from '../dialects/hookline/index.ts';
import { checkPattern } from '../patterns/compile.ts';

/** The event as a function hook sees it. */
export type EventOf<K extends EventKind> = Omit<HookEvent, 'kind' | 'data'> & { readonly kind: K; readonly data: EventPayloads[K] };

/** Returns what it thinks, or nothing if it has no opinion. */
export type HookFunction<K extends EventKind> = (
  event: EventOf<K>,
  context: RunContext,
) => Answer | undefined | Promise<Answer | undefined>;

export interface OnOptions {
  readonly name?: string;
  /** Searched for in the tool's name (on other events: the skill's, subagent's, model's, channel's or agent's). */
  readonly match?: string | RegExp;
  /** Higher runs first. */
  readonly priority?: number;
  readonly timeoutMs?: number;
}

export function runtimeHook(kind: EventKind, run: HookFunction<EventKind>, options: OnOptions, id: string): Hook {
  if (!isEventKind(kind)) throw new HooklineError('unknown-event', `There is no event kind \`${String(kind)}\`.`);
  if (typeof run !== 'function') throw new HooklineError('bad-option', 'A hook must be a function.');
  return {
    id: `${hookline.id}:runtime/${id}`,
    name: options.name ?? (run.name || `on ${kind}`),
    dialect: hookline.id,
    event: kind,
    when: options.match === undefined ? [] : [matchCondition(kind, options.match)],
    handler: { type: 'function', config: {} },
    timeoutMs: options.timeoutMs ?? hookline.profile.ask.timeout.fallbackMs,
    priority: options.priority ?? 0,
    detach: false,
    enabled: true,
    source: { file: '(code)', scope: 'runtime' },
    // The dialect shows a function the event itself.
    run: run as Hook['run'] & object,
  };
}

function matchCondition(kind: EventKind, match: string | RegExp): Condition {
  const source = typeof match === 'string' ? match : match.source;
  const flags = typeof match === 'string' ? '' : match.flags.replace(/[^ims]/g, '');
  const problem = checkPattern(source, flags);
  if (problem !== undefined) throw new HooklineError('bad-option', `\`match\` can not be used: ${problem}`);
  const { facet } = hookline.profile.events[kind] as { facet: Condition['facet'] };
  return { facet, test: { kind: 'pattern', source, flags, anchor: 'search' }, missing: 'fails' };
}
