/** How long a handler may take, and what becomes of the event when it fails: what the file says, else what Claude Code does. */

import type { Hook } from '../../core/contracts/hook.ts';
import { fieldOf, kindName, type MapNode } from '../../core/values/document.ts';
import { type Problems, readScalar } from '../../core/values/read-document.ts';
import { type EventName, profile } from './profile.ts';

type Limits = Pick<Hook, 'timeoutMs' | 'detach' | 'strict' | 'once'>;

/** Timers wrap beyond this and would fire at once. */
const LONGEST_MS = 2_147_483_647;
/** As many seconds as this are most likely meant as milliseconds. */
const SUSPICIOUS_SECONDS = 1000;
/** At the end of a session no hook gets much time. */
const SESSION_END = { fallbackMs: 1500, mostMs: 60_000 };
const FALLBACKS: Readonly<Record<string, number>> = { prompt: 30_000, agent: 60_000 };
/** Events on which a failure never blocks: the agent could not come to an end. */
const NEVER_STRICT: readonly string[] = ['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle'] satisfies EventName[];

export function limitsOf(fields: MapNode | undefined, type: string, event: EventName, ofSkill: boolean, complaints: Problems): Limits {
  const timeoutMs = timeoutOf(fields, type, event, complaints);
  if (!fields) return { timeoutMs, detach: false };
  const flag = (key: string): boolean => readScalar(fields, key, 'boolean', problems)?.value === true;
  const rewakes = flag('asyncRewake');
  const detach = flag('async') || rewakes;
  if (rewakes) {
    const what = '`asyncRewake` runs in the background; its exit code wakes no agent here.';
    problems.report('info', 'no-effect', fieldOf(fields, 'asyncRewake')?.at, what);
  }
  const strict = closes(fields, event, detach, problems);
  return { timeoutMs, detach, ...(strict && { strict }), ...(flag('once') && once(fields, ofSkill, problems)) };
}

/** quirk once-in-skills */
function once(fields: MapNode, ofSkill: boolean, complaints: Problems): { readonly once?: true } {
  if (ofSkill) return { once: true };
  const what = 'Claude Code looks at `once` in skills alone: this hook is asked every time.';
  problems.report('info', 'no-effect', fieldOf(fields, 'once')?.at, what);
  return {};
}

/** A hook with a timeout that cannot be kept still runs, with the usual one: a gate is not lost for a number. */
function timeoutOf(fields: MapNode | undefined, type: string, event: EventName, complaints: Problems): number {
  const usual = event === 'UserPromptSubmit' ? 30_000 : profile.ask.timeout.fallbackMs;
  const fallback = event === 'SessionEnd' ? SESSION_END.fallbackMs : (FALLBACKS[type] ?? usual);
  const node = fieldOf(fields, 'timeout');
  if (!node || (node.kind === 'scalar' && node.value === null)) return fallback;
  const seconds = node.kind === 'scalar' ? node.value : undefined;
  if (typeof seconds !== 'number' || !(seconds > 0)) {
    const found = typeof seconds === 'number' ? seconds : kindName(node);
    const what = `\`timeout\` must be a number of seconds above 0, found ${found}; ${fallback / 1000} are taken.`;
    problems.report('warning', 'bad-timeout', node.at, what, 'Write the seconds as a number, without quotes.');
    return fallback;
  }
  if (seconds >= SUSPICIOUS_SECONDS) {
    const what = `\`timeout\` is in seconds: ${seconds} of them are ${Math.round(seconds / 60)} minutes.`;
    const hint = `For ${seconds} milliseconds write ${Math.max(1, Math.round(seconds / 1000))}.`;
    problems.report('warning', 'long-timeout', node.at, what, hint);
  }
  return Math.min(seconds * 1000, event === 'SessionEnd' ? SESSION_END.mostMs : LONGEST_MS);
}

/** quirk on-failure */
function closes(fields: MapNode, event: EventName, detach: boolean, complaints: Problems): boolean {
  const wish = readScalar(fields, 'onFailure', 'string', complaints);
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
