/** All readers, in one row: every effective command is put to every one of them. */

import { disk } from './disk.ts';
import type { EffectReader } from './effect.ts';
import { exec } from './exec.ts';
import { execEnvironment } from './exec-environment.ts';
import { execFed } from './exec-fed.ts';
import { files } from './files.ts';
import { flows } from './flows.ts';
import { git } from './git/git.ts';
import { network } from './network.ts';
import { privilege } from './privilege.ts';
import { process } from './process.ts';
import { secrets } from './secrets.ts';
import { sql } from './sql.ts';
import { words } from './words.ts';

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
