/** A hook in code that is a command: it reads the input on stdin and answers by its exit code and its stdout, as a command in settings does. */

import { dialect } from '../../agents/claude-agent/dialect.ts';
import { eventOfKey, snakeCase } from '../../agents/claude-agent/profile.ts';
import { type Call, DEFAULT_LIMITS, DEFAULT_PERMITS } from '../../core/contracts/handler.ts';
import type { Hook as CoreHook } from '../../core/contracts/hook.ts';
import { readNesting } from '../../core/contracts/nesting.ts';
import { describeFault } from '../../core/decision/explain.ts';
import type { HookEvent as CoreEvent } from '../../core/event/event.ts';
import { interpret } from '../../core/meaning/interpret.ts';
import type { EventRule } from '../../core/meaning/profile.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { checkHook } from './check-hook.ts';
import { DEFAULT_TIMEOUT_SECS, type Hook, type HookContext, type HookResult } from './hook.ts';
import type { HookEvent, HookInput } from './hook-input.ts';
import { outputOfVerdict } from './verdict-output.ts';

/** One action of a rule, as plugins, skills and subagents write it. */
export interface HookAction {
  /** Only `command` runs. */
  readonly type: string;
  readonly command?: string;
  /** Seconds. */
  readonly timeout?: number;
}

/** A matcher and its actions, as plugins, skills and subagents write them under an event. */
export interface HookRule {
  /** Searched for in the tool's name: `Write|Edit`. Absent: every tool. */
  readonly matcher?: string;
  readonly hooks: readonly HookAction[];
}

export interface CommandHookOptions<E extends HookEvent = HookEvent> {
  readonly name: string;
  /** A line for `sh -c`. */
  readonly command: string;
  readonly events: readonly E[];
  /** Searched for in the tool's name. */
  readonly toolPattern?: RegExp | string;
  /** Default: 60. */
  readonly timeoutSecs?: number;
  /** Higher runs first. Default: 0. */
  readonly priority?: number;
  /** Variables on top of the agent's own. */
  readonly extraEnv?: Readonly<Record<string, string>>;
}

export class CommandHook<E extends HookEvent = HookEvent> implements Hook<E> {
  readonly name: string;
  readonly command: string;
  readonly events: readonly E[];
  declare readonly toolMatcher?: RegExp;
  readonly timeoutSecs: number;
  readonly priority: number;
  readonly extraEnv: Readonly<Record<string, string>>;

  /** @throws HooklineError `bad-option` if it has no command, or what `register` would refuse */
  constructor({ name, command, events, toolPattern, timeoutSecs, priority, extraEnv }: CommandHookOptions<E>) {
    this.name = name;
    this.command = command;
    this.events = events;
    if (toolPattern !== undefined) this.toolMatcher = typeof toolPattern === 'string' ? new RegExp(toolPattern) : toolPattern;
    this.timeoutSecs = timeoutSecs ?? DEFAULT_TIMEOUT_SECS;
    this.priority = priority ?? 0;
    this.extraEnv = extraEnv ?? {};
    if (typeof command !== 'string' || command.trim() === '') {
      throw new HooklineError('bad-option', `The command of hook \`${String(name)}\` is missing.`);
    }
    checkHook(this as unknown as Hook);
  }

  /**
   * Returns the commands of rules under their events, as frontmatter and `hooks.json` have them: `{ PreToolUse: [{ matcher, hooks }] }`.
   * @throws HooklineError `bad-option` for an event, a type or an action that cannot be used: a gate must not be lost
   */
  static fromRules(rules: Readonly<Record<string, readonly HookRule[]>>, owner = 'rules'): CommandHook[] {
    return Object.entries(rules).flatMap(([key, list]) => {
      const event = eventOfKey(key);
      if (event === undefined) throw new HooklineError('bad-option', `There is no event \`${key}\`.`);
      const actions = list.flatMap(({ matcher, hooks }) => hooks.map((action) => ({ matcher, action })));
      return actions.map(({ matcher, action: { type, command = '', timeout } }, i) => {
        const name = `${owner}:${key}-${i + 1}`;
        if (type !== 'command') throw new HooklineError('bad-option', `\`${name}\` is of type \`${type}\`; only \`command\` runs.`);
        return new CommandHook({
          name,
          command,
          events: [event],
          ...(matcher !== undefined && matcher !== '' && { toolPattern: matcher }),
          ...(timeout !== undefined && { timeoutSecs: timeout }),
        });
      });
    });
  }

  /** Runs the command. Rejects if it could not be run, which a manager treats as a fault. */
  async execute(input: HookInput<E>, context: HookContext): Promise<HookResult> {
    const { handler } = await shared();
    const event = coreEvent(input, context);
    const native = input.eventType();
    const hook = this.#hook(native, context);
    const payload = dialect.wire.encodeEvent(event, native);
    const call: Call = {
      ...{ hook, payload, event, ask: dialect.profile.ask, cwd: event.session.cwd, timeoutMs: hook.timeoutMs },
      ...{ limits: DEFAULT_LIMITS, permits: DEFAULT_PERMITS, nesting: readNesting(process.env), signal: context.signal },
    };
    const rule = dialect.profile.events[native] as EventRule;
    const meaning = interpret(await handler.handle(call), hook, rule, dialect, event);
    if (!('decision' in meaning)) throw new Error(describeFault(hook, meaning));
    return outputOfVerdict(meaning);
  }

  #hook(event: HookEvent, { env }: HookContext): CoreHook {
    return {
      id: `${dialect.id}:runtime/${this.name}`,
      name: this.name,
      dialect: dialect.id,
      event,
      when: [],
      handler: { type: 'command', config: { command: this.command } },
      timeoutMs: this.timeoutSecs * 1000,
      priority: this.priority,
      detach: false,
      enabled: true,
      source: { file: '(code)', scope: 'runtime' },
      env: { ...env, ...this.extraEnv, EVENT: snakeCase(event) },
    };
  }
}

/** Returns the canonical event of an input. */
export function coreEvent(input: HookInput, { sessionId, cwd }: HookContext): CoreEvent {
  const decoded = dialect.wire.decodeEvent(input.eventType(), input.payload());
  return {
    id: '',
    kind: decoded.kind,
    at: input.timestamp.toISOString(),
    session: { id: input.sessionId || sessionId, cwd: cwd ?? process.cwd() },
    data: decoded.data,
    native: { dialect: dialect.id, name: input.eventType() },
  };
}

/** Loaded with the first command, because most programs have hooks of another kind only. */
async function shared(): Promise<{ readonly handler: ReturnType<typeof import('../../handlers/command/index.ts').commandHandlerFor> }> {
  const { commandHandlerFor } = await import('../../handlers/command/index.ts');
  kept ??= commandHandlerFor();
  return { handler: kept };
}

let kept: ReturnType<typeof import('../../handlers/command/index.ts').commandHandlerFor> | undefined;
