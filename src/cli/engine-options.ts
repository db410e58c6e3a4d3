/** The options of an engine as the command line gives them. */
import { statSync } from 'node:fs';
import path from 'node:path';
import type { HooklineOptions } from '../api/options.ts';
import { CommandError } from './answer.ts';
import { type Arguments, hasFlag, optionValue, optionValues, usageError } from './arguments.ts';
import { EXIT } from './exit-codes.ts';

export function engineOptions(args: Arguments): HooklineOptions {
  checkStore(optionValue(args, 'store'));
  const home = optionValue(args, 'home');
  const only = optionValues(args, 'only');
  return {
    root: readRoot(args),
    ...(home !== undefined && { home }),
    skills: optionValues(args, 'skills'),
    plugins: optionValues(args, 'plugins'),
    hooks: optionValues(args, 'hooks'),
    ...(only.length > 0 && { only }),
    ...(hasFlag(args, 'strict') && { strict: true }),
    trust: hasFlag(args, 'trust-all') ? 'all' : 'ask',
    // Nobody can settle a held action of a process that has ended.
    canAnswer: false,
  };
}

/** A project that does not exist has no hooks: a misspelt path must not read as consent. */
export function readRoot(args: Arguments): string {
  const root = path.resolve(optionValue(args, 'root') ?? '.');
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory()) return root;
  throw usageError(`There is no folder ${root}.`, 'Give the folder of the project with `--root`.');
}

function checkStore(store: string | undefined): void {
  if (store === undefined || store === 'memory:') return;
  const message = `This version keeps held actions in memory only: \`--store ${store}\` can not be used.`;
  throw new CommandError({ exit: EXIT.config, code: 'store-unavailable', message, hint: 'Leave `--store` out, or give `memory:`.' });
}
