/** `hookline init --undo`: takes the steps back in the opposite order. Files that a person has changed since stay, and are named. */
import { rmSync } from 'node:fs';
import { HOSTS } from '../../builtins.ts';
import type { TrustEntry } from '../../trust/trust-file.ts';
import type { Arguments } from '../arguments.ts';
import { type CommandResult, EXIT } from '../command.ts';
import { problemOf, problemText } from '../failure.ts';
import { permitTrust, trustTask } from '../hooks/trust-task.ts';
import * as uninstall from '../install/uninstall.ts';
import { terminalStyle } from '../print/style.ts';
import { harmless, shortName } from '../print/text.ts';
import type { InitPlaces } from './init.ts';
import { type InitRecord, readRecord, removeFiles, writeRecord } from './record.ts';
import { servingMark, stopServing } from './serving.ts';

export async function undo(args: Arguments, { record: file, root, serve }: InitPlaces): Promise<CommandResult> {
  const record = readRecord(file);
  if (!record) {
    const message = `\`hookline init\` has not set up ${root}, so there is nothing to take back.`;
    return { exit: EXIT.negative, err: problemText({ message, hint: 'Run it in the folder in which you ran `hookline init`.' }) };
  }
  const lines: string[] = [];
  const failed: string[] = [];
  const installed: string[] = [];
  for (const id of record.installed) {
    const problem = await uninstallFrom(args, id);
    if (problem === undefined) lines.push(`${titleOf(id)} no longer asks Hookline.`);
    else {
      failed.push(`${titleOf(id)}: ${problem} Run \`hookline uninstall ${id}\`.`);
      installed.push(id);
    }
  }
  const isServing = (record.serving ?? null) !== null && record.serving === servingMark(serve);
  if (isServing && failed.length === 0) {
    await stopServing(args, serve);
    lines.push('Events no longer start a server.');
  }
  const trust = record.trusted === null ? undefined : await forget(args, record.trusted);
  if (trust?.problem !== undefined) failed.push(`${trust.problem} Run \`hookline trust remove\`.`);
  else if (trust?.wasTrusted) lines.push('The hook is no longer trusted.');
  const rest: InitRecord = {
    ...record,
    installed,
    serving: servingMark(serve) === null ? null : record.serving,
    trusted: trust?.problem === undefined ? null : record.trusted,
  };
  // The files stay as long as a step before them could not be taken back.
  if (failed.length > 0) {
    writeRecord(file, rest);
    return { exit: EXIT.negative, out: text(lines), err: failed.map((message) => problemText({ message })).join('') };
  }
  const { removed, changed, needed } = removeFiles(record);
  rmSync(file);
  const more = [
    ...removed.map((one) => `Removed ${shortName(one)}.`),
    ...changed.map((one) => `Kept ${shortName(one)}, because you have changed it.`),
    ...needed.map((one) => `Kept ${shortName(one)}, because it belongs to a hook that stays.`),
  ];
  return { exit: EXIT.ok, out: text([...lines, ...more]) };
}

function text(lines: readonly string[]): string {
  const style = terminalStyle();
  return lines.map((line) => `${style.green('✓')} ${harmless(line)}\n`).join('');
}

function titleOf(id: string): string {
  return HOSTS.find((host) => host.id === id)?.title ?? id;
}

/** Returns why it could not be removed. An entry that is gone already is no problem. */
async function uninstallFrom(args: Arguments, id: string): Promise<string | undefined> {
  try {
    const { exit, err = '' } = await uninstall.run({ positionals: [id], values: new Map(args.values) });
    return exit === EXIT.ok || err.includes('is not installed') ? undefined : err.trim();
  } catch (error) {
    return problemOf(error).message;
  }
}

interface Forgotten {
  readonly wasTrusted: boolean;
  /** Why nothing was taken back. */
  readonly problem?: string;
}

/** Takes the trust back, or the denial. */
async function forget(args: Arguments, hook: string): Promise<Forgotten> {
  const task = trustTask(args, [], true);
  const isOwn = (entry: Pick<TrustEntry, 'file' | 'root'>): boolean => entry.file === hook && entry.root === task.find.root;
  const trusted = task.trust.list().filter(isOwn);
  const own = [...trusted, ...task.trust.denied().filter(isOwn)];
  const wasTrusted = trusted.length > 0;
  if (own.length === 0) return { wasTrusted };
  const permitted = await permitTrust(task, 'removed');
  if (!('permitted' in permitted)) return { wasTrusted, problem: (permitted.err ?? '').trim() };
  const hooks = own.map(({ name, dialect, digest, file }) => ({ name, dialect, digest, file }));
  await permitted.record(`${wasTrusted ? 'Trust in' : 'The denial of'} 1 hook removed.`, { hooks });
  task.trust.remove(isOwn);
  return { wasTrusted };
}
