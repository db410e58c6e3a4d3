/** Reads the options of an engine from the command line. */

import { statSync } from 'node:fs';
import path from 'node:path';
import type { GroupedOptions } from '../api/options.ts';
import { noteLookup } from '../load/remembered/lookups.ts';
import { storeUrl } from '../stores/open-store.ts';
import { type Arguments, hasFlag, optionValue, optionValues, usageError } from './arguments.ts';

/**
 * Returns the options.
 * @param root the project, for commands without `--root`
 */
export function engineOptions(args: Arguments, root?: string): GroupedOptions {
  const store = optionValue(args, 'store') ?? 'default';
  const home = optionValue(args, 'home');
  const dialects = readDialects(args);
  const policy = optionValue(args, 'policy');
  const as = optionValue(args, 'as');
  return {
    root: readRoot(args, root),
    ...(home !== undefined && { home }),
    skills: optionValues(args, 'skills'),
    plugins: optionValues(args, 'plugins'),
    hooks: optionValues(args, 'hooks'),
    ...(dialects.length > 0 && { dialects }),
    ...(as !== undefined && { as }),
    ...(hasFlag(args, 'strict') && { strict: true }),
    trust: readTrust(args),
    ...(policy !== undefined && { policy }),
    store,
    // A held action that disappears with this process cannot be settled.
    approvals: { canSettle: storeUrl(store, process.env) !== 'memory:' },
  };
}

/** Returns the dialects to load, by either name of the option. */
export function readDialects(args: Arguments): readonly string[] {
  return [...optionValues(args, 'dialect'), ...optionValues(args, 'only')];
}

/** Rejects a project that does not exist, because a misspelt path has no hooks and would look like consent. */
export function readRoot(args: Arguments, otherwise = '.'): string {
  const root = path.resolve(optionValue(args, 'root') ?? otherwise);
  noteLookup('stat', root);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory()) return root;
  throw usageError(`The folder ${root} does not exist.`, 'Give the folder of the project with `--root`.');
}

function readTrust(args: Arguments): NonNullable<GroupedOptions['trust']> {
  if (hasFlag(args, 'trust-all')) return 'all';
  const lock = optionValue(args, 'trust-lock');
  const hooks = new Map<string, string[]>();
  for (const pin of optionValues(args, 'trust-hook')) {
    const [, name, digest] = /^(.+)=(sha256:[0-9a-f]{64})$/.exec(pin) ?? [];
    if (name === undefined || digest === undefined)
      throw usageError(
        `\`${pin}\` does not pin a hook.`,
        'Write `--trust-hook NAME=sha256:HEX`, with the digest from `hookline trust list`.',
      );
    hooks.set(name, [...(hooks.get(name) ?? []), digest]);
  }
  return lock === undefined && hooks.size === 0 ? 'ask' : { hooks: Object.fromEntries(hooks), ...(lock !== undefined && { lock }) };
}
