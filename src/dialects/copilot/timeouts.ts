/** How long a handler may take: seconds, under either of two names. Never converted; what looks like another unit is said. */
import { fieldOf, kindName, type MapNode } from '../../core/document.ts';
import type { Complaints } from '../../core/loading.ts';
import { profile } from './profile.ts';

const SUSPICIOUS_SECONDS = 1_000;
/** Timers wrap beyond this and would fire at once. */
const LONGEST_MS = 2_147_483_647;

/** A wrong timeout takes no guard away: the usual one is kept in its place. */
export function timeoutIn(fields: MapNode | undefined, complaints: Complaints): number {
  const { fallbackMs } = profile.ask.timeout;
  const key = fieldOf(fields, 'timeoutSec') ? 'timeoutSec' : 'timeout';
  const node = fieldOf(fields, key);
  if (!node || (node.kind === 'scalar' && node.value === null)) return fallbackMs;
  const given = node.kind === 'scalar' ? node.value : undefined;
  if (typeof given !== 'number' || !(given > 0)) {
    const found = typeof given === 'number' ? given : kindName(node);
    const what = `\`${key}\` must be seconds above 0, found ${found}; ${fallbackMs / 1000} are taken.`;
    complaints.say('warning', 'bad-timeout', node.at, what, 'Write the seconds as a number, without quotes.');
    return fallbackMs;
  }
  if (given >= SUSPICIOUS_SECONDS) {
    const what = `\`${key}\` is in seconds: ${given} of them are ${Math.round(given / 60)} minutes.`;
    complaints.say('warning', 'long-timeout', node.at, what, `For ${given} milliseconds write ${given / 1000}.`);
  }
  return Math.min(given * 1000, LONGEST_MS);
}
