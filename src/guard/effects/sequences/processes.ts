/** `proc.kill` of every process: the ids come from a list of all processes that nothing filters. Facts: `all`, `target`. */
import type { EffectiveCommand } from '../../shell/machine.ts';
import { isDynamic } from '../../shell/marks.ts';
import { type Effect, effect } from '../effect.ts';

/** Programs that may leave lines out. */
const FILTERS = /^(?:[efz]?grep|rg|sed|perl|ruby|python\d?|lsof|fuser|ss|pidof|jq|head)$/;
/** Programs that take the ids, or print a column. */
const TAKES = /^(?:[gmn]?awk|g?xargs|while|parallel)$/;
/** A program of `awk` that prints a column of every line. */
const COLUMN = /^\s*(?:NR\s*(?:>|!=|>=)\s*\d\s*)?\{\s*print\s+\$\d+;?\s*\}\s*$/;

export function killedLists(
  commands: readonly EffectiveCommand[],
): readonly { readonly command: EffectiveCommand; readonly seen: Effect }[] {
  const killer = commands.find(({ name, argv, via }) => /^s?kill$/.test(name) && (argv.slice(1).some(isDynamic) || via.includes('xargs')));
  if (killer === undefined || !commands.some(listsAll) || commands.some(picks)) return [];
  return [{ command: killer, seen: effect('proc.kill', { all: true, target: 'all' }) }];
}

/** Returns whether a command lists the ids of all processes, or passes the list to a program that takes or prints the ids. */
function listsAll({ name, argv, next }: EffectiveCommand): boolean {
  const has = (pattern: RegExp): boolean => argv.some((word, i) => i > 0 && pattern.test(word));
  if (name === 'pgrep') return has(/^\^?\.[*+]?$/);
  // `ps aux`, `ps -ef`, `ps -A`. Other options select processes.
  return (
    name === 'ps' &&
    has(/^(?:a?ux|ax\w*|-[a-zA-Z]*[eA].*)$/) &&
    !has(/^-[CGgpqtU]/) &&
    (has(/^(?:-\w*o)?pid=?$/) || TAKES.test(next[0] ?? ''))
  );
}

function picks({ name, argv }: EffectiveCommand): boolean {
  return FILTERS.test(name) || (/^[gmn]?awk$/.test(name) && !argv.some((word) => COLUMN.test(word)));
}
