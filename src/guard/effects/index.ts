/** The list of all readers. The guard runs every reader on every command. */

import { agentStart } from './agents.ts';
import type { EffectReader } from './effect.ts';
import { exec, execEnvironment } from './exec.ts';
import { execFed } from './exec-fed.ts';
import { files } from './files/index.ts';
import { git } from './git/index.ts';
import { network, networkSends } from './network.ts';
import { ownLibrary } from './own/code.ts';
import { ownProgram } from './own/program.ts';
import { privilege } from './privilege.ts';
import { process } from './process.ts';
import { commandRun, disk } from './run.ts';
import { secrets } from './secrets.ts';
import { sql } from './sql.ts';
import { worlds } from './worlds.ts';

export const READERS: readonly EffectReader[] = [
  commandRun,
  ownProgram,
  ownLibrary,
  agentStart,
  exec,
  execFed,
  execEnvironment,
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
];
