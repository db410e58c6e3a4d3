/** The option `hooks` of `query()`. Every callback answers before the SDK's own timeout, and none rejects. */
import type { Hookline } from '../../api/hookline.ts';
import { HooklineError } from '../../core/values/errors.ts';
import { type CallContext, failure } from '../kit/gate.ts';
import { refusalText } from '../kit/texts.ts';
import { boundaryCallbacks } from './boundaries.ts';
import { toolCallbacks } from './tools.ts';
import { type Callback, type ClaudeEvent, type ClaudeHooks, denied, EVENTS, ended, type Input, type Output } from './wire.ts';

/** Who calls. Approvals are bound to the session: your id of the conversation, the same when it is resumed. */
export interface GuardOptions extends CallContext {
  /** How long all hooks of one event may take. Default: 300. A tool call or a prompt that is not decided by then is denied. */
  readonly timeoutSeconds?: number;
}

/** The SDK stops waiting this much later, so that Hookline always answers. */
const MARGIN_SECONDS = 30;

/** Returns the option `hooks` of `query()`. Create it for each query. */
export function guardHooks(hookline: Hookline, options: GuardOptions): ClaudeHooks {
  return hooksOf(hookline, options, []);
}

/** @param firstContext texts for the first prompt */
export function hooksOf(hookline: Hookline, options: GuardOptions, firstContext: readonly string[]): ClaudeHooks {
  const { timeoutSeconds = 300, ...who } = options;
  if (typeof who.session !== 'string' || who.session === '')
    throw new HooklineError('bad-option', '`guardHooks` needs a `session`.', {
      hint: 'Give the id of the conversation: approvals are bound to it.',
    });
  const contextFor = (input: Input, signal?: AbortSignal): CallContext => ({
    cwd: input.cwd,
    ...who,
    agent: input.agent_type ?? who.agent,
    metadata: { ...who.metadata, claudeSession: input.session_id },
    signal: anyOf([signal, who.signal, abortedAfter(timeoutSeconds * 1000)]),
  });
  const tools = toolCallbacks(hookline, contextFor);
  const callbacks: Record<ClaudeEvent, Callback> = {
    PreToolUse: tools.before,
    PostToolUse: tools.after,
    PostToolUseFailure: tools.failed,
    ...boundaryCallbacks(hookline, contextFor, tools, firstContext),
  };
  const timeout = timeoutSeconds + MARGIN_SECONDS;
  return Object.fromEntries(
    EVENTS.map((event) => [event, [{ hooks: [inTime(event, callbacks[event], timeoutSeconds)], timeout }]]),
  ) as ClaudeHooks;
}

/** A callback that throws or is late lets the action happen, so neither reaches the SDK. */
function inTime(event: ClaudeEvent, callback: Callback, seconds: number): Callback {
  return async (input, id, options) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`the hooks did not answer within ${seconds} s.`)), seconds * 1000);
    });
    try {
      return await Promise.race([callback(input, id, options), late]);
    } catch (error) {
      return unchecked(event, failure(error));
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The answer to an event that could not be checked: a call is denied, a prompt blocked, and a result ends the run before the model sees it. */
function unchecked(event: ClaudeEvent, reason: string): Output {
  if (event === 'PreToolUse') return denied(refusalText(reason));
  if (event === 'UserPromptSubmit') return { decision: 'block', reason };
  return event === 'PostToolUse' ? ended(reason) : {};
}

/** The timer holds the signal. Node 20 forgets an `AbortSignal.timeout` to which only `AbortSignal.any` refers. */
function abortedAfter(ms: number): AbortSignal {
  const limit = new AbortController();
  setTimeout(() => limit.abort(), ms).unref();
  return limit.signal;
}

function anyOf(signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((signal) => signal !== undefined));
}
