/** What the file system says about a file that a hook runs: who may change it, with whose rights it runs, whether it can be run at all. */
import { type Stats, statSync } from 'node:fs';
import { accuse } from './audit-rules.ts';
import type { Followed } from './files.ts';
import { type Finding, finding } from './findings.ts';

export function judgeRights(path: string, { how }: Followed): readonly Finding[] {
  const stat = statOf(path);
  // Windows has no such bits, and says that everybody may do everything.
  if (!stat || process.platform === 'win32') return [];
  const accused = [];
  if ((stat.mode & 0o6000) !== 0) accused.push(accuse('set-user-id', `Runs with the rights of its owner or group, whoever starts it.`));
  if ((stat.mode & 0o002) !== 0) accused.push(accuse('world-writable', 'May be changed by everybody on this machine.'));
  if (how === 'itself' && (stat.mode & 0o111) === 0) accused.push(accuse('not-executable', 'May not be executed, so it does not run.'));
  return accused.map((accusation) => finding(accusation, path));
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
