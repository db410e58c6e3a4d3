/** What a command leaves in files: downloads, copies, links and moves are followed, and what is deleted is gone. */
import { downloadTargets } from './downloads.ts';
import { leavesBehind } from './flow.ts';
import type { Invocation } from './invoke.ts';
import type { Effective } from './machine.ts';
import { REMOTE, UNKNOWN } from './marks.ts';

/** Takes what the command prints; gives back what of it goes on to its standard output. */
export function leave(command: Effective, { argv, scope, machine: { files } }: Invocation, text: string): string {
  const { name, flow, stdin } = command;
  const targets = downloadTargets(name, argv);
  for (const path of targets ?? []) files.set(path, /^(scp|rsync)$/.test(name) ? REMOTE : text);
  const operands = argv.slice(1).filter((word) => !/^-./.test(word));
  if (name === 'tee' || name === 'sponge') for (const path of operands) files.set(path, name === 'tee' ? text : stdin);
  const written = name === 'dd' ? operands.find((word) => word.startsWith('of='))?.slice(3) : undefined;
  if (written !== undefined && !operands.some((word) => word.startsWith('if='))) files.set(written, stdin);
  // In a branch that may not run, nothing is gone for good.
  if ((name === 'rm' || name === 'unlink') && scope.maybe === 0) for (const path of operands) files.delete(path);
  if (/^(cp|mv|ln|install|link)$/.test(name) && operands.length >= 2) {
    const [from, to] = [operands.at(-2) ?? '', operands.at(-1) ?? ''];
    const moved = files.get(from) ?? (files.get(to) === undefined ? undefined : UNKNOWN);
    for (const path of [to, `${to}/${from.slice(from.lastIndexOf('/') + 1)}`]) if (moved !== undefined) files.set(path, moved);
    if (name === 'mv' && scope.maybe === 0) files.delete(from);
  }
  for (const [path, held] of leavesBehind(command, flow, files)) files.set(path, held);
  return targets === undefined ? text : '';
}
