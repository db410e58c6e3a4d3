/** The list of all readers. The guard runs every reader on every command, and every sequence on all commands of a text. */
import type { EffectiveCommand } from '../shell/machine.ts';
import { agentStart } from './agents.ts';
import type { Effect, EffectReader, KnownFolders } from './effect.ts';
import { environment } from './environment.ts';
import { exec } from './exec.ts';
import { execFed } from './exec-fed.ts';
import { files, proseWrites } from './files/index.ts';
import { git } from './git/index.ts';
import { trackedDeletions } from './git/listed.ts';
import { network, networkSends } from './network.ts';
import { ownLibrary } from './own/code.ts';
import { ownKills } from './own/kill.ts';
import { ownProgram } from './own/program.ts';
import { indexFiles, packageOrigins } from './packages.ts';
import { privilege } from './privilege.ts';
import { process } from './process.ts';
import { commandRun, disk } from './run.ts';
import { secrets } from './secrets.ts';
import { emptiedContainers } from './sequences/containers.ts';
import { fedTools } from './sequences/fed-tools.ts';
import { cloneRuns, fetchedRuns, foreignPushes } from './sequences/fetched.ts';
import { killedLists } from './sequences/processes.ts';
import { sql } from './sql.ts';
import { worlds } from './worlds.ts';

export const READERS: readonly EffectReader[] = [
  commandRun,
  ownProgram,
  ownLibrary,
  agentStart,
  exec,
  execFed,
  environment,
  git,
  sql,
  secrets,
  networkSends,
  network,
  files,
  disk,
  process,
  privilege,
  worlds,
  packageOrigins,
];

/** Reads the effects of several commands together. */
type SequenceReader = (
  commands: readonly EffectiveCommand[],
  written: ReadonlyMap<string, string>,
  knownFolders: KnownFolders,
) => readonly { readonly command: EffectiveCommand; readonly seen: Effect }[];

export const SEQUENCES: readonly SequenceReader[] = [
  ownKills,
  killedLists,
  cloneRuns,
  fetchedRuns,
  foreignPushes,
  proseWrites,
  emptiedContainers,
  indexFiles,
  fedTools,
  trackedDeletions,
];
