/** Hooks that a skill value carries as functions, for kits written in code and for tests. They live as long as their registration. */
import type { LoadContext } from '../../core/contracts/dialect.ts';
import type { Condition, Hook } from '../../core/contracts/hook.ts';
import { HooklineError } from '../../core/values/errors.ts';
import type { Json, JsonObject } from '../../core/values/json.ts';
import { suggest } from '../../core/values/suggest.ts';
import { EVENT_NAMES, type EventName, isEventName, matcherCondition, profile } from './profile.ts';

/** A skill with hooks in code. */
export interface Skill {
  readonly name: string;
  readonly hooks: readonly SkillHook[];
}

/** `pre_tool_use` for `PreToolUse`. */
type Snake<S extends string, Between extends string = ''> = S extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `${Between}${Lowercase<Letter>}`}${Snake<Rest, '_'>}`
  : '';

/** An event of skillkit, as files write it or as the document writes it in code. */
export type SkillEvent = EventName | Snake<EventName>;

export interface SkillHook {
  readonly event: SkillEvent;
  /** A regular expression, searched for in what the event is about: tool, subagent, skill, model or agent. Absent: everything. */
  readonly matcher?: RegExp | string;
  /** Gets the hook context with the keys of its boundary. Before an action it may deny or suspend it; afterwards its answer is ignored. */
  readonly handler: SkillHandler;
  /** The first argument of `execute`, if the handler is an object. */
  readonly config?: JsonObject;
  /** Default: one minute. */
  readonly timeoutMs?: number;
}

type Returned = SkillReturn | Promise<SkillReturn>;

/**
 * A function; an object with `execute`, as a handler type is; or an object, the name of a method and further arguments for it, which follow
 * the context.
 */
export type SkillHandler =
  | ((context: JsonObject) => Returned)
  | { execute(config: JsonObject, context: JsonObject): Returned }
  | readonly [target: object, method: string, args?: readonly unknown[]];

/** `'ok'` or nothing: proceed. `deny`: the action does not run. `pending`: it waits for approval; the state is kept with it. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement is a valid handler.
export type SkillReturn = 'ok' | { readonly deny: string } | { readonly pending: Json } | void;

/** The skills of one engine: those of code, and which of those of files are unregistered. */
export interface SkillRegistry<R> {
  /** Registers the hooks of a skill in code, in place of those that it had in code before. Throws if any of them cannot be used. */
  register(skill: Skill): R;
  /** Stops the hooks of a skill, of code and of files, also of files that are read later. */
  unregister(name: string): void;
  /** Whether a hook of a file belongs to no skill that is unregistered. */
  has(hook: Hook): boolean;
}

/** @param register adds hooks to the engine until the registration is undone */
export function createSkillRegistry<R extends () => void>(
  register: (hooks: readonly Hook[]) => R,
  checkPattern: LoadContext['checkPattern'],
): SkillRegistry<R> {
  const registered = new Map<string, R>();
  const gone = new Set<string>();
  return {
    register(skill) {
      checkSkill(skill);
      const { hooks, problems } = skillHooks(skill, checkPattern);
      if (problems.length > 0) throw new HooklineError('bad-option', `Skill ${skill.name} cannot be registered: ${problems.join(' ')}`);
      registered.get(skill.name)?.();
      const undo = register(hooks);
      registered.set(skill.name, undo);
      return undo;
    },
    unregister(name) {
      registered.get(name)?.();
      registered.delete(name);
      gone.add(name);
    },
    // A program cannot unregister a hook that the policy of the machine requires.
    has: ({ owner, source: { file, scope } }) =>
      owner === undefined || !gone.has(owner) || scope === 'managed' || !/(^|[\\/])SKILL\.md$/i.test(file),
  };
}

/** @throws HooklineError `bad-option` if it has no name, by which it could be unregistered, or no list of hooks */
function checkSkill(skill: unknown): void {
  const { name, hooks } = (typeof skill === 'object' && skill !== null ? skill : {}) as { readonly [K in keyof Skill]?: unknown };
  const wrong =
    typeof name !== 'string' || name === ''
      ? 'A skill needs a name'
      : Array.isArray(hooks)
        ? undefined
        : `Skill ${name} has no list of hooks`;
  if (wrong !== undefined) throw new HooklineError('bad-option', `${wrong}.`, { hint: 'Give `{ name, hooks: [{ event, handler }] }`.' });
}

/** The hooks of a skill value; each problem is a sentence, and its hook is left out. */
export function skillHooks(
  skill: Skill,
  checkPattern: LoadContext['checkPattern'],
): { readonly hooks: readonly Hook[]; readonly problems: readonly string[] } {
  const hooks: Hook[] = [];
  const problems: string[] = [];
  for (const [index, given] of skill.hooks.entries()) {
    const hook = hookFrom(skill, given, index, checkPattern);
    if (typeof hook === 'string') problems.push(`Hook ${index + 1} of skill \`${skill.name}\`: ${hook}`);
    else hooks.push(hook);
  }
  return { hooks, problems };
}

