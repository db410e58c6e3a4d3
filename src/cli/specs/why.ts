/** `hookline why` as data. */
import type { CommandSpec } from '../command.ts';
import { HELP_OPTION, JSON_OPTION, STORE_OPTIONS } from './options.ts';

export const whySpec: CommandSpec = {
  name: 'why',
  summary: 'Tell the story of one decision: who was asked, what each said, and why it ended as it did.',
  takes: '<id>',
  words: { min: 1, max: 1, missing: 'Which decision? `hookline log` shows their ids.' },
  options: [...STORE_OPTIONS, JSON_OPTION, HELP_OPTION],
  notes: [
    'The id is that of an outcome, as `hookline fire --json` and `hookline log` show it. It may be shortened as long as it fits one.',
  ],
  examples: [
    { does: 'Why was this denied?', line: 'hookline why mi3k9x2a' },
    { does: 'For a machine', line: 'hookline why mi3k9x2a --json' },
  ],
};
