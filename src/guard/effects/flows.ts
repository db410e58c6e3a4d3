/** What leaves the machine: each text or file that a command sends over the network, by where it comes from. */
import { CREDENTIAL, DECODED, isDynamic, KEYS, PRIVATE, SECRET } from '../shell/marks.ts';
import type { Sending } from '../shell/sends.ts';
import { type Effect, type EffectReader, effect } from './effect.ts';

const ORIGINS: readonly (readonly [mark: string, name: string])[] = [
  [SECRET, 'secret'],
  [PRIVATE, 'private'],
  [KEYS, 'keys'],
  [CREDENTIAL, 'variable'],
  [DECODED, 'decoded'],
];
const LOOPBACK = /^(localhost|127\.[\d.]+|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal|.*\.localhost)$/i;

export const flows: EffectReader = ({ name, flow }) => (flow?.sends ?? []).flatMap((sending) => sent(name, sending));

export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host);
}

function sent(by: string, { host, how, text, file }: Sending): readonly Effect[] {
  const what = ORIGINS.filter(([mark]) => text.includes(mark)).map(([, name]) => name);
  // An address or a header is of interest only if something is carried out in it.
  if (what.length === 0 && (how === 'beside' || how === 'name')) return [];
  if (file !== undefined && file !== '-') what.push('file');
  else if (what.length === 0) what.push(isDynamic(text) ? 'unknown' : 'text');
  return [effect('net.send', { what, host, how, command: by, file: file ?? '', local: isLoopback(host) })];
}
