/** `git push`: whether it overwrites or deletes what is on the other side, and where it goes. */
import { type Effect, effect } from '../effect.ts';
import type { GitLine } from './command-line.ts';
import type { Options } from './options.ts';

export function pushes({ subcommand }: GitLine, { operands, has, sure, value }: Options): readonly Effect[] {
  if ((subcommand !== 'push' && subcommand !== 'send-pack') || sure('dry-run')) return [];
  const refs = operands.slice(value('repo') === undefined || operands.length > 1 ? 1 : 0);
  const mirrors = has('mirror');
  const forced = has('force') || mirrors || refs.some((ref) => ref.startsWith('+'));
  const deletes = has('delete', 'prune') || refs.some((ref) => /^\+?:./.test(ref));
  const to = refs.map((ref) =>
    ref
      .replace(/^\+/, '')
      .replace(/^.*:/s, '')
      .replace(/^refs\/heads\//, ''),
  );
  return [effect('git.push', { how: 'push', remote: operands[0] ?? '', to, forced, deletes, mirrors, leased: has('force-with-lease') })];
}
