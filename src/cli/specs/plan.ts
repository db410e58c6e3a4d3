/** `hookline plan` as data. */
import type { CommandSpec } from '../command.ts';
import { EVENT_OPTIONS, HELP_OPTION, JSON_OPTION, LOAD_OPTIONS } from './options.ts';

export const planSpec: CommandSpec = {
  name: 'plan',
  summary: 'Show which hooks an event would reach, in what order, and why not the others. Runs nothing.',
  takes: '<event>',
  words: { min: 1, max: 1, missing: 'Which event should be planned? For instance `hookline plan tool.before --tool Bash`.' },
  options: [
    ...EVENT_OPTIONS,
    ...LOAD_OPTIONS,
    { name: 'all', help: 'Show every hook that would not run on a line of its own.' },
    JSON_OPTION,
    HELP_OPTION,
  ],
  examples: [
    { does: 'Who judges this command?', line: `hookline plan tool.before --tool Bash --input '{"command":"rm -rf build"}'` },
    { does: 'Why does my hook not fire?', line: 'hookline plan session.start --all' },
  ],
};
