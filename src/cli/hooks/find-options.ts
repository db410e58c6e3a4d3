/** Reads from the command line where `check`, `audit` and `trust` look for hooks, and where they keep reports for the next time. */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { checkOptions } from '../../api/options.ts';
import { AGENTS } from '../../builtins.ts';
import type { FindOptions } from '../../load/check-files.ts';
import { resolveHome } from '../../load/find/home.ts';
import { type Memory, openMemory } from '../../load/memory.ts';
import { type Arguments, optionValue, optionValues } from '../arguments.ts';
import { readDialects, readRoot } from '../engine-options.ts';

export function findOptions(args: Arguments, paths: readonly string[]): FindOptions {
  const home = optionValue(args, 'home');
  const only = readDialects(args);
  const policy = optionValue(args, 'policy');
  const as = optionValue(args, 'as');
  checkOptions({ dialects: only, ...(as !== undefined && { as }) });
  return {
    agents: AGENTS,
    root: readRoot(args),
    ...(home !== undefined && { home }),
    ...(only.length > 0 && { only }),
    ...(as !== undefined && { as }),
    ...(policy !== undefined && { policy }),
    skills: optionValues(args, 'skills'),
    plugins: optionValues(args, 'plugins'),
    hooks: optionValues(args, 'hooks'),
    paths,
  };
}

/** A command that only looks makes no folder for Hookline's state, so without one nothing is kept. */
export function memoryFor(args: Arguments): Memory | undefined {
  const { stateFolder } = resolveHome({ home: optionValue(args, 'home') }, process.env);
  return existsSync(path.join(stateFolder, 'hookline')) ? openMemory(stateFolder, optionValue(args, 'policy')) : undefined;
}
