/** How long a handler may take: seconds, but for commands a number from 1000 on keeps its old meaning of milliseconds. Never converted, always said. */
import { fieldOf, kindName, type MapNode } from '../../core/document.ts';
import type { Complaints } from '../../core/loading.ts';
import { profile } from './profile.ts';

const FALLBACK_MS: Readonly<Record<string, number>> = { http: 600_000, prompt: 30_000 };
/** From here on a command's number is read as milliseconds, and any other's looks like it. */
const MILLISECONDS_FROM = 1000;
/** Timers wrap beyond this and would fire at once. */
const LONGEST_MS = 2_147_483_647;

/** A hook with a timeout that can't be kept still runs, with the usual one: a gate is not lost for a number. */
export function timeoutIn(fields: MapNode, type: string, complaints: Complaints): number {
  const node = fieldOf(fields, 'timeout');
  const fallback = FALLBACK_MS[type] ?? profile.ask.timeout.fallbackMs;
  if (!node || (node.kind === 'scalar' && node.value === null)) return fallback;
  const given = node.kind === 'scalar' ? node.value : undefined;
  if (typeof given !== 'number' || !Number.isFinite(given) || given <= 0) {
    const found = typeof given === 'number' ? given : kindName(node);
    const what = `\`timeout\` must be seconds above 0, found ${found}; ${fallback / 1000} are taken.`;
    complaints.say('warning', 'bad-timeout', node.at, what, 'Write the seconds as a number, without quotes.');
    return fallback;
  }
  const isOld = type !== 'http' && type !== 'prompt' && given >= MILLISECONDS_FROM;
  if (isOld) {
    const what = `\`timeout\` is in seconds, but ${given} is read as milliseconds, as numbers from ${MILLISECONDS_FROM} on are.`;
    complaints.say(
      'warning',
      'long-timeout',
      node.at,
      what,
      given < 1_000_000 ? `Write ${given / 1000}.` : 'It can not be written in seconds.',
    );
  } else if (given >= MILLISECONDS_FROM) {
    const what = `\`timeout\` is in seconds: ${given} of them are ${Math.round(given / 60)} minutes.`;
    complaints.say('warning', 'long-timeout', node.at, what, `For ${given} milliseconds write ${given / 1000}.`);
  }
  return Math.max(1, Math.min(isOld ? given : given * 1000, LONGEST_MS));
}
