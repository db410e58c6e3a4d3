/** Refuses a hook in code that could not be asked. */
import { EVENT_NAMES, isEventName } from '../../agents/claude-agent/profile.ts';
import { HooklineError } from '../../core/values/errors.ts';
import type { Hook } from './hook.ts';

/** @throws HooklineError `bad-option` if the hook has no name, no event or no `execute`, or an invalid timeout */
export function checkHook(hook: Hook): void {
  const wrong = (what: string): HooklineError => new HooklineError('bad-option', `A hook of claude-agent ${what}.`);
  if (typeof hook?.name !== 'string' || hook.name === '') throw wrong('needs a name');
  const named = `\`${hook.name}\``;
  if (!Array.isArray(hook.events) || hook.events.length === 0) throw wrong(`must listen to an event: ${named} has none`);
  const unknown = (hook.events as readonly unknown[]).find((event) => !isEventName(String(event)));
  if (unknown !== undefined) throw wrong(`must listen to one of ${EVENT_NAMES.join(', ')}: ${named} has \`${String(unknown)}\``);
  if (typeof hook.execute !== 'function') throw wrong(`needs a function \`execute\`: ${named} has none`);
  const seconds: unknown = hook.timeoutSecs ?? 1;
  if (typeof seconds !== 'number' || !(seconds > 0)) throw wrong(`needs a timeout above 0: ${named} has ${String(seconds)}`);
  const priority: unknown = hook.priority ?? 0;
  if (typeof priority !== 'number' || !Number.isFinite(priority))
    throw wrong(`needs a number as priority: ${named} has ${String(priority)}`);
}
