/** The list of all readers. The guard runs every reader on every command. */

import type { EffectReader } from './effect.ts';
import { exec, execEnvironment } from './exec.ts';
import { execFed } from './exec-fed.ts';
import { files } from './files/index.ts';
import { git } from './git/index.ts';
import { flows, network } from './network.ts';
import { privilege } from './privilege.ts';
import { process } from './process.ts';
import { disk, words } from './run.ts';
import { secrets } from './secrets.ts';
import { sql } from './sql.ts';

export const READERS: readonly EffectReader[] = [
  words,
  exec,
  execFed,
  execEnvironment,
  git,
  sql,
  secrets,
  flows,
  network,
  files,
  disk,
  process,
  privilege,
];
