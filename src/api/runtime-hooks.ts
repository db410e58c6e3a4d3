/** Turns a function that `on` registers for a canonical event into a hook of Hookline's own dialect. */

import { dialect as claudeAgent } from '../agents/claude-agent/dialect.ts';
import { dialect as hookline } from '../agents/hookline/dialect.ts';
import type { HookAnswer } from '../agents/hookline/index.ts';
import { BUILTIN_COMMANDS } from '../builtins.ts';
import type { Condition, Hook, RunContext } from '../core/contracts/hook.ts';
import { type EventKind, type HookEvent, isEventKind } from '../core/event/event.ts';
import type { EventPayloads } from '../core/event/payloads.ts';
import type { WithToolCall } from '../core/event/tool-types.ts';
import { HooklineError } from '../core/values/errors.ts';
import { checkPattern } from '../engine/select/compile.ts';
import { builtinHandler } from '../handlers/kit/builtin-commands.ts';
import { checkHook } from './claude-agent/check-hook.ts';
import type { Hook as AgentHook } from './claude-agent/hook.ts';
import type { Registration } from './hookline.ts';

/** The event as a function hook receives it. */
export type EventOf<K extends EventKind> = Omit<HookEvent, 'kind' | 'data'> & {
  readonly kind: K;
  readonly data: WithToolCall<EventPayloads[K]>;
};

/** Returns its verdict, or nothing if it has no opinion. */
export type HookFunction<K extends EventKind> = (event: EventOf<K>, context: RunContext) => HookReturn | Promise<HookReturn>;

// biome-ignore lint/suspicious/noConfusingVoidType: a hook without a return statement is a valid hook.
export type HookReturn = HookAnswer | null | undefined | void;

/** A command line that runs in this process. */
export type BuiltinLine = `hookline ${string}`;

export interface OnOptions {
  readonly name?: string;
  /** Searched in the tool's name (on other events in the name of the skill, subagent, model, channel or agent). */
  readonly match?: string | RegExp;
  /** Higher runs first. */
  readonly priority?: number;
  readonly timeoutMs?: number;
  /** If it applies and may not run, the event is denied. */
  readonly required?: boolean;
  /** It runs and its verdict is recorded as `wouldHave`, but changes nothing: to try a hook out. */
  readonly shadow?: boolean;
}

/** Returns `register`: it adds hooks of any dialect to the engine until the registration is undone. */
export function runtimeRegister(engine: { register(hooks: readonly Hook[]): () => void }): (hooks: readonly Hook[]) => Registration {
  return (hooks) => registrationOf(engine.register(hooks));
}

export function registrationOf(undo: () => void): Registration {
  return Object.assign(undo, { [Symbol.dispose]: undo });
}

export function runtimeHook(kind: EventKind, what: HookFunction<EventKind> | BuiltinLine, options: OnOptions, id: string): Hook {
  if (!isEventKind(kind)) throw new HooklineError('unknown-event', `There is no event kind \`${String(kind)}\`.`);
  const handler = typeof what === 'string' ? builtin(what) : { type: 'function', config: {} };
  if (typeof what !== 'string' && typeof what !== 'function') throw new HooklineError('bad-option', 'A hook must be a function.');
  return {
    id: `${hookline.id}:runtime/${id}`,
    name: options.name ?? ((typeof what === 'string' ? handler.type : what.name) || `on ${kind}`),
    dialect: hookline.id,
    event: kind,
    when: options.match === undefined ? [] : [matchCondition(kind, options.match)],
    handler,
    timeoutMs: options.timeoutMs ?? hookline.profile.ask.timeout.fallbackMs,
    priority: options.priority ?? 0,
    detach: false,
    enabled: true,
    source: { file: '(code)', scope: 'runtime' },
    ...(options.required && { required: true }),
    ...(options.shadow && { shadow: true }),
    // The dialect passes the event itself to a function.
    ...(typeof what === 'function' && { run: what as Hook['run'] & object }),
  };
}

function builtin(line: string): Hook['handler'] {
  const handler = builtinHandler(line, BUILTIN_COMMANDS);
  const problem = handler && BUILTIN_COMMANDS.find(({ type }) => type === handler.type)?.check(handler.config);
  if (handler && problem === undefined) return handler;
  const known = BUILTIN_COMMANDS.map(({ words }) => `\`${words.join(' ')}\``).join(', ');
  throw new HooklineError('bad-option', problem ?? `\`${line}\` is not a built-in command line.`, { hint: `Built in: ${known}.` });
}

function matchCondition(kind: EventKind, match: string | RegExp): Condition {
  const { facet } = hookline.profile.events[kind] as { facet: Condition['facet'] };
  return { facet, test: { ...patternOf(match, 'match'), anchor: 'search' }, missing: 'fails' };
}

function patternOf(match: string | RegExp, option: string): { readonly kind: 'pattern'; readonly source: string; readonly flags: string } {
  const source = typeof match === 'string' ? match : match.source;
  const flags = typeof match === 'string' ? '' : match.flags.replace(/[^ims]/g, '');
  const problem = checkPattern(source, flags);
  if (problem !== undefined) throw new HooklineError('bad-option', `\`${option}\` cannot be used: ${problem}`);
  return { kind: 'pattern', source, flags };
}

/** Turns a hook of claude-agent into one hook for each of its events. They join the lane of the commands in files. */
export function agentHooks(hook: AgentHook, id: string): Hook[] {
  checkHook(hook);
  const { anchor, missingFacet } = claudeAgent.profile.match;
  return hook.events.map((event) => ({
    id: `${claudeAgent.id}:runtime/${id}#${event}`,
    name: hook.name,
    dialect: claudeAgent.id,
    event,
    when: hook.toolMatcher
      ? [{ facet: 'tool', test: { ...patternOf(hook.toolMatcher, 'toolMatcher'), anchor }, missing: missingFacet }]
      : [],
    handler: { type: 'function', config: {} },
    timeoutMs: hook.timeoutSecs === undefined ? claudeAgent.profile.ask.timeout.fallbackMs : hook.timeoutSecs * 1000,
    priority: hook.priority ?? 0,
    detach: false,
    enabled: true,
    source: { file: '(code)', scope: 'runtime' },
    run: async (payload, context) => (await import('./claude-agent/run-hook.ts')).runHook(hook, payload, context),
  }));
}
