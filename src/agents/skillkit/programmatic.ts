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

export interface SkillHook {
  readonly event: EventName;
  /** A regular expression, searched for in what the event is about: tool, subagent, skill, model or agent. Absent: everything. */
  readonly matcher?: RegExp | string;
  /** Gets the hook context with the keys of its boundary. Before an action it may deny or suspend it; afterwards its answer is ignored. */
  readonly handler: (context: JsonObject) => SkillReturn | Promise<SkillReturn>;
  /** Default: one minute. */
  readonly timeoutMs?: number;
}

/** `'ok'` or nothing: proceed. `deny`: the action does not run. `pending`: it waits for approval; the state is kept with it. */
// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return statement is a valid handler.
export type SkillReturn = 'ok' | { readonly deny: string } | { readonly pending: Json } | void;

/**
 * Returns `registerSkill`: it hands the hooks of a skill value to the engine, or throws if any of them cannot be used.
 * @param register adds hooks to the engine until the registration is undone
 */
export function skillRegistrar<R>(register: (hooks: readonly Hook[]) => R, checkPattern: LoadContext['checkPattern']): (skill: Skill) => R {
  return (skill) => {
    const { hooks, problems } = skillHooks(skill, checkPattern);
    if (problems.length > 0) throw new HooklineError('bad-option', `Skill ${skill.name} cannot be registered: ${problems.join(' ')}`);
    return register(hooks);
  };
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
  if (typeof handler !== 'function') return 'its handler must be a function.';
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
    run: (payload) => handler(payload),
  };
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