function hookFrom(skill: Skill, given: SkillHook, index: number, checkPattern: LoadContext['checkPattern']): Hook | string {
  const { handler, timeoutMs = profile.ask.timeout.fallbackMs } = given;
  const event = eventNamed(given.event);
  if (event === undefined) {
    const near = suggest(String(given.event), EVENT_NAMES);
    return `there is no event \`${String(given.event)}\`${near ? `; did you mean \`${near}\`?` : '.'}`;
  }
  const run = callOf(handler, given.config ?? {});
  if (run === undefined) return 'its handler must be a function, an object with `execute`, or [object, method, arguments].';
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0)) return `a timeout of ${String(timeoutMs)} ms cannot be kept.`;
  const when = conditionsFrom(event, given.matcher, checkPattern);
  if (typeof when === 'string') return when;
  const path = `${event}[${index}]`;
  return {
    id: `skillkit:runtime/${skill.name}#${path}`,
    name: `${skill.name} ${path}`,
    dialect: 'skillkit',
    event,
    when,
    handler: { type: 'function', config: {} },
    timeoutMs,
    priority: 0,
    detach: false,
    enabled: true,
    source: { file: `runtime/${skill.name}`, scope: 'skill' },
    owner: skill.name,
    run,
  };
}

/** A class with a static `execute` is a handler object too. */
function callOf(handler: unknown, config: JsonObject): ((context: JsonObject) => unknown) | undefined {
  if (Array.isArray(handler)) return methodOf(handler);
  if (hasMethod(handler, 'execute')) return (context) => handler.execute(config, context);
  return typeof handler === 'function' ? (context) => handler(context) : undefined;
}

function methodOf([target, method, args = []]: readonly unknown[]): ((context: JsonObject) => unknown) | undefined {
  if (typeof method !== 'string' || !Array.isArray(args) || !hasMethod(target, method)) return undefined;
  return (context) => target[method]?.(context, ...args);
}

function hasMethod<K extends string>(target: unknown, name: K): target is Record<K, (...given: unknown[]) => unknown> {
  if (target === null || (typeof target !== 'object' && typeof target !== 'function')) return false;
  return typeof (target as Record<string, unknown>)[name] === 'function';
}

/** The document writes `:pre_tool_use` in code and `PreToolUse` in files; both name the same event. */
function eventNamed(given: unknown): EventName | undefined {
  const name = String(given).replace(/^[a-z]|_([a-z])/g, (match) => match.slice(-1).toUpperCase());
  return isEventName(name) ? name : undefined;
}

function conditionsFrom(
  event: EventName,
  matcher: RegExp | string | undefined,
  checkPattern: LoadContext['checkPattern'],
): readonly Condition[] | string {
  if (matcher === undefined || matcher === '') return [];
  const source = typeof matcher === 'string' ? matcher : matcher.source;
  const flags = typeof matcher === 'string' ? '' : matcher.flags.replace(/[^ims]/g, '');
  const wrong = checkPattern(source, flags || undefined);
  return wrong === undefined ? [matcherCondition(event, source, flags)] : `the matcher \`${source}\` cannot be used: ${wrong}`;
}
