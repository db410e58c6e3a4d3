/**
 * `own.kill`: a script that looks for the process of Hookline's server and ends a process whose number is unknown before it runs. Fact: `by`,
 * the command that finds the process.
 */
import type { EffectiveCommand } from '../../shell/machine.ts';
import { isDynamic } from '../../shell/marks.ts';
import { type Effect, effect } from '../effect.ts';

const FINDS = /^(?:pgrep|pidof|ps|[efz]?grep|rg|[gmn]?awk|sed|cat|head|tail|jq|lsof|fuser|ss|netstat|read|hookline)$/;

export function ownKills(commands: readonly EffectiveCommand[]): readonly { readonly command: EffectiveCommand; readonly seen: Effect }[] {
  const killer = commands.find(({ name, argv }) => (name === 'kill' || name === 'skill') && argv.slice(1).some(isDynamic));
  const finder = killer && commands.find((one) => FINDS.test(one.name) && (aboutOwn(one.argv) || aboutOwn([...one.fds.values()])));
  return killer && finder ? [{ command: killer, seen: effect('own.kill', { by: finder.name }) }] : [];
}

function aboutOwn(words: readonly string[]): boolean {
  return words.some((word) => /hooklin|\[h\]ookline/i.test(word));
}
