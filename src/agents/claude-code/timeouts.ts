/** How long a handler may take, and what becomes of the event when it fails: what the file says, else what Claude Code does. */

import type { Hook } from '../../core/contracts/hook.ts';
import { fieldOf, kindName, type MapNode } from '../../core/values/document.ts';
import { type Problems, readScalar } from '../../core/values/read-document.ts';
import { LONGEST_TIMER_MS } from '../../core/values/timer.ts';
import { type Limit, limitOf } from '../kit/absurd-timeouts.ts';
import { type EventName, profile } from './profile.ts';

type Limits = Limit & Pick<Hook, 'detach' | 'strict' | 'once'>;

/** Where a handler stands. */
export interface LimitPlace {
  readonly event: EventName;
  /** In a plugin, a skill or a subagent, which another format may have been written for. */
  readonly isShared: boolean;
  readonly isFrontmatter: boolean;
}

/** As many seconds as this are most likely meant as milliseconds. */
const SUSPICIOUS_SECONDS = 1000;
/** At the end of a session no hook gets much time. */
const SESSION_END = { fallbackMs: 1500, mostMs: 60_000 };
const FALLBACKS: Readonly<Record<string, number>> = { prompt: 30_000, agent: 60_000 };
/** Events on which a failure never blocks: the agent could not come to an end. */
const NEVER_STRICT: readonly string[] = ['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle'] satisfies EventName[];

export function limitsOf(fields: MapNode | undefined, type: string, place: LimitPlace, problems: Problems): Limits {
  const { event } = place;
  const limit = timeoutOf(fields, type, place, problems);
  if (!fields) return { ...limit, detach: false };
  const flag = (key: string): boolean => readScalar(fields, key, 'boolean', problems)?.value === true;
  const rewakes = flag('asyncRewake');
  const detach = flag('async') || rewakes;
  if (rewakes) {
    const what = '`asyncRewake` runs in the background; its exit code wakes no agent here.';
    problems.report('info', 'no-effect', fieldOf(fields, 'asyncRewake')?.at, what);
  }
  const strict = closes(fields, event, detach, problems);
  return { ...limit, detach, ...(strict && { strict }), ...(flag('once') && once(fields, place.isFrontmatter, problems)) };
}

/** quirk once-in-skills */
function once(fields: MapNode, ofSkill: boolean, problems: Problems): { readonly once?: true } {
  if (ofSkill) return { once: true };
  const what = 'Claude Code looks at `once` in skills alone: this hook is asked every time.';
  problems.report('info', 'no-effect', fieldOf(fields, 'once')?.at, what);
  return {};
}

/** A hook with a timeout that cannot be kept still runs, with the usual one: a gate is not lost for a number. */
function timeoutOf(fields: MapNode | undefined, type: string, { event, isShared }: LimitPlace, problems: Problems): Limit {
  const usual = event === 'UserPromptSubmit' ? 30_000 : profile.ask.timeout.fallbackMs;
  const fallback = event === 'SessionEnd' ? SESSION_END.fallbackMs : (FALLBACKS[type] ?? usual);
  const node = fieldOf(fields, 'timeout');
  if (!node || (node.kind === 'scalar' && node.value === null)) return { timeoutMs: fallback };
  const seconds = node.kind === 'scalar' ? node.value : undefined;
  if (typeof seconds !== 'number' || !(seconds > 0)) {
    const found = typeof seconds === 'number' ? seconds : kindName(node);
    const what = `\`timeout\` must be a number of seconds above 0, found ${found}; ${fallback / 1000} are taken.`;
    problems.report('warning', 'bad-timeout', node.at, what, 'Write the seconds as a number, without quotes.');
    return { timeoutMs: fallback };
  }
  const limit = isShared ? limitOf(seconds, 'seconds', node.at, problems) : { timeoutMs: seconds * 1000 };
  if (limit.unusable === undefined && seconds >= SUSPICIOUS_SECONDS) {
    const what = `\`timeout\` is in seconds: ${seconds} of them are ${Math.round(seconds / 60)} minutes.`;
    const hint = `For ${seconds} milliseconds write ${Math.max(1, Math.round(seconds / 1000))}.`;
    problems.report('warning', 'long-timeout', node.at, what, hint);
  }
  return { ...limit, timeoutMs: Math.min(limit.timeoutMs, event === 'SessionEnd' ? SESSION_END.mostMs : LONGEST_TIMER_MS) };
}

/** quirk on-failure */
function closes(fields: MapNode, event: EventName, detach: boolean, problems: Problems): boolean {
  const wish = readScalar(fields, 'onFailure', 'string', problems);
  if (!wish || wish.value === 'continue') return false;
  if (wish.value !== 'block') {
    // An author who names a policy cares about failures, so the careful one is taken.
    const what = `\`onFailure\` must be \`continue\` or \`block\`, found \`${wish.value}\`; \`block\` is taken. Claude Code reads no hook of such a file.`;
    problems.report('warning', 'wrong-type', wish.at, what, 'Write `"block"`.');
  }
  if (!detach && !NEVER_STRICT.includes(event)) return true;
  const why = detach ? 'of a hook in the background' : `on ${event}`;
  problems.report('info', 'no-effect', wish.at, `\`onFailure\` ${why} has no effect.`);
  return false;
}
