/** `hookline audit` as data. */
import type { CommandSpec } from '../command.ts';
import { HELP_OPTION, JSON_OPTION, NAMED_PLACE_OPTIONS, PLACE_OPTIONS } from './options.ts';

export const auditSpec: CommandSpec = {
  name: 'audit',
  summary: 'Audit what hooks would run, trusted or not. Exit 1 if one is dangerous.',
  takes: '[path…]',
  words: { min: 0, max: Number.POSITIVE_INFINITY, missing: '' },
  options: [
    ...PLACE_OPTIONS,
    ...NAMED_PLACE_OPTIONS,
    { name: 'strict', help: 'Exit 1 if anything at all is found.' },
    { name: 'waivers', help: 'Leave out what your settings waive.' },
    { name: 'sarif', help: 'One SARIF 2.1.0 document on stdout, for code scanning.' },
    JSON_OPTION,
    HELP_OPTION,
  ],
  notes: [
    "Without a path: every hook that is found, the user's own and those of the machine's policy included. A path may be a file or a folder.",
    'Nothing is run. Catastrophic findings keep a hook out, always; high ones unless your settings waive them; medium and low ones are shown. What could not be looked into is listed: no finding there means nothing.',
    'Exit 0: nothing catastrophic or high was found. 1: something was. 78: a hook file or your settings could not be read, so nothing is known about it.',
  ],
  examples: [
    { does: 'Every hook that would be found here', line: 'hookline audit' },
    { does: 'A plugin, before it is installed', line: 'hookline audit ~/Downloads/some-plugin' },
    { does: 'In CI, for code scanning', line: 'hookline audit --sarif > hooks.sarif' },
  ],
};
